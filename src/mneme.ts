import path from 'node:path';
import type { z } from 'zod';
import type { Config } from './model/config/schema.ts';
import { errorMessage, MnemeError } from './model/errors.ts';
import { parseActor } from './model/mutation.ts';
import { systemClock, type Clock } from './platform/clock.ts';
import { deviceName, readEnvironment, readVariable } from './platform/environment.ts';
import { nodeFileSystem } from './platform/fs.ts';
import { systemRandom } from './platform/random.ts';
import { readHome, type Home } from './workspace/home.ts';
import type { Layout } from './workspace/formats/layout.ts';
import { createPolicy } from './workspace/policy.ts';
import { openEmbedders } from './providers/embeddings/create.ts';
import type { EmbeddingDeps } from './providers/embeddings/providers.ts';
import { Workspace, type WorkspaceParts, type WorkspaceSettings } from './workspace/workspace.ts';
import { WriteQueue } from './workspace/write-queue.ts';
import { Proposals } from './proposals/proposals.ts';
import { Alerts } from './audit/alerts.ts';
import { CriticalChecksums } from './audit/checksums.ts';
import { AuditTrail } from './audit/trail.ts';
import { HomeIndex, type HomeIndexParts } from './search-index/home-index.ts';
import { AccessLog } from './memory/access-log.ts';
import { EntityRegistry } from './memory/stores/registry/registry.ts';
import type { Reranker } from './retrieve/rerank.ts';
import { MemorySearch } from './retrieve/search.ts';
import type { Extractor } from './extract/extractors.ts';
import type { OperationContext } from './operations/context.ts';
import { runOperation, type Operation } from './operations/operation.ts';
import type { AppendInput } from './operations/append.ts';
import type { BriefingInput } from './operations/briefing.ts';
import type { EditInput } from './operations/edit.ts';
import type { ReadInput, ReadResult } from './operations/read.ts';
import type { ExtractInput, ExtractResult } from './operations/extract/extract.ts';
import type { ForgetInput, ForgetPlan } from './operations/forget.ts';
import type { ConfirmForgetInput } from './operations/forget/confirm.ts';
import type { Forgotten } from './operations/forget/forgotten.ts';
import type { Remembered, RememberInput } from './operations/remember.ts';
import type { RollbackInput, RollbackResult } from './operations/rollback.ts';
import type { Status } from './operations/status.ts';
import type { ImportInput } from './operations/import.ts';
import type { RecallInput, RecallResult } from './operations/search/recall.ts';
import type { SimilarInput } from './operations/search/similar.ts';
import type { WhyInput, WhyResult } from './operations/why.ts';
import type { Briefing } from './compile/receipt.ts';
import type { SimilarResult } from './retrieve/search.ts';
import type { ImportResult } from './exchange/import/request.ts';
import { closeExtraction } from './operations/extract/opened.ts';
import { closeIdleSessions, closeSessions } from './operations/session/open-sessions.ts';
import { SessionVerbs } from './operations/session/session.ts';
import type { WriteResult } from './operations/write-result.ts';
import type { EraseResult } from './workspace/erase/erase.ts';

export interface OpenOptions {
  /** The home; `MNEME_HOME` or `~/.mneme` when not given. */
  readonly home?: string | undefined;
  /** On whose behalf writes are made; the main agent when not given. */
  readonly actor?: string | undefined;
  /** Look for edits made outside while nobody was watching. On by default. */
  readonly scan?: boolean | undefined;
  /** Go on noticing edits as they happen; for processes that live long. */
  readonly watch?: boolean | undefined;
  /** `read` opens without a lock and completes nothing; `brief` writes but leaves git to whoever comes next. */
  readonly mode?: 'read' | 'brief' | undefined;
  /** The home's settings, when they were read a moment ago: reading them again costs as much as a small question. */
  readonly settings?: Home | undefined;
  /** The process ends after one question: what only pays over many is not loaded. */
  readonly isShortLived?: boolean | undefined;
  /** Looks at the best hits again when `search.rerank` is on. */
  readonly reranker?: Reranker | undefined;
  /** Extractors beside the built-in ones: what they find is kept by the same rules. */
  readonly extractors?: readonly Extractor[] | undefined;
  /** Hears of trouble in the background, such as a watcher that stopped. */
  readonly onProblem?: ((message: string) => void) | undefined;
  /** Replaceable parts, for tests. */
  readonly parts?: WorkspaceParts | undefined;
  /** Replaceable parts of the embedders, for tests and benchmarks. */
  readonly embedding?: Partial<EmbeddingDeps> | undefined;
}

/** An open home. Every verb of the library is a method here. */
export class Mneme {
  /** What operations run on; for interfaces and tests, not part of the public API. */
  readonly internals: OperationContext;
  #background: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  private constructor(internals: OperationContext) {
    this.internals = internals;
  }

  /** Opens a home: configuration, workspace, proposals, audit, index, search, in the order data flows through them. */
  static async open(options: OpenOptions = {}): Promise<Mneme> {
    const home = path.resolve(options.settings?.home ?? options.home ?? readEnvironment().home);
    const { config, findings, paths, layout, settings } = options.settings ?? (await readHome(home));
    const clock = options.parts?.clock ?? systemClock;
    const random = options.parts?.random ?? systemRandom;
    const workspace = Workspace.create(paths, settingsFor(settings, options), options.parts);
    workspace.registries.validators.push(createPolicy(layout));
    const writes = createWriteQueue(workspace, config);
    const proposals = new Proposals({ workspace, clock, random, config });
    workspace.registries.conflictHandlers.push((report) => proposals.fileConflict(report));
    const audit = new AuditTrail({ workspace, clock, config });
    const criticalFiles = config.audit.critical_files;
    const checksums = new CriticalChecksums({ workspace, clock, isCritical: audit.isCritical, criticalFiles });
    const alerts = new Alerts({ workspace, trail: audit, checksums, maxDiffLines: config.alerts.max_diff_lines });
    workspace.registries.listeners.push(
      (acknowledged) => audit.record(acknowledged),
      (acknowledged) => checksums.record(acknowledged),
    );
    workspace.registries.erasers.push(audit);
    const chunkContext = { layout, chunking: config.chunking, timeZone: config.time_zone };
    const homeIndex = createHomeIndex({ paths, config, workspace, context: chunkContext, clock }, options.embedding);
    workspace.registries.indexers.push((written) => homeIndex.takeOver(written));
    const entities = createEntityRegistry(workspace, layout, clock);
    workspace.registries.indexers.push((written) => entities.takeOver(written));
    const access = new AccessLog(nodeFileSystem, paths.journal, deviceName());
    const search = new MemorySearch({
      home: homeIndex,
      access,
      config,
      context: chunkContext,
      clock,
      isShortLived: options.isShortLived,
      reranker: options.reranker,
    });
    await workspace.start();
    const notices = findings.map(({ message }) => message);
    if (workspace.obstacle !== undefined) notices.push(`${workspace.obstacle.message} Only reading is possible.`);
    // Watched before it is looked through: an edit between the two would be seen by neither.
    if (options.watch === true) {
      workspace.watch((error) => options.onProblem?.(errorMessage(error)));
      homeIndex.watch((message) => options.onProblem?.(message));
    }
    if (options.scan !== false) notices.push(...(await workspace.scan()));
    const actor = parseActor(options.actor ?? 'bot:main');
    const mneme = new Mneme({
      home,
      config,
      layout,
      workspace,
      writes,
      proposals,
      audit,
      alerts,
      checksums,
      homeIndex,
      search,
      access,
      entities,
      extractors: options.extractors ?? [],
      chunkContext,
      clock,
      random,
      actor,
      notices,
    });
    if (options.mode === undefined && workspace.obstacle === undefined) mneme.#closeIdleSessions(options);
    return mneme;
  }

  /** Conversations: `m.session.start(options)`. */
  get session(): SessionVerbs {
    return new SessionVerbs(this.internals, () => this.#assertOpen());
  }

  remember(text: string, options: Omit<RememberInput, 'text'> = {}): Promise<Remembered> {
    return this.#run(async () => (await import('./operations/remember.ts')).remember, { ...options, text });
  }

  recall(query: string, options: Omit<RecallInput, 'query'> = {}): Promise<RecallResult> {
    return this.#run(async () => (await import('./operations/search/recall.ts')).recall, { ...options, query });
  }

  /** What an agent should know before it answers, with a receipt. */
  context(message = '', options: Omit<BriefingInput, 'message'> = {}): Promise<Briefing> {
    return this.#run(async () => (await import('./operations/briefing.ts')).briefing, { ...options, message });
  }

  /** What an agent was last told, or where something remembered comes from. */
  why(id?: string, options: Omit<WhyInput, 'id'> = {}): Promise<WhyResult> {
    return this.#run(async () => (await import('./operations/why.ts')).why, { ...options, id });
  }

  similar(id: string, options: Omit<SimilarInput, 'id'> = {}): Promise<SimilarResult> {
    return this.#run(async () => (await import('./operations/search/similar.ts')).similar, { ...options, id });
  }

  import(input: ImportInput): Promise<ImportResult> {
    return this.#run(async () => (await import('./operations/import.ts')).importOperation, input);
  }

  read(target: string, options: Omit<ReadInput, 'target'> = {}): Promise<ReadResult> {
    return this.#run(async () => (await import('./operations/read.ts')).read, { ...options, target });
  }

  append(path: string, text: string, options: Omit<AppendInput, 'path' | 'text'> = {}): Promise<WriteResult> {
    return this.#run(async () => (await import('./operations/append.ts')).append, { ...options, path, text });
  }

  edit(input: EditInput): Promise<WriteResult> {
    return this.#run(async () => (await import('./operations/edit.ts')).edit, input);
  }

  rollback(input: RollbackInput): Promise<RollbackResult> {
    return this.#run(async () => (await import('./operations/rollback.ts')).rollback, input);
  }

  status(): Promise<Status> {
    return this.#run(async () => (await import('./operations/status.ts')).status, {});
  }

  /** Turns conversations into knowledge; without names, all that hold something new. */
  extract(input: ExtractInput = {}): Promise<ExtractResult> {
    return this.#run(async () => (await import('./operations/extract/extract.ts')).extract, input);
  }

  /** What is remembered about something, as a list with a code; nothing is changed before `confirmForget`. */
  forget(text: string, options: Omit<ForgetInput, 'text'> = {}): Promise<ForgetPlan> {
    return this.#run(async () => (await import('./operations/forget.ts')).forget, { ...options, text });
  }

  /** Archives, or erases for good, what `forget` listed under the code. */
  confirmForget(code: string, options: Omit<ConfirmForgetInput, 'code'> = {}): Promise<Forgotten> {
    return this.#run(async () => (await import('./operations/forget/confirm.ts')).confirmForget, { ...options, code });
  }

  /** Removes texts from everything in the home, for good. */
  erase(...texts: readonly string[]): Promise<EraseResult> {
    return this.#run(async () => (await import('./operations/erase.ts')).erase, { texts: [...texts] });
  }

  /** Brings git in step and lets go of the home. Closing again does nothing more. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.internals.writes.close();
    await this.internals.proposals.settle();
    await this.#background;
    closeSessions(this.internals);
    closeExtraction(this.internals);
    await this.internals.workspace.close();
    await this.internals.homeIndex.close();
    this.internals.entities.close();
  }

  /** A crash may have left some open; a process that ends soon spends little on it, the next one does the rest. */
  #closeIdleSessions({ watch, onProblem }: OpenOptions): void {
    const { clock } = this.internals;
    const untilMs = watch === true ? Infinity : clock.now() + TIDY_MS;
    this.#background = closeIdleSessions(this.internals, untilMs).catch((error: unknown) =>
      onProblem?.(errorMessage(error)),
    );
  }

  /** Verbs are loaded when they are first used: a hook needs one of them, and has no time for the others. */
  async #run<Input extends z.ZodType, Output>(
    load: () => Promise<Operation<Input, Output>>,
    input: z.input<Input>,
  ): Promise<Output> {
    await this.#assertOpen();
    return runOperation(await load(), this.internals, input);
  }

  /** What follows would fail somewhere deep inside, in words that help nobody. */
  #assertOpen(): Promise<never> | undefined {
    if (this.#closing === undefined) return undefined;
    const error = new MnemeError('usage', `The home ${this.internals.home} was closed.`, {
      hint: 'Open it again with openMneme().',
    });
    return Promise.reject(error);
  }
}

/** What opening a home may spend on sessions that a crash left open. */
const TIDY_MS = 1000;

function createEntityRegistry(workspace: Workspace, layout: Layout, clock: Clock): EntityRegistry {
  return new EntityRegistry({
    root: workspace.paths.repositories.workspace.workTree,
    state: workspace.paths.state,
    layout,
    clock,
    journalEnd: () => workspace.journalEnd,
  });
}

/** Long enough that no process which is gone in a moment ever waits for git. */
const LEAVE_GIT_MS = 24 * 3_600_000;

function settingsFor(settings: WorkspaceSettings, { mode }: OpenOptions): WorkspaceSettings {
  if (mode === 'read') return { ...settings, mode: 'read' };
  return mode === 'brief' ? { ...settings, cadence: 'batch', batchIntervalMs: LEAVE_GIT_MS } : settings;
}

function createHomeIndex(parts: Omit<HomeIndexParts, 'openEmbedders'>, embedding?: Partial<EmbeddingDeps>): HomeIndex {
  const { config, paths } = parts;
  return new HomeIndex({
    ...parts,
    openEmbedders: () =>
      openEmbedders(config.embedding, {
        readVariable,
        baseFolder: paths.home,
        modelsFolder: path.join(paths.home, 'models'),
        ...embedding,
      }),
  });
}

function createWriteQueue(workspace: Workspace, { writes }: Config): WriteQueue {
  return new WriteQueue({
    commit: (request) => workspace.commit(request),
    strategy: writes.strategy,
    batchSize: writes.batch_size,
    batchIntervalMs: writes.batch_interval_seconds * 1000,
    idleMs: writes.deferred_idle_seconds * 1000,
    immediateImportance: writes.immediate_min_importance,
    conditionalImportance: writes.conditional_min_importance,
  });
}

/** Opens a home that `mneme init` made. */
export function openMneme(options: OpenOptions = {}): Promise<Mneme> {
  return Mneme.open(options);
}
