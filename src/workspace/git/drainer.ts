import path from 'node:path';
import { errorMessage, isMnemeError, type MnemeError } from '../../model/errors.ts';
import { ulidTimeMs } from '../../model/ids.ts';
import { StateDatabase } from '../../platform/sqlite.ts';
import type { DoorContext } from '../door/context.ts';
import { comparePositions, Journal, type JournalPosition } from '../journal/journal.ts';
import { REPOSITORIES, type JournalRecord, type RepositoryName } from '../journal/record.ts';
import { holdLock } from '../lock.ts';
import {
  drainRecords,
  findUnfinishedOperation,
  lastDrainedMutation,
  readMutations,
  readRepositoryState,
} from './drain.ts';
import type { Git } from './git.ts';
import { removeStaleLocks } from './publish.ts';

/** One import handles this many mutations at most, so that memory and the time between publications stay bounded. */
const MAX_RECORDS_PER_IMPORT = 1000;

/** Stands while references are being moved; found by the next drain, it says that the last one was killed. */
const RUNNING_MARK = 'mneme-draining';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS drained (
    repository TEXT PRIMARY KEY, boot TEXT NOT NULL, segment INTEGER NOT NULL, offset INTEGER NOT NULL, tip TEXT
  );
`;

export interface DrainReport {
  readonly commits: ReadonlyMap<string, string>;
  /** Why mutations still wait, for `status`; empty when git is in step. */
  readonly postponed: readonly string[];
}

export interface DrainerOptions {
  readonly context: DoorContext;
  readonly repositories: Readonly<Record<RepositoryName, Git>>;
  readonly cadence: 'mutation' | 'batch';
  /** The journal's acknowledged end. */
  readonly readEnd: () => JournalPosition | undefined;
  /** Creates a repository when its first mutation arrives. */
  readonly prepareRepository: (name: RepositoryName) => Promise<void>;
}

/** Follows the journal with git: one commit per mutation, in batches, by whichever process holds the drain lock. */
export class Drainer {
  readonly #options: DrainerOptions;
  readonly #journal: Journal;
  readonly #state: StateDatabase;

  constructor(options: DrainerOptions) {
    this.#options = options;
    const { paths, fs, segmentBytes } = options.context;
    // A separate reader, because that of the write path may be in the middle of a sync.
    this.#journal = new Journal(paths.writeAhead, fs, segmentBytes);
    this.#state = StateDatabase.openForReadingAtLeast(paths.gitDatabase, SCHEMA);
  }

  /** Why git cannot follow; undefined when the disk lets it. */
  get obstacle(): MnemeError | undefined {
    return this.#state.obstacle;
  }

  /** Whether git holds everything acknowledged so far. */
  isInStep(): boolean {
    const end = this.#options.readEnd();
    return end === undefined || this.#isInStep(end);
  }

  /** When the first of the mutations was acknowledged that git does not hold yet. */
  oldestWaitingMs(): number | undefined {
    const end = this.#options.readEnd();
    if (end === undefined || this.#isInStep(end)) return undefined;
    const positions = REPOSITORIES.map((repository) => this.#findCached(repository)?.position ?? this.#journal.start());
    const from = positions.reduce((least, one) => (comparePositions(one, least) < 0 ? one : least));
    for (const { record } of this.#journal.read(from, end)) return ulidTimeMs(record.id);
    return undefined;
  }

  /** Commits everything acknowledged so far. */
  async drain(): Promise<DrainReport> {
    const end = this.#options.readEnd();
    if (end === undefined || this.#isInStep(end)) return { commits: new Map(), postponed: [] };
    // Read again: whoever had the lock before us may have seen more than we had.
    return this.#underLock(() => this.#drainAll(this.#options.readEnd() ?? end));
  }

  /** Syncs files and git, then drops the part of the journal that both hold. */
  async checkpoint(): Promise<void> {
    await this.#underLock(() => this.#checkpoint());
  }

  /** Runs something that must not overlap with a drain. */
  async exclusively<T>(body: () => Promise<T>): Promise<T> {
    return this.#underLock(body);
  }

  /** Drops every segment before a position; the caller has drained up to it. */
  async dropBefore(position: JournalPosition): Promise<number> {
    return this.#underLock(async () => {
      const segments = this.#journal.segmentsBefore(position);
      await this.#syncEverything();
      this.#journal.remove(segments);
      return segments.length;
    });
  }

  close(): void {
    this.#journal.close();
    this.#state.close();
  }

  async #underLock<T>(body: () => Promise<T>): Promise<T> {
    return holdLock(this.#state.writable, 'git', this.#options.context, body);
  }

  /** A look without the lock: most opens find nothing to do. */
  #isInStep(end: JournalPosition): boolean {
    return REPOSITORIES.every((repository) => {
      const cached = this.#findCached(repository);
      return cached !== undefined && comparePositions(cached.position, end) >= 0;
    });
  }

  async #drainAll(end: JournalPosition): Promise<DrainReport> {
    this.#options.context.onStep?.('drain-started');
    const commits = new Map<string, string>();
    const postponed: string[] = [];
    for (const repository of REPOSITORIES) {
      try {
        const reason = await this.#drainRepository(repository, end, commits);
        if (reason !== undefined) postponed.push(`${repository}: ${reason}`);
      } catch (error) {
        postponed.push(`${repository}: ${errorMessage(error)}`);
      }
    }
    if (this.#journal.totalBytes() > this.#options.context.segmentBytes) await this.#checkpoint();
    this.#options.context.onStep?.('drain-finished');
    return { commits, postponed };
  }

  async #drainRepository(
    repository: RepositoryName,
    end: JournalPosition,
    commits: Map<string, string>,
  ): Promise<string | undefined> {
    const git = this.#options.repositories[repository];
    if (!this.#hasRecords(repository, end)) {
      const cached = this.#findCached(repository);
      // Another process may have drained past our end while we waited; going back would commit its records again.
      const isBehind = cached === undefined || comparePositions(cached.position, end) < 0;
      if (isBehind) this.#savePosition(repository, end, cached?.tip);
      return undefined;
    }
    await this.#options.prepareRepository(repository);
    const { fs } = this.#options.context;
    const runningMark = path.join(git.location.gitDir, RUNNING_MARK);
    let state = await readRepositoryState(git);
    // First of all: a person in the middle of a merge needs the lock that a killed drain left.
    await removeStaleLocks(git, state.branch ?? 'refs/heads/main', fs.stamp(runningMark) !== undefined);
    const obstacle = findUnfinishedOperation(git, state);
    if (obstacle !== undefined) return obstacle;
    fs.write(runningMark, Buffer.from(`${process.pid}\n`));
    let position = await this.#positionOf(repository, git, state.drained);
    while (comparePositions(position, end) < 0) {
      const { records, next } = this.#readBatch(repository, position, end);
      if (records.length > 0) {
        const { cadence, context } = this.#options;
        const made = await drainRecords(
          {
            git,
            repository,
            records,
            cadence,
            context,
            findRecorded: (oid) => this.#journal.findContent(oid),
            readLater: () => this.#readLater(repository, next),
          },
          state,
        );
        if (made === undefined) {
          const { drained } = state;
          state = await readRepositoryState(git);
          const obstacle = findUnfinishedOperation(git, state);
          if (obstacle !== undefined || state.drained === drained) return obstacle ?? 'the branch keeps moving';
          position = await this.#positionOf(repository, git, state.drained);
          continue;
        }
        for (const [mutation, commit] of made) {
          commits.set(mutation, commit);
          // The last one is where the branch now is; if a person moves it on, the next batch notices.
          state = { ...state, tip: commit, drained: commit };
        }
      }
      position = next;
      this.#savePosition(repository, position, state.drained);
    }
    fs.remove(runningMark);
    return undefined;
  }

  async #checkpoint(): Promise<void> {
    const { context } = this.#options;
    const positions = REPOSITORIES.map((repository) => this.#findCached(repository)?.position);
    const [first, ...others] = positions.filter((position) => position !== undefined);
    if (first === undefined || others.length + 1 < REPOSITORIES.length) return;
    const safe = others.reduce((least, one) => (comparePositions(one, least) < 0 ? one : least), first);
    // Recent contents are what a save from a stale buffer is mended with.
    const segments = this.#journal.segmentsBefore(safe, context.clock.now() - context.staleSaveWindowMs);
    if (segments.length === 0) return;
    await this.#syncEverything();
    context.onStep?.('checkpoint-synced');
    this.#journal.remove(segments);
    context.onStep?.('segments-removed');
  }

  async #syncEverything(): Promise<void> {
    const { context, repositories } = this.#options;
    const locations = REPOSITORIES.map((repository) => repositories[repository].location);
    const trees = new Set(locations.flatMap(({ workTree, gitDir }) => [workTree, gitDir]));
    await context.fs.syncTrees([...trees].filter((tree) => context.fs.exists(tree)));
  }

  #readBatch(
    repository: RepositoryName,
    from: JournalPosition,
    end: JournalPosition,
  ): { records: JournalRecord[]; next: JournalPosition } {
    const records: JournalRecord[] = [];
    let next = end;
    for (const entry of this.#journal.read(from, end)) {
      if (entry.record.repository === repository) records.push(entry.record);
      next = entry.end;
      if (records.length >= MAX_RECORDS_PER_IMPORT) return { records, next };
    }
    return { records, next: end };
  }

  *#readLater(repository: RepositoryName, from: JournalPosition): Generator<JournalRecord> {
    for (const { record } of this.#journal.read(from)) if (record.repository === repository) yield record;
  }

  #hasRecords(repository: RepositoryName, end: JournalPosition): boolean {
    const from = this.#findCached(repository)?.position ?? this.#journal.start();
    for (const { record } of this.#journal.read(from, end)) if (record.repository === repository) return true;
    return false;
  }

  /**
   * Where the repository stands in the journal. The cached position counts only while git's own mark agrees; after
   * anything else (state deleted, git restored from a backup, a crash) the mark's mutation is looked up.
   */
  async #positionOf(repository: RepositoryName, git: Git, drained: string | undefined): Promise<JournalPosition> {
    const cached = this.#findCached(repository);
    if (cached !== undefined && cached.tip === drained) return cached.position;
    if (drained === undefined) return this.#journal.start();
    const mutation = await lastDrainedMutation(git, drained);
    const position = mutation === undefined ? undefined : this.#findEnd(new Set([mutation]));
    // Its segment was dropped, and all that is left comes later; or the journal is an older copy of itself.
    return position ?? this.#findEnd(await readMutations(git, drained)) ?? this.#journal.start();
  }

  /** The place behind the last record of any of these mutations. */
  #findEnd(mutations: ReadonlySet<string>): JournalPosition | undefined {
    let end: JournalPosition | undefined;
    for (const entry of this.#journal.read(this.#journal.start())) if (mutations.has(entry.record.id)) end = entry.end;
    return end;
  }

  /** A position saved in an earlier boot may be ahead of what git kept through a power cut, and does not count. */
  #findCached(repository: RepositoryName): { position: JournalPosition; tip: string | undefined } | undefined {
    const row = this.#state.connection
      .prepare('SELECT segment, offset, tip FROM drained WHERE repository = ? AND boot = ?')
      .get(repository, this.#options.context.bootId);
    if (row === undefined) return undefined;
    const position = { segment: Number(row['segment']), offset: Number(row['offset']) };
    if (!this.#journal.reaches(position)) return undefined;
    const tip = row['tip'];
    return { position, tip: typeof tip === 'string' ? tip : undefined };
  }

  #savePosition(repository: RepositoryName, position: JournalPosition, tip: string | undefined): void {
    this.#state.connection
      .prepare('INSERT OR REPLACE INTO drained (repository, boot, segment, offset, tip) VALUES (?, ?, ?, ?, ?)')
      .run(repository, this.#options.context.bootId, position.segment, position.offset, tip ?? null);
  }
}

/** With many processes at work another may hold git for long; the journal has everything, and whoever comes next drains it. */
export async function postponeWhenLocked(drain: () => Promise<DrainReport>): Promise<DrainReport> {
  try {
    return await drain();
  } catch (error) {
    if (!isMnemeError(error, 'locked')) throw error;
    return { commits: new Map(), postponed: [error.message] };
  }
}
