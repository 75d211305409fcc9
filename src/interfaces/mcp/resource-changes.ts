import type { FolderWatcher } from '../../platform/folder-watcher.ts';
import { errorMessage } from '../../model/errors.ts';
import type { OperationContext } from '../../operations/context.ts';
import { seesFile, visibleTo } from '../../operations/visible-to.ts';
import { watchFiles } from '../../runtime/events/watch-files.ts';
import type { DocumentSource } from '../../search-index/passage.ts';
import type { Access } from './access.ts';
import type { OpenHome } from './open-home.ts';
import { urisOf } from './uris.ts';

type OnUpdated = (uri: string) => void;

interface Listener {
  readonly access: Access;
  readonly onUpdated: OnUpdated;
}

/** A save is several steps for the file system and one for whoever listens. */
const SETTLE_MS = 150;

/**
 * Tells who subscribed which resources changed, whichever process or person changed them. Files are watched only while
 * somebody listens.
 */
export class ResourceChanges {
  readonly #home: OpenHome;
  readonly #onProblem: (message: string) => void;
  readonly #listeners = new Set<Listener>();
  readonly #changed = new Map<string, { readonly source: DocumentSource; readonly path: string }>();
  #watchers: FolderWatcher[] = [];
  #context: OperationContext | undefined;
  #settling: NodeJS.Timeout | undefined;

  constructor(home: OpenHome, onProblem: (message: string) => void) {
    this.#home = home;
    this.#onProblem = onProblem;
  }

  /** Resolves when changes are noticed from now on; call what it resolves to when nobody listens any more. */
  async listen(access: Access, onUpdated: OnUpdated): Promise<() => void> {
    const listener = { access, onUpdated };
    this.#listeners.add(listener);
    const { internals } = await this.#home.get();
    this.#context = internals;
    if (this.#watchers.length === 0 && this.#listeners.size > 0)
      this.#watchers = watchFiles(internals, (source, path) => this.#note(source, path), this.#onProblem);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  /** The same for who cannot wait: what fails is reported, and the client hears of nothing. */
  listenSoon(access: Access, onUpdated: OnUpdated): () => void {
    const listening = this.listen(access, onUpdated).catch((error: unknown) => {
      this.#onProblem(`Nobody hears of changed resources: ${errorMessage(error)}`);
      return () => undefined;
    });
    return () => void listening.then((stop) => stop());
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
    clearTimeout(this.#settling);
    this.#changed.clear();
  }

  #note(source: DocumentSource, path: string): void {
    this.#changed.set(`${source}:${path}`, { source, path });
    this.#settling ??= setTimeout(() => this.#tell(), SETTLE_MS);
  }

  #tell(): void {
    this.#settling = undefined;
    const changes = [...this.#changed.values()];
    this.#changed.clear();
    for (const { source, path } of changes) {
      for (const { access, onUpdated } of this.#listeners) {
        if (this.#isSeen(access, source, path)) for (const uri of urisOf(source, path)) onUpdated(uri);
      }
    }
  }

  #isSeen({ actor, scope }: Access, source: DocumentSource, path: string): boolean {
    if (this.#context === undefined) return false;
    const context = { ...this.#context, actor, confinedTo: scope };
    return source === 'workspace' ? seesFile(context, path) : visibleTo(context).seesHome;
  }
}
