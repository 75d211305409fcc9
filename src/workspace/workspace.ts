import fs from 'node:fs';
import path from 'node:path';
import { errorMessage, MnemeError } from '../model/errors.ts';
import { UlidFactory } from '../model/ids.ts';
import { bootId } from '../platform/machine.ts';
import { systemClock, type Clock } from '../platform/clock.ts';
import { nodeFileSystem, type FileSystem } from '../platform/fs.ts';
import { systemRandom, type Random } from '../platform/random.ts';
import { Door } from './commit.ts';
import type { CommittedFile, ExternalOrigin } from './door/batch.ts';
import type { DoorContext, Step } from './door/context.ts';
import { type CommitRequest, type CommitResult, permitFor } from './door/request.ts';
import { STALE_SAVE_WINDOW_MS } from './door/stale-save.ts';
import { ExternalWatcher, findChangedFiles } from './external-edits.ts';
import {
  announceCheckout,
  assertPlaceable,
  completeCheckout,
  findCheckout,
  forgetCheckout,
  type CheckoutStep,
} from './git/checkout.ts';
import { DrainSchedule } from './git/drain.ts';
import { Drainer, postponeWhenLocked, type DrainReport } from './git/drainer.ts';
import { applyModes } from './git/file-modes.ts';
import { Git } from './git/git.ts';
import { findBlobs } from './git/objects.ts';
import { countPacks, maintainRepository } from './git/maintenance.ts';
import { findBlob, readCommitted, readRecordedFiles, wasRestoredByGit } from './git/recorded.ts';
import { initRepository, isComplete } from './git/repository.ts';
import type { HomePaths, WorkspaceSettings } from './home-paths.ts';
import { assertOwnFolders } from './own-folders.ts';
import { comparePositions, positionText, SEGMENT_BYTES, type JournalPosition } from './journal/journal.ts';
import type { RepositoryName } from './journal/record.ts';
import { LateWriters } from './late-writers.ts';
import { Registries } from './registries.ts';
import { createRedactor, type Redactor } from './safety/redact.ts';
import { isFile } from '../platform/walk-tree.ts';

/** git looks through every pack for an object; from about here on that shows. */
const MAX_PACKS = 60;

/** Replaceable parts; tests and crash runs bring their own. */
export interface WorkspaceParts {
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly fs?: FileSystem | undefined;
  readonly bootId?: string | undefined;
  readonly segmentBytes?: number | undefined;
  readonly staleSaveWindowMs?: number | undefined;
  readonly onStep?: ((step: Step) => void) | undefined;
}

/** The canonical side of a home: the write path, git behind it, and the edits that come from elsewhere. */
export class Workspace {
  readonly paths: HomePaths;
  readonly registries = new Registries();
  readonly git: Readonly<Record<RepositoryName, Git>>;
  readonly #settings: WorkspaceSettings;
  readonly #context: DoorContext;
  readonly #door: Door;
  readonly #drainer: Drainer;
  readonly #schedule: DrainSchedule;
  readonly #lateWriters: LateWriters;
  #watcher: ExternalWatcher | undefined;

  private constructor(paths: HomePaths, settings: WorkspaceSettings, parts: WorkspaceParts) {
    assertOwnFolders(paths);
    this.paths = paths;
    this.#settings = settings;
    this.git = {
      workspace: new Git(paths.repositories.workspace, settings.identity),
      raw: new Git(paths.repositories.raw, settings.identity),
      chain: new Git(paths.repositories.chain, settings.identity),
    };
    this.#context = this.#createContext(parts);
    this.#door = new Door({ context: this.#context, readRecordedFiles: () => readRecordedFiles(this.git.workspace) });
    this.#drainer = new Drainer({
      context: this.#context,
      repositories: this.git,
      cadence: settings.cadence,
      readEnd: () => this.#drainEnd(),
      prepareRepository: (name) => this.#prepareRepository(name),
    });
    this.#lateWriters = new LateWriters(this.#context, this.#door);
    this.#schedule = new DrainSchedule(
      () => this.drain(),
      settings.cadence === 'batch' ? settings.batchIntervalMs : undefined,
    );
    this.registries.listeners.push(() => this.#schedule.request());
  }

  /** The folder of the files. */
  get root(): string {
    return this.git.workspace.location.workTree;
  }

  /** Up to where everything is acknowledged: what is derived notes it to know whether it is in step. */
  get journalEnd(): string {
    const head = this.#door.known().head();
    return head === undefined ? '' : positionText(head.end);
  }

  /** Why nothing can be written although it should be possible: a full disk, a read-only file system. */
  get obstacle(): MnemeError | undefined {
    return this.#door.known().obstacle ?? this.#drainer.obstacle;
  }

  get #isReading(): boolean {
    return this.#settings.mode === 'read' || this.obstacle !== undefined;
  }

  get redactor(): Redactor {
    return this.#context.redactor;
  }

  /** Opens the workspace, completing whatever a crash interrupted. */
  static async open(paths: HomePaths, settings: WorkspaceSettings, parts: WorkspaceParts = {}): Promise<Workspace> {
    const workspace = Workspace.create(paths, settings, parts);
    await workspace.start();
    return workspace;
  }

  /** Makes a workspace without touching anything, so that listeners can be registered before `start`. */
  static create(paths: HomePaths, settings: WorkspaceSettings, parts: WorkspaceParts = {}): Workspace {
    return new Workspace(paths, settings, parts);
  }

  /** Completes whatever a crash interrupted. */
  async start(): Promise<void> {
    if (this.#isReading) return;
    await this.#door.recover();
    // The rest, late writers and git, is safe where it is and need not delay the opening.
    this.#schedule.request();
  }

  /** Resolves when the change is acknowledged: durable, in the files, and in the index. */
  async commit(request: CommitRequest): Promise<CommitResult> {
    this.#refuseWhenReading();
    return this.#door.commit(request, permitFor(request));
  }

  /**
   * Brings files, index and HEAD to another branch or to what a pull made. False when somebody wrote meanwhile, so
   * that the caller plans again.
   */
  async checkOut(step: CheckoutStep): Promise<boolean> {
    this.#refuseWhenReading();
    const { clock, ulids } = this.#context;
    const { branch, pull, summary, trigger } = step;
    const mutation = step.mutation ?? ulids.next(clock.now());
    const adopted: string[] = [];
    const isAdopted = await this.#door.adopt({
      mutation,
      timeMs: clock.now(),
      summary,
      trigger,
      plan: async (known) => {
        const files = await step.plan(known);
        await assertPlaceable(this.git.workspace, files);
        adopted.push(...files.map((file) => file.path));
        return files;
      },
      announce: (after) => announceCheckout(this.git.workspace, { mutation, after, branch, pull }),
    });
    const { postponed } = await this.drain();
    if (isAdopted && postponed.length === 0) await applyModes(this.git.workspace, adopted);
    if (!isAdopted || postponed.length === 0) return isAdopted;
    throw new MnemeError('locked', `The files are in place, but git cannot follow yet: ${postponed.join('; ')}.`, {
      hint: 'It follows by itself with the next command; nothing is lost.',
    });
  }

  /** Records every edit made outside the write path. Returns a message for each new edit that could not be recorded. */
  async scan(origin?: ExternalOrigin): Promise<readonly string[]> {
    if (this.#isReading) return [];
    const changed = await findChangedFiles(this.#context, this.#door, this.git.workspace);
    return changed.length === 0 ? [] : this.#absorb(changed, origin);
  }

  /** The id of what the write path last wrote or noticed in a file; undefined for one it knows nothing of. */
  knownBlob(file: string): string | undefined {
    return this.#door.known().find(file)?.oid;
  }

  /** Describes content in the files that may not enter history. */
  keptOut(): string[] {
    const kept = [...this.#door.known().keptOut()];
    return kept.filter(([file]) => isFile(path.join(this.root, file))).map(([, { message }]) => message);
  }

  /** Notices edits as they happen, for long-running processes. */
  watch(onProblem: (message: unknown) => void): void {
    const isIgnored = (relative: string): boolean => relative.startsWith('.git/') || relative === '.git';
    const absorb = (paths: readonly string[]): void => {
      this.#absorbFiles(paths).catch(onProblem);
    };
    this.#watcher ??= new ExternalWatcher(this.root, absorb, onProblem, isIgnored);
  }

  /** Brings git in step with everything acknowledged so far. */
  async drain(): Promise<DrainReport> {
    if (this.#isReading) return { commits: new Map(), postponed: [] };
    const { heldFiles, problems } = await this.#lateWriters.sweep();
    const report = await this.#followJournal();
    // No other code would look at them again in a process that has nothing more to write.
    if (heldFiles > 0) this.#schedule.request();
    const trouble = [...problems, ...(await this.#maintain())];
    return trouble.length === 0 ? report : { ...report, postponed: [...report.postponed, ...trouble] };
  }

  /** The same, but with batch cadence only once the oldest change has waited for the interval. */
  async drainIfDue(): Promise<DrainReport> {
    if (this.#isReading) return { commits: new Map(), postponed: [] };
    const { cadence, batchIntervalMs } = this.#settings;
    const oldestMs = cadence === 'batch' ? this.#drainer.oldestWaitingMs() : 0;
    if (oldestMs !== undefined && this.#context.clock.now() - oldestMs >= batchIntervalMs) return this.drain();
    const { problems } = await this.#lateWriters.sweep();
    return { commits: new Map(), postponed: problems };
  }

  async checkpoint(): Promise<void> {
    await this.#drainer.checkpoint();
  }

  /** Runs something that rewrites history; acknowledgements go on and wait in the journal. */
  async withoutDraining<T>(body: () => Promise<T>): Promise<T> {
    return this.#drainer.exclusively(body);
  }

  /** Forgets the journal once files and git hold everything in it. Returns how many segments went. */
  async dropJournal(): Promise<number> {
    const end = await this.#door.rotateJournal();
    const { postponed } = await this.drain();
    if (postponed.length > 0) throw new MnemeError('conflict', `Git cannot follow: ${postponed.join('; ')}.`);
    return this.#drainer.dropBefore(end);
  }

  /** Deletes everything that can be rebuilt; it is, at the next use. */
  dropState(): void {
    // Another process may add a file between the emptying of the folder and its removal; then it is emptied again.
    fs.rmSync(this.paths.state, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }

  async close(): Promise<DrainReport> {
    this.#watcher?.close();
    await this.#schedule.stop();
    try {
      return await postponeWhenLocked(() => this.drainIfDue());
    } finally {
      await this.#door.close();
      this.#drainer.close();
    }
  }

  /** Each drain adds a pack; before they slow git down they are merged. Returns what went wrong, in words. */
  async #maintain(): Promise<string[]> {
    const git = this.git.workspace;
    if (countPacks(git) <= MAX_PACKS) return [];
    try {
      await maintainRepository(git, { level: 'quick' });
      return [];
    } catch (error) {
      return [`maintenance: ${errorMessage(error)}`];
    }
  }

  #refuseWhenReading(): void {
    if (this.obstacle !== undefined) throw this.obstacle;
    if (!this.#isReading) return;
    throw new MnemeError('refused', `${this.paths.home} is open for reading only.`, {
      hint: 'It was written by a newer Mneme; update this one to write to it.',
    });
  }

  /** The journal position up to which git may follow: only up to where HEAD is about to move. */
  #drainEnd(): JournalPosition | undefined {
    const end = this.#door.known().head()?.end;
    const limit = findCheckout(this.git.workspace)?.after;
    return end === undefined || limit === undefined || comparePositions(end, limit) < 0 ? end : limit;
  }

  async #followJournal(): Promise<DrainReport> {
    const report = await this.#drainer.drain();
    if (report.postponed.length > 0 || findCheckout(this.git.workspace) === undefined) return report;
    const obstacle = await this.#completeCheckout();
    if (obstacle !== undefined) return { ...report, postponed: [obstacle] };
    const rest = await this.#drainer.drain();
    return { commits: new Map([...report.commits, ...rest.commits]), postponed: rest.postponed };
  }

  /** Moves HEAD where the files are already. Returns why it cannot yet, in words. */
  async #completeCheckout(): Promise<string | undefined> {
    const git = this.git.workspace;
    try {
      await this.#door.exclusively(() => {
        const checkout = findCheckout(git);
        const isJournaled = checkout === undefined || this.#door.isJournaled(checkout.mutation, checkout.after);
        // A crash came between the mark and the journal: the files never changed.
        if (!isJournaled) forgetCheckout(git);
        return Promise.resolve();
      });
      await this.#drainer.exclusively(() => completeCheckout(git, this.#context.onStep));
      return undefined;
    } catch (error) {
      return `workspace: ${errorMessage(error)}`;
    }
  }

  async #absorbFiles(paths: readonly string[]): Promise<void> {
    const known = this.#door.known();
    const files = paths.filter(
      (relative) => known.find(relative) !== undefined || isFile(path.join(this.root, relative)),
    );
    const ignored = await this.#findIgnored(files.filter((relative) => known.find(relative) === undefined));
    await this.#absorb(files.filter((relative) => !ignored.has(relative)));
  }

  async #absorb(paths: readonly string[], origin?: ExternalOrigin): Promise<readonly string[]> {
    const warnings = await this.#door.absorb(paths, origin, await this.#readBranch(paths));
    this.#schedule.request();
    return warnings;
  }

  /** Reads what the user may have committed directly; reliable only while git is in step with the journal. */
  async #readBranch(paths: readonly string[]): Promise<Map<string, CommittedFile>> {
    // Draining first would let go of the journal that a stale save is mended from.
    if (!this.#drainer.isInStep()) return new Map();
    const known = this.#door.known();
    const before = paths.map((relative) => known.find(relative)?.oid ?? null);
    const blobs = await findBlobs(this.git.workspace, 'HEAD', paths);
    return new Map(
      paths.map((relative, index) => [relative, { blob: blobs.get(relative) ?? null, known: before[index] ?? null }]),
    );
  }

  async #findIgnored(paths: readonly string[]): Promise<Set<string>> {
    if (paths.length === 0) return new Set();
    const result = await this.git.workspace.attempt(['check-ignore', '-z', '--stdin'], { input: paths.join('\0') });
    return new Set(result.stdout.toString('utf8').split('\0'));
  }

  #createContext(parts: WorkspaceParts): DoorContext {
    const random = parts.random ?? systemRandom;
    const clock = parts.clock ?? systemClock;
    const files = parts.fs ?? nodeFileSystem;
    const ulids = new UlidFactory((length) => random.bytes(length));
    const temporaryFolder = this.paths.temporary;
    for (const folder of [temporaryFolder, this.root]) files.makeDirectory(folder);
    const isOneDevice = fs.statSync(temporaryFolder).dev === fs.statSync(this.root).dev;
    return {
      paths: this.paths,
      fs: files,
      clock,
      random,
      ulids,
      bootId: parts.bootId ?? bootId(),
      registries: this.registries,
      redactor: createRedactor({ ...this.#settings.redaction, allow: [...this.#settings.redaction.allow] }),
      maxFileBytes: this.#settings.maxFileBytes,
      maxAttachmentBytes: this.#settings.maxAttachmentBytes ?? this.#settings.maxFileBytes,
      maxChanges: this.#settings.maxChanges ?? Infinity,
      maxPathChars: this.#settings.maxPathChars ?? Infinity,
      segmentBytes: parts.segmentBytes ?? SEGMENT_BYTES,
      staleSaveWindowMs: parts.staleSaveWindowMs ?? STALE_SAVE_WINDOW_MS,
      temporaryFor: (target) => {
        const name = ulids.next(clock.now());
        // A rename must not cross file systems; beside the target the name is covered by the exclude file.
        return isOneDevice ? path.join(temporaryFolder, name) : path.join(path.dirname(target), `.mneme-${name}`);
      },
      readBlob: (oid) => findBlob(this.git.workspace, oid),
      wasRestoredByGit: (restoration) => wasRestoredByGit(this.git.workspace, restoration),
      readCommitted: (file, sinceMs) => readCommitted(this.git.workspace, file, sinceMs),
      onStep: parts.onStep,
    };
  }

  async #prepareRepository(kind: RepositoryName): Promise<void> {
    const location = this.paths.repositories[kind];
    if (fs.existsSync(path.join(location.gitDir, 'HEAD')) && (kind === 'workspace' || isComplete(location))) return;
    await initRepository({ ...location, kind, branch: this.#settings.branch, identity: this.#settings.identity });
  }
}
