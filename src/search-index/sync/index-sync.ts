import { setImmediate } from 'node:timers/promises';
import { hash } from 'node:crypto';
import { errorMessage, isMnemeError, MnemeError } from '../../model/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Indexable, JournalSpan } from '../../workspace/registries.ts';
import { CHUNK_FORMAT, isSearched } from '../chunk/chunk-file.ts';
import type { ChunkContext } from '../chunk/draft.ts';
import { liveLogPath } from '../chunk/turns.ts';
import type { DocumentKey } from '../passage.ts';
import type { DocumentState, SearchIndex } from '../port.ts';
import type { HomeFiles } from './home-files.ts';
import { type RefreshParts, type SyncPlan, batchesOf, isIndexable, planSync, refresh } from './refresh.ts';
import { type IgnoreCheck, type StampTable, compareWithFiles, findIgnored, keyOf } from './stamp-table.ts';

export interface IndexSyncParts {
  readonly index: SearchIndex;
  readonly files: HomeFiles;
  readonly stamps: StampTable;
  readonly context: ChunkContext;
  readonly clock: Clock;
  /** Absent where everything in the workspace's folder counts. */
  readonly ignored?: IgnoreCheck | undefined;
  /** Where machines share an index: who this one is. How far it came is noted for each of them. */
  readonly device?: string | undefined;
}

export interface SyncProgress {
  readonly done: number;
  readonly total: number;
}

export interface SyncOptions {
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
  /** Stops after the batch at hand; the next sync goes on from there. */
  readonly signal?: AbortSignal | undefined;
  /** The journal's end, read before the sync began: everything acknowledged up to there will be in the index. */
  readonly journalEnd?: string | undefined;
}

export interface SyncReport {
  readonly put: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Files that could not be read, in words. */
  readonly problems: readonly string[];
  /** False when the signal stopped it. */
  readonly isComplete: boolean;
  /** Why the index was made anew, when it had to be. */
  readonly rebuiltBecause: string | undefined;
}

/** The notes beside the index. */
const NOTES = {
  /** Counts rebuilds; part of every document's hash, so that an interrupted one is gone on with. */
  generation: 'generation',
  /** Up to where the journal is in the index. */
  indexedTo: 'indexedTo',
  /** Why the index may lack something. */
  dirty: 'dirty',
  /** When and why the index had to be made anew. */
  rebuilt: 'rebuilt',
  /** The stamps of the live sessions in the index. */
  live: 'live',
} as const;

/** Keeps an index in step with the files of a home: workspace, transcripts, and sessions that are still going on. */
export class IndexSync {
  readonly #parts: IndexSyncParts;
  readonly #fingerprint: string;
  readonly #own: Readonly<Record<'indexedTo' | 'dirty' | 'live', string>>;

  constructor(parts: IndexSyncParts) {
    this.#parts = parts;
    const own = (name: string): string => (parts.device === undefined ? name : `${name}@${parts.device}`);
    this.#own = { indexedTo: own(NOTES.indexedTo), dirty: own(NOTES.dirty), live: own(NOTES.live) };
    const { layout, chunking, timeZone } = parts.context;
    const rules = layout.rules.map(({ pattern, kind, store }) => [pattern, kind, store]);
    this.#fingerprint = hash('sha1', JSON.stringify([CHUNK_FORMAT, chunking, timeZone, rules])).slice(0, 8);
  }

  /**
   * For the write path's indexers: takes over the files of acknowledged mutations. A failure marks the index and is thrown,
   * so that the write path can report it; the next sync repairs what is missing.
   */
  async syncChanged({ acknowledged, span, selfCommitted }: Indexable): Promise<void> {
    const keys = new Map<string, DocumentKey>();
    for (const path of selfCommitted) keys.set(`workspace:${path}`, { source: 'workspace', path });
    const finished: DocumentKey[] = [];
    for (const { record } of acknowledged) {
      if (record.repository === 'chain') continue;
      for (const { path } of record.files)
        keys.set(`${record.repository}:${path}`, { source: record.repository, path });
      const isTranscript = record.repository === 'raw' && record.session !== undefined;
      // Its log goes away next; until then nothing should be found twice.
      if (isTranscript) finished.push({ source: 'live', path: liveLogPath(record.session) });
    }
    await this.#marking(async () => {
      const problems = await this.syncFiles([...keys.values()]);
      if (problems.length > 0) await this.#note(this.#own.dirty, problems[0]);
      if (finished.length > 0) await this.#parts.index.apply({ put: [], remove: finished });
      await this.#advance(span);
    });
  }

  /** Takes over single files, such as the log of a session that a turn was appended to. */
  async syncFiles(keys: readonly DocumentKey[]): Promise<readonly string[]> {
    const wanted = keys.filter((key) => isIndexable(key, this.#parts.context));
    const problems: string[] = [];
    for (const batch of batchesOf(wanted)) {
      // Stamps are left to the next full sync: a write should cost one transaction, not two.
      problems.push(...(await refresh(await this.#refreshParts(), batch)).problems);
    }
    return problems;
  }

  /** Compares everything and takes over what differs. An index found damaged is made anew, once. */
  async syncAll(options: SyncOptions = {}): Promise<SyncReport> {
    return this.#repairing(() => this.#syncAll(options), options);
  }

  /**
   * Makes every document anew. A sound index goes on answering meanwhile, document by document from the old or the new;
   * a damaged one is emptied first. Interrupted, the next sync goes on where this one stopped.
   */
  async rebuild(options: SyncOptions = {}): Promise<SyncReport> {
    const rebuildInPlace = async (): Promise<SyncReport> => {
      const damage = await this.#parts.index.verify();
      if (damage.length > 0) return this.startOver(damage.join(' '), options);
      await this.#parts.index.writeNote(NOTES.generation, String(Number(await this.#readGeneration()) + 1));
      const report = await this.#syncAll(options);
      if (report.isComplete) await this.#parts.index.optimize();
      return report;
    };
    return this.#repairing(rebuildInPlace, options);
  }

  /**
   * Whether everything acknowledged up to the journal's end is in the index. Edits made outside count once a scan has
   * recorded them; live sessions have `syncLive`.
   */
  async isFresh(journalEnd: string): Promise<boolean> {
    const { index } = this.#parts;
    try {
      if ((await index.readNote(this.#own.dirty)) !== undefined) return false;
      return (await index.readNote(this.#own.indexedTo)) === (await this.#hashOf(journalEnd));
    } catch (error) {
      if (isMnemeError(error, 'integrity')) return false;
      throw error;
    }
  }

  /** Takes over what sessions still going on have said since, without looking at anything else. */
  async syncLive(): Promise<void> {
    const { index, files } = this.#parts;
    const before = parseStamps(await index.readNote(this.#own.live));
    const found = files.list((key) => isIndexable(key, this.#parts.context), ['live']);
    const now = new Map(found.map((file) => [file.path, `${file.size}:${file.mtimeMs}:${file.inode}`]));
    const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
      (path) => before.get(path) !== now.get(path),
    );
    if (changed.length === 0) return;
    await this.syncFiles(changed.map((path) => ({ source: 'live', path })));
    await index.writeNote(this.#own.live, JSON.stringify(Object.fromEntries(now)));
  }

  /** Why the index may be incomplete, and why it was last made anew; undefined where there is nothing to say. */
  async readState(): Promise<{ readonly dirty: string | undefined; readonly rebuilt: string | undefined }> {
    const { index } = this.#parts;
    return { dirty: await index.readNote(this.#own.dirty), rebuilt: await index.readNote(NOTES.rebuilt) };
  }

  /** Lists damage and differences between files and index, in words; reads every file. */
  async verify(): Promise<readonly string[]> {
    const { index, files, context, stamps, ignored: check } = this.#parts;
    const damage = await index.verify();
    if (damage.length > 0) return damage;
    const found = files.list((key) => isSearched(key, context.layout));
    const { keys } = await findIgnored({ found, stamps: stamps.all(), rules: this.#rules(), check });
    const searched = found.filter((file) => !keys.has(keyOf(file)));
    return compareWithFiles(await this.#refreshParts(), searched, await this.#listIndexed());
  }

  async #syncAll({ onProgress, signal, journalEnd }: SyncOptions): Promise<SyncReport> {
    const { index } = this.#parts;
    const notRemembered = new Set<string>();
    const plan = await this.#plan(notRemembered);
    const total = plan.read.length + plan.remove.length;
    const problems: string[] = [];
    let put = 0;
    let removed = plan.exclude.length;
    let done = 0;
    if (removed > 0) await index.apply({ put: [], remove: plan.exclude });
    let isComplete = true;
    for (const batch of batchesOf([...plan.remove, ...plan.read])) {
      // SQLite never waits for anything: without a pause no signal, and nobody else's work, would get through.
      await setImmediate();
      isComplete = signal?.aborted !== true;
      if (!isComplete) break;
      const result = await refresh({ ...(await this.#refreshParts()), indexedHash: plan.indexedHash }, batch);
      this.#remember(result.read, [], notRemembered);
      put += result.put;
      removed += result.removed;
      problems.push(...result.problems);
      done += batch.length;
      onProgress?.({ done, total });
    }
    if (isComplete) {
      this.#remember([], plan.forget, notRemembered);
      await this.#note(this.#own.dirty, problems[0]);
      if (journalEnd !== undefined) await this.#note(this.#own.indexedTo, await this.#hashOf(journalEnd));
      if (total > 0) await index.optimize();
    }
    const trouble = [...problems, ...notRemembered];
    return { put, removed, unchanged: plan.unchanged, problems: trouble, isComplete, rebuiltBecause: undefined };
  }

  async #plan(
    notRemembered: Set<string>,
  ): Promise<SyncPlan & { readonly indexedHash: (key: DocumentKey) => string | undefined }> {
    const { files, stamps, context, ignored: check } = this.#parts;
    const known = stamps.all();
    const rules = this.#rules();
    const found = files.list((key) => isSearched(key, context.layout));
    const ignored = await findIgnored({ found, stamps: known, rules, check });
    this.#remember(ignored.learned, [], notRemembered);
    const prefix = await this.#hashOf('');
    const indexed = await this.#listIndexed();
    const plan = planSync({
      found,
      ignored: ignored.keys,
      stamps: known,
      indexed,
      isMadeFrom: (hash, oid) =>
        hash.length === prefix.length + oid.length && hash.endsWith(oid) && hash.startsWith(prefix),
      isOfThisVersion: (hash) => hash.startsWith(prefix),
    });
    return {
      ...plan,
      forget: plan.forget.filter((key) => rules === undefined || key !== keyOf(rules)),
      indexedHash: (key) => indexed.get(keyOf(key))?.hash,
    };
  }

  #rules(): ReturnType<HomeFiles['find']> {
    return this.#parts.files.find({ source: 'workspace', path: '.gitignore' });
  }

  async #listIndexed(): Promise<Map<string, DocumentState>> {
    const documents = await this.#parts.index.listDocuments();
    return new Map(documents.map((document) => [keyOf(document), document]));
  }

  async #refreshParts(): Promise<RefreshParts> {
    const { index, files, context } = this.#parts;
    const generation = await this.#readGeneration();
    return { index, files, context, hashOf: (oid) => this.#documentHash(oid, generation) };
  }

  async #hashOf(oid: string): Promise<string> {
    return this.#documentHash(oid, await this.#readGeneration());
  }

  /** Says whether a document was made from this content, in this manner, since the last rebuild. */
  #documentHash(oid: string, generation: string): string {
    return `${this.#fingerprint}.${generation}-${oid}`;
  }

  /** Read each time: another process may have begun a rebuild. */
  async #readGeneration(): Promise<string> {
    return (await this.#parts.index.readNote(NOTES.generation)) ?? '0';
  }

  /** Not remembering a stamp costs the next sync time and nothing else. */
  #remember(seen: Parameters<StampTable['update']>[0], gone: readonly string[], failures: Set<string>): void {
    try {
      this.#parts.stamps.update(seen, gone, this.#parts.clock.now());
    } catch (error) {
      failures.add(`What was read could not be remembered, the next sync takes longer: ${errorMessage(error)}`);
    }
  }

  /** Writes only what is new: a sync that finds nothing to do should not write. */
  async #note(name: string, value: string | undefined): Promise<void> {
    const { index } = this.#parts;
    if ((await index.readNote(name)) !== value) await index.writeNote(name, value);
  }

  async #advance(span: JournalSpan): Promise<void> {
    const { index } = this.#parts;
    // A process without an index wrote before: only a full sync closes the gap.
    if ((await index.readNote(this.#own.indexedTo)) !== (await this.#hashOf(span.from))) return;
    await index.writeNote(this.#own.indexedTo, await this.#hashOf(span.to));
  }

  async #marking(body: () => Promise<void>): Promise<void> {
    try {
      await body();
    } catch (error) {
      const reason = errorMessage(error);
      try {
        await this.#parts.index.writeNote(this.#own.dirty, reason);
      } catch (noteError) {
        // The next sync finds the gap without the note as well, because it compares contents.
        throw new MnemeError('failure', `${reason} The index could not be marked: ${errorMessage(noteError)}`, {
          hint: 'Run `mneme index sync`.',
          cause: error,
        });
      }
      throw error;
    }
  }

  async #repairing(body: () => Promise<SyncReport>, options: SyncOptions): Promise<SyncReport> {
    try {
      return await body();
    } catch (error) {
      if (!isMnemeError(error, 'integrity')) throw error;
      return this.startOver(errorMessage(error), options);
    }
  }

  /** Throws away what there is and makes it anew: for damage that a question came across. */
  async startOver(reason: string, options: SyncOptions = {}): Promise<SyncReport> {
    const { index, clock } = this.#parts;
    await index.clear();
    await index.writeNote(NOTES.rebuilt, `${new Date(clock.now()).toISOString()} ${reason}`);
    return { ...(await this.#syncAll(options)), rebuiltBecause: reason };
  }
}

function parseStamps(note: string | undefined): Map<string, string> {
  const stamps: unknown = note === undefined ? {} : JSON.parse(note);
  return new Map(Object.entries(stamps as Record<string, string>));
}
