import fs from 'node:fs';
import { errorMessage } from '../../model/errors.ts';
import { FolderWatcher } from '../../platform/folder-watcher.ts';
import type { DocumentKey, DocumentSource } from '../passage.ts';
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
