import fs from 'node:fs';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { FolderWatcher } from '../../platform/folder-watcher.ts';
import type { OpenIndex, OpenIndexes } from '../open-index.ts';
import type { DocumentKey, DocumentSource } from '../passage.ts';
import { isServerTrouble } from '../postgres/trouble.ts';
import type { HomeFiles } from './home-files.ts';
import type { IndexSync } from './index-sync.ts';

/** A session writes a turn in several steps; one look after the last of them is enough. */
const SETTLE_MS = 150;

/** The workspace has its own watcher, which records edits on the write path. */
const WATCHED: readonly DocumentSource[] = ['raw', 'live'];

/** Notices, in a long-running process, what other processes write elsewhere: live sessions and transcripts. */
export class SourceWatcher {
  readonly #sync: Pick<IndexSync, 'syncFiles'>;
  readonly #onProblem: (message: string) => void;
  readonly #watchers: FolderWatcher[] = [];
  readonly #changed = new Map<string, DocumentKey>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(files: HomeFiles, sync: Pick<IndexSync, 'syncFiles'>, onProblem: (message: string) => void) {
    this.#sync = sync;
    this.#onProblem = onProblem;
    for (const source of WATCHED) this.#watch(source, files.roots[source]);
  }

  /** Resolves when what was noticed is in the index. */
  async close(): Promise<void> {
    for (const watcher of this.#watchers) watcher.close();
    clearTimeout(this.#timer);
    this.#settle();
    await this.#running;
  }

  #watch(source: DocumentSource, root: string): void {
    // The repository of transcripts is made by the first process that writes one, which tells the index itself.
    if (source === 'raw' && !fs.existsSync(root)) return;
    fs.mkdirSync(root, { recursive: true });
    const watcher = new FolderWatcher(root, {
      onChange: (relative) => {
        this.#changed.set(`${source}:${relative}`, { source, path: relative });
        this.#timer ??= setTimeout(() => this.#settle(), SETTLE_MS).unref();
      },
      onProblem: this.#onProblem,
      isIgnored: (relative) => relative.startsWith('.git'),
    });
    this.#watchers.push(watcher);
  }

  #settle(): void {
    this.#timer = undefined;
    const keys = [...this.#changed.values()];
    this.#changed.clear();
    if (keys.length === 0) return;
    this.#running = this.#running.then(() => this.#take(keys));
  }

  async #take(keys: readonly DocumentKey[]): Promise<void> {
    try {
      for (const problem of await this.#sync.syncFiles(keys)) this.#onProblem(problem);
    } catch (error) {
      this.#onProblem(errorMessage(error));
    }
  }
}

/** A server that was gone a moment ago is not waited for again at once; longer each time. */
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Chooses the index that answers: the shared one, or this machine's own while the server cannot be used. The own one is
 * made from the files here, so nothing of this machine is missing from it; what others wrote and has not come here yet is.
 */
export class SharedTurn {
  readonly #indexes: OpenIndexes;
  readonly #clock: Clock;
  #failures = 0;
  #pauseEndsMs = 0;
  #reason: string | undefined;

  constructor(indexes: OpenIndexes, clock: Clock) {
    this.#indexes = indexes;
    this.#clock = clock;
  }

  /** Why this machine's own index answers although the shared one is asked for; undefined when it does not. */
  get standInReason(): string | undefined {
    return this.#reason;
  }

  /** The index to ask now. */
  get current(): OpenIndex {
    if (!this.#indexes.isShared || this.#clock.now() < this.#pauseEndsMs) return this.#indexes.local();
    return this.#indexes.shared();
  }

  async use<T>(body: (open: OpenIndex) => Promise<T>): Promise<T> {
    if (!this.#indexes.isShared) return body(this.#indexes.local());
    if (this.#clock.now() < this.#pauseEndsMs) return body(this.#indexes.local());
    try {
      const result = await body(this.#indexes.shared());
      this.#failures = 0;
      this.#reason = undefined;
      return result;
    } catch (error) {
      if (!this.noteTrouble(error)) throw error;
      return body(this.#indexes.local());
    }
  }

  /** True when the error means that the own index has to answer from now on. */
  noteTrouble(error: unknown): boolean {
    if (!isServerTrouble(error)) return false;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#pauseEndsMs = this.#clock.now() + pauseMs;
    const hint = isMnemeError(error) ? (error.hint ?? '') : '';
    this.#reason =
      `${errorMessage(error)} This machine’s own index answers: what other machines wrote is found once it has come ` +
      `here by \`mneme sync\`. ${hint}`.trim();
    return true;
  }
}
