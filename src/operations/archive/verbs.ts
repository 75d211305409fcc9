import type { OperationContext } from '../context.ts';
import { runLater } from '../run-later.ts';
import type { ArchiveList, ArchiveListInput } from './list.ts';
import type { ArchivePacked, ArchivePackInput } from './pack.ts';
import type { ArchiveRestored } from './restore.ts';
import type { ArchiveSearchInput, ArchiveSearchResult } from './search.ts';

/** What was put away: `m.archive.restore(id)`. */
export class ArchiveVerbs {
  readonly #context: OperationContext;
  readonly #assertOpen: () => Promise<never> | undefined;

  constructor(context: OperationContext, assertOpen: () => Promise<never> | undefined) {
    this.#context = context;
    this.#assertOpen = assertOpen;
  }

  async list(options: ArchiveListInput = {}): Promise<ArchiveList> {
    await this.#assertOpen();
    return runLater(async () => (await import('./list.ts')).archiveList, this.#context, options);
  }

  async search(query: string, options: Omit<ArchiveSearchInput, 'query'> = {}): Promise<ArchiveSearchResult> {
    await this.#assertOpen();
    return runLater(async () => (await import('./search.ts')).archiveSearch, this.#context, { ...options, query });
  }

  async restore(...ids: readonly string[]): Promise<ArchiveRestored> {
    await this.#assertOpen();
    return runLater(async () => (await import('./restore.ts')).archiveRestore, this.#context, { ids: [...ids] });
  }

  /** Packs what is old, in the archive and among the transcripts. */
  async pack(options: ArchivePackInput = {}): Promise<ArchivePacked> {
    await this.#assertOpen();
    return runLater(async () => (await import('./pack.ts')).archivePack, this.#context, options);
  }
}
