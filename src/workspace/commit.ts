import path from 'node:path';
import { errorMessage, must } from '../model/errors.ts';
import { stageAdoption, type Adoption } from './door/adopt.ts';
import { Batch, sameBytes, type CommittedFile, type ExternalOrigin, type StagedFile } from './door/batch.ts';
import { FileWriter, type Overtaken } from './door/apply.ts';
import { applyAppendOnly, prepareAppendOnly } from './door/append-only.ts';
import type { DoorContext } from './door/context.ts';
import { mergeOvertaken } from './door/overtaken.ts';
import { prepareRequest } from './door/prepare.ts';
import { JournalVersions } from './door/recent-versions.ts';
import { rollForward } from './door/recover.ts';
import { type CommitRequest, type CommitResult, type WritePermit, underPermit } from './door/request.ts';
import { Journal, positionText, type JournalPosition } from './journal/journal.ts';
import { KnownFiles, blobId, stampText } from './known-files.ts';
import { holdLock } from './lock.ts';
import type { Acknowledged, Indexable } from './registries.ts';

/** Requests that share one sync. More would delay the first of them without making the sync cheaper. */
const MAX_BATCH = 64;

type Prepared = Omit<CommitResult, 'indexError'>;

interface Ready {
  readonly waiting: Waiting;
  readonly prepared: Prepared;
}

interface Waiting {
  readonly request: CommitRequest;
  readonly permit: WritePermit | undefined;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

export interface DoorOptions {
  readonly context: DoorContext;
  /** The files' content where no record is cached: read from git. Called under the lock, rarely. */
  readonly readRecordedFiles: () => Promise<Map<string, string>>;
}

/**
 * The one door. A request is validated, merged with whatever is on disk, journaled, synced, renamed into place and
 * indexed; then it is acknowledged, and survives anything. Git follows behind (git/drain.ts).
 */
export class Door {
  readonly #context: DoorContext;
  readonly #readRecordedFiles: DoorOptions['readRecordedFiles'];
  readonly #journal: Journal;
  readonly #known: KnownFiles;
  #waiting: Waiting[] = [];
  #pump: Promise<void> | undefined;

  constructor({ context, readRecordedFiles }: DoorOptions) {
    this.#context = context;
    this.#readRecordedFiles = readRecordedFiles;
    this.#makeFolders();
    this.#journal = new Journal(context.paths.writeAhead, context.fs, context.segmentBytes);
    this.#known = new KnownFiles(context.paths.lockDatabase);
  }

  /** Resolves when the change is acknowledged. Requests of one caller keep their order. */
  commit(request: CommitRequest, permit?: WritePermit): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, permit, resolve, reject });
      // Works for everybody who waits: whoever came first must not lend the others their permit.
      this.#pump ??= underPermit(undefined, () => this.#drainQueue());
    });
  }

  /** Completes what a crash left behind. */
  async recover(): Promise<void> {
    await this.#underLock(() => {
      const { fs, paths } = this.#context;
      // Only the holder of the lock has temporary files, and we have none yet.
      for (const name of fs.list(paths.temporary)) fs.remove(path.join(paths.temporary, name));
      return Promise.resolve();
    });
  }

  /** Records edits of these files made outside the write path. Returns what could not be recorded. */
  async absorb(
    paths: readonly string[],
    origin?: ExternalOrigin,
    committed?: ReadonlyMap<string, CommittedFile>,
  ): Promise<readonly string[]> {
    const { warnings, acknowledged } = await this.#underLock(async (end) => {
      const batch = this.#newBatch();
      await batch.absorb(paths, origin, committed);
      return { warnings: this.#tellOnce(batch, paths), ...(await this.#makeDurable(batch, end)) };
    });
    await this.#notify(acknowledged, []);
    return warnings;
  }

  /** Warnings without those about contents that a scan has told of before; nobody reads what is said every time. */
  #tellOnce(batch: Batch, scanned: readonly string[]): string[] {
    const before = this.#known.keptOut();
    const old = new Set<string>();
    for (const file of scanned) {
      const kept = batch.keptOut.get(file);
      if (kept !== undefined && kept.oid === before.get(file)?.oid) old.add(kept.message);
      else if (kept !== undefined || before.has(file)) this.#known.setKeptOut(file, kept);
    }
    return batch.warnings.filter((warning) => !old.has(warning));
  }

  /**
   * Brings files to a state that git has already: another branch's, or what a pull made. Journaled like every change,
   * so that recovery and index follow. False when somebody wrote meanwhile, so that the caller plans again.
   */
  async adopt(adoption: Adoption): Promise<boolean> {
    const { isAdopted, acknowledged } = await this.#underLock(async (end) => {
      const batch = this.#newBatch();
      const isAdopted = await stageAdoption(batch, adoption, await adoption.plan(this.#known));
      if (isAdopted) adoption.announce(end);
      return { isAdopted, ...(await this.#makeDurable(batch, end)) };
    });
    // Listeners are not told of the adoption itself: git's commits say who did it.
    const others = acknowledged.filter(({ record }) => record.id !== adoption.mutation);
    await this.#notify(others, []);
    return isAdopted;
  }

  /** Whether the journal has a mutation from a place on; true or false for good only under the lock. */
  isJournaled(mutation: string, from: JournalPosition): boolean {
    for (const { record } of this.#journal.read(from)) if (record.id === mutation) return true;
    return false;
  }

  /** The files as the write path last saw them. */
  known(): KnownFiles {
    return this.#known;
  }

  /** Runs something that must not overlap with a write, such as git changing the work tree. */
  async exclusively<T>(body: () => Promise<T>): Promise<T> {
    return this.#underLock(() => body());
  }

  /** Moves the journal's end to a new segment, so that everything written so far can be dropped. */
  async rotateJournal(): Promise<JournalPosition> {
    return this.#underLock((end) => {
      const next = end.offset === 0 ? end : this.#journal.beginSegment(end.segment + 1);
      this.#known.setHead({ bootId: this.#context.bootId, end: next });
      return Promise.resolve(next);
    });
  }

  async close(): Promise<void> {
    while (this.#pump !== undefined) await this.#pump;
    this.#journal.close();
    this.#known.close();
  }

  /** state/ may be deleted at any time. */
  #makeFolders(): void {
    const { fs, paths } = this.#context;
    for (const folder of [paths.temporary, paths.replaced]) {
      if (!fs.exists(folder)) fs.makeDirectory(folder);
    }
  }

  async #drainQueue(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      try {
        await this.#runBatch(batch);
      } catch (error) {
        for (const waiting of batch) waiting.reject(error);
      }
    }
    this.#pump = undefined;
  }

  async #runBatch(waiting: readonly Waiting[]): Promise<void> {
    const { done, indexError, acknowledged } = await this.#underLock(async (end) => {
      let ready = await this.#prepareAll(waiting);
      // Asked when nothing is left to do but to write. Who is refused is as if they had never come: what was prepared
      // after theirs may build on it.
      for (let refused = await refuse(ready.done); refused.size > 0; refused = await refuse(ready.done)) {
        ready = await this.#prepareAll(ready.done.flatMap((one) => (refused.has(one.waiting) ? [] : one.waiting)));
      }
      return { done: ready.done, ...(await this.#makeDurable(ready.batch, end)) };
    });
    for (const { waiting: one, prepared } of done) one.resolve({ ...prepared, indexError });
    await this.#notify(acknowledged, done);
  }

  async #prepareAll(waiting: readonly Waiting[]): Promise<{ batch: Batch; done: Ready[] }> {
    const batch = this.#newBatch();
    const sizes = new Map<string, number>();
    const done: Ready[] = [];
    for (const one of waiting) {
      try {
        done.push({ waiting: one, prepared: await this.#prepare(batch, one.request, sizes) });
      } catch (error) {
        one.reject(error);
      }
    }
    return { batch, done };
  }

  #prepare(batch: Batch, request: CommitRequest, sizes: Map<string, number>): Promise<Prepared> {
    const { repository } = request;
    if (repository === 'raw' || repository === 'chain') {
      return prepareAppendOnly(this.#context, batch, { ...request, repository }, sizes);
    }
    return prepareRequest(this.#context, batch, request);
  }

  #newBatch(isRecovery = false): Batch {
    const recent = new JournalVersions(this.#context, this.#journal, isRecovery);
    return new Batch(this.#context, this.#known, recent);
  }

  /** Journal, files, what is known, index: in this order, so that a crash anywhere leaves only work to complete. */
  async #makeDurable(
    batch: Batch,
    start: JournalPosition,
  ): Promise<{ end: JournalPosition; indexError: string | undefined; acknowledged: Acknowledged[] }> {
    const { onStep } = this.#context;
    let end = start;
    let written = 0;
    let staged: readonly StagedFile[] = batch.dirtyFiles();
    while (written < batch.records.length || staged.length > 0) {
      const records = batch.records.slice(written);
      const writer = new FileWriter(this.#context);
      try {
        writer.writeTemporaries(staged);
        if (records.length > 0) end = await this.#journal.append(records, end);
      } catch (error) {
        writer.discard();
        throw error;
      }
      onStep?.('journaled');
      written += records.length;
      for (const record of records) if (record.repository !== 'workspace') applyAppendOnly(this.#context, record);
      const overtaken = await writer.applyAll(must(batch.records.at(-1), 'record').id);
      staged = await this.#mergeOvertaken(batch, overtaken);
    }
    this.#remember(batch);
    const acknowledged = batch.records.map((record) => ({ record, isRecovered: false }));
    this.#record(acknowledged);
    this.#known.setHead({ bootId: this.#context.bootId, end });
    const span = { from: positionText(start), to: positionText(end) };
    const indexError = await this.#index({ acknowledged, span, selfCommitted: batch.selfCommitted });
    onStep?.('indexed');
    return { end, indexError, acknowledged };
  }

  async #mergeOvertaken(batch: Batch, overtaken: readonly Overtaken[]): Promise<StagedFile[]> {
    const staged: StagedFile[] = [];
    for (const one of overtaken) staged.push(await mergeOvertaken(this.#context, batch, one));
    return staged.filter((file) => !sameBytes(file.onDisk, file.current));
  }

  #remember(batch: Batch): void {
    const root = this.#context.paths.repositories.workspace.workTree;
    const { fs } = this.#context;
    for (const file of batch.stagedFiles()) {
      const full = path.join(root, file.path);
      const stamp = fs.stamp(full);
      // Read after the stamp was taken, so that a later edit has another. Without a stamp the next scan looks at the
      // content: right also for an edit that was kept out of history.
      const bytes = stamp === undefined ? undefined : fs.read(full);
      const isAsRecorded = stamp !== undefined && bytes !== undefined && blobId(bytes) === file.recorded;
      this.#known.set(file.path, file.recorded, isAsRecorded ? stampText(stamp) : undefined);
    }
  }

  async #index(written: Indexable): Promise<string | undefined> {
    if (written.acknowledged.length === 0 && written.selfCommitted.length === 0) return undefined;
    try {
      for (const indexer of this.#context.registries.indexers) await indexer(written);
      return undefined;
    } catch (error) {
      return errorMessage(error);
    }
  }

  #record(acknowledged: readonly Acknowledged[]): void {
    if (acknowledged.length > 0) for (const recorder of this.#context.registries.recorders) recorder(acknowledged);
  }

  async #notify(acknowledged: readonly Acknowledged[], done: readonly { prepared: Prepared }[]): Promise<void> {
    const { listeners, conflictHandlers } = this.#context.registries;
    if (acknowledged.length > 0) for (const listener of listeners) await listener(acknowledged);
    for (const { prepared } of done) {
      for (const file of prepared.files) {
        if (file.conflicts.length === 0 || prepared.mutation === undefined) continue;
        const report = { mutation: prepared.mutation, path: file.path, conflicts: file.conflicts };
        for (const handler of conflictHandlers) await handler(report);
      }
    }
  }

  async #underLock<T>(body: (end: JournalPosition) => Promise<T>): Promise<T> {
    this.#makeFolders();
    const result = await holdLock(this.#known.database, 'write', this.#context, async () => {
      this.#context.onStep?.('lock-taken');
      return body(await this.#ensureRecovered());
    });
    this.#context.onStep?.('lock-released');
    return result;
  }

  /** The journal's end, after completing whatever an earlier holder of the lock left unfinished. */
  async #ensureRecovered(): Promise<JournalPosition> {
    const head = this.#known.head();
    const isTrusted = head !== undefined && head.bootId === this.#context.bootId && this.#journal.reaches(head.end);
    if (isTrusted && this.#journal.endsAt(head.end)) return head.end;
    if (head === undefined) {
      for (const [file, oid] of await this.#readRecordedFiles()) this.#known.set(file, oid);
    }
    const from = isTrusted ? head.end : this.#journal.start();
    const recovery = await rollForward(this.#context, this.#journal, this.#known, from);
    let { end } = recovery;
    // Positions that others remember (the drain does) may be of a journal that this one replaced.
    if (!isTrusted && end.offset > 0)
      end = this.#journal.beginSegment(Math.max(end.segment, head?.end.segment ?? 0) + 1);
    const acknowledged = recovery.records.map((record) => ({ record, isRecovered: true }));
    this.#record(acknowledged);
    this.#known.setHead({ bootId: this.#context.bootId, end });
    for (const [edited, isUnlimited] of [
      [recovery.unknown, true],
      [recovery.reverted, false],
    ] as const) {
      if (edited.length === 0) continue;
      const batch = this.#newBatch(isUnlimited);
      for (const relative of edited) await batch.load(relative);
      ({ end } = await this.#makeDurable(batch, end));
    }
    await this.#index({
      acknowledged,
      span: { from: positionText(from), to: positionText(recovery.end) },
      selfCommitted: [],
    });
    for (const listener of this.#context.registries.listeners) await listener(acknowledged);
    return end;
  }
}

/** Those whose leave to write has ended while they were preparing. */
async function refuse(ready: readonly Ready[]): Promise<Set<Waiting>> {
  const refused = new Set<Waiting>();
  for (const { waiting } of ready) {
    try {
      await waiting.permit?.assertHolds();
    } catch (error) {
      waiting.reject(error);
      refused.add(waiting);
    }
  }
  return refused;
}
