import path from 'node:path';
import type { Config } from './model/config/schema.ts';
import { errorMessage } from './model/errors.ts';
import { parseActor } from './model/mutation.ts';
import { systemClock } from './platform/clock.ts';
import { deviceName, readEnvironment, readVariable } from './platform/environment.ts';
import { nodeFileSystem } from './platform/fs.ts';
import { systemRandom } from './platform/random.ts';
import { readHome } from './workspace/home.ts';
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
import type { Reranker } from './retrieve/rerank.ts';
import { MemorySearch } from './retrieve/search.ts';
import type { OperationContext } from './operations/context.ts';
import { runOperation } from './operations/operation.ts';
import { append, type AppendInput } from './operations/append.ts';
import { briefing, type BriefingInput } from './operations/briefing.ts';
import { edit, type EditInput } from './operations/edit.ts';
import { erase } from './operations/erase.ts';
import { read, type ReadInput, type ReadResult } from './operations/read.ts';
import { remember, type Remembered, type RememberInput } from './operations/remember.ts';
import { rollback, type RollbackInput, type RollbackResult } from './operations/rollback.ts';
import { status, type Status } from './operations/status.ts';
import { importOperation, type ImportInput } from './operations/import.ts';
import { recall, type RecallInput, type RecallResult } from './operations/search/recall.ts';
import { similar, type SimilarInput } from './operations/search/similar.ts';
import { why, type WhyInput, type WhyResult } from './operations/why.ts';
import type { Briefing } from './compile/receipt.ts';
import type { SimilarResult } from './retrieve/search.ts';
import type { ImportResult } from './exchange/import/request.ts';
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
  /** The process ends after one question: what only pays over many is not loaded. */
  readonly isShortLived?: boolean | undefined;
  /** Looks at the best hits again when `search.rerank` is on. */
  readonly reranker?: Reranker | undefined;
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

  private constructor(internals: OperationContext) {
    this.internals = internals;
  }

  /** Opens a home: configuration, workspace, proposals, audit, index, search, in the order data flows through them. */
  static async open(options: OpenOptions = {}): Promise<Mneme> {
    const home = path.resolve(options.home ?? readEnvironment().home);
    const { config, findings, paths, layout, settings } = await readHome(home);
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
    if (options.scan !== false) notices.push(...(await workspace.scan()));
    if (options.watch === true) {
      workspace.watch((error) => options.onProblem?.(errorMessage(error)));
      homeIndex.watch((message) => options.onProblem?.(message));
    }
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
      chunkContext,
      clock,
      random,
      actor,
      notices,
    });
    if (options.watch === true) mneme.#closeIdleSessions(options.onProblem);
    return mneme;
  }

  /** Conversations: `m.session.start(options)`. */
  get session(): SessionVerbs {
    return new SessionVerbs(this.internals);
  }

  remember(text: string, options: Omit<RememberInput, 'text'> = {}): Promise<Remembered> {
    return runOperation(remember, this.internals, { ...options, text });
  }

  recall(query: string, options: Omit<RecallInput, 'query'> = {}): Promise<RecallResult> {
    return runOperation(recall, this.internals, { ...options, query });
  }

  /** What an agent should know before it answers, with a receipt. */
  context(message = '', options: Omit<BriefingInput, 'message'> = {}): Promise<Briefing> {
    return runOperation(briefing, this.internals, { ...options, message });
  }

  /** What an agent was last told, or where something remembered comes from. */
  why(id?: string, options: Omit<WhyInput, 'id'> = {}): Promise<WhyResult> {
    return runOperation(why, this.internals, { ...options, id });
  }

  similar(id: string, options: Omit<SimilarInput, 'id'> = {}): Promise<SimilarResult> {
    return runOperation(similar, this.internals, { ...options, id });
  }

  import(input: ImportInput): Promise<ImportResult> {
    return runOperation(importOperation, this.internals, input);
  }

  read(target: string, options: Omit<ReadInput, 'target'> = {}): Promise<ReadResult> {
    return runOperation(read, this.internals, { ...options, target });
  }

  append(path: string, text: string, options: Omit<AppendInput, 'path' | 'text'> = {}): Promise<WriteResult> {
    return runOperation(append, this.internals, { ...options, path, text });
  }

  edit(input: EditInput): Promise<WriteResult> {
    return runOperation(edit, this.internals, input);
  }

  rollback(input: RollbackInput): Promise<RollbackResult> {
    return runOperation(rollback, this.internals, input);
  }

  status(): Promise<Status> {
    return runOperation(status, this.internals, {});
  }

  /** Removes texts from everything in the home, for good. */
  erase(...texts: readonly string[]): Promise<EraseResult> {
    return runOperation(erase, this.internals, { texts: [...texts] });
  }

  /** Brings git in step and lets go of the home. */
  async close(): Promise<void> {
    await this.internals.writes.close();
    await this.internals.proposals.settle();
    await this.#background;
    closeSessions(this.internals);
    await this.internals.workspace.close();
    await this.internals.homeIndex.close();
  }

  #closeIdleSessions(onProblem: OpenOptions['onProblem']): void {
    this.#background = closeIdleSessions(this.internals).catch((error: unknown) => onProblem?.(errorMessage(error)));
  }
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
