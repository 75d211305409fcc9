import path from 'node:path';
import { parseActor } from './model/mutation.ts';
import type { Scope } from './model/provenance.ts';
import { systemClock, type Clock } from './platform/clock.ts';
import { deviceName, readEnvironment, readVariable } from './platform/environment.ts';
import { nodeFileSystem } from './platform/fs.ts';
import { systemRandom } from './platform/random.ts';
import { describeHome, readHome, type Home } from './workspace/home.ts';
import { createManifestEraser } from './workspace/packed.ts';
import { createPolicy } from './workspace/policy.ts';
import type { EmbeddingDeps } from './providers/embeddings/providers.ts';
import { Workspace, type WorkspaceParts } from './workspace/workspace.ts';
import type { WorkspaceSettings } from './workspace/home-paths.ts';
import { createProposalEraser } from './proposals/erase.ts';
import { Proposals } from './proposals/proposals.ts';
import { Alerts } from './audit/alerts.ts';
import { CriticalChecksums } from './audit/checksums.ts';
import { AuditTrail } from './audit/trail.ts';
import { ChainRecorder, createChainEraser } from './chain/record/recorder.ts';
import { AccessLog } from './memory/decay/access-log.ts';
import { CHECKPOINT_FILE } from './memory/decay/checkpoint.ts';
import type { Reranker } from './retrieve/rerank.ts';
import { MemorySearch } from './retrieve/search.ts';
import type { Extractor } from './extract/extractors.ts';
import { type BackgroundWorker, isWorkerAllowed } from './operations/background/background-worker.ts';
import type { AnotherHome, OpenedHome, OperationContext } from './operations/context.ts';
import { HomeParts } from './operations/home-parts.ts';
import { OwnWorker } from './runtime/worker/own-worker.ts';
import { WorkerStarter, type WorkerHome } from './runtime/worker/start-worker.ts';
import { openWriterLease } from './runtime/coordination/open-coordination.ts';
import { wireProposals } from './operations/proposals/wire.ts';
import { createSealedEraser } from './operations/history/sealed/box.ts';
import { createBackupEraser, createReconstructionEraser, createSharedIndexEraser } from './operations/erasers.ts';
import { closeHome } from './operations/close-home.ts';
import { listUnfinished } from './operations/forget/unfinished.ts';
import { Actions } from './memory/procedures/workflow/actions.ts';
import { errorMessage } from './model/errors.ts';
import type { Config } from './model/config/schema.ts';
import { openEmbedders } from './providers/embeddings/create.ts';
import type { Layout } from './workspace/formats/layout.ts';
import { WriteQueue, WRITE_RULES } from './workspace/write-queue.ts';
import { HomeIndex, type HomeIndexParts } from './search-index/home-index.ts';
import { EntityRegistry } from './memory/stores/registry/registry.ts';
import { CHUNKING } from './search-index/chunk/draft.ts';

export interface OpenOptions {
  /** The home; `MNEME_HOME` or `~/.mneme` when not given. */
  readonly home?: string | undefined;
  /** On whose behalf writes are made; the main agent when not given. */
  readonly actor?: string | undefined;
  /** The one private scope the opener is bound to; without it, every verb that takes a scope says which. */
  readonly scope?: Scope | undefined;
  /** Look for edits made outside while nobody was watching. On by default. */
  readonly scan?: boolean | undefined;
  /** Go on noticing edits as they happen; for processes that live long. */
  readonly watch?: boolean | undefined;
  /**
   * The process that learns from conversations and embeds passages: `here`, this process between other things (with `watch`, unless
   * something else is said); or a worker that is started by this command, where the settings allow one.
   */
  readonly background?: 'here' | readonly string[] | undefined;
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
  /** Called with problems in the background, such as a watcher that stopped. */
  readonly onProblem?: ((message: string) => void) | undefined;
  /** Replaceable parts, for tests. */
  readonly parts?: WorkspaceParts | undefined;
  /** Replaceable parts of the embedders, for tests and benchmarks. */
  readonly embedding?: Partial<EmbeddingDeps> | undefined;
}

/** Opens what operations run on: configuration, workspace, proposals, audit, index, search, in the order data flows through them. */
export async function composeHome(options: OpenOptions): Promise<OperationContext> {
  const home = path.resolve(options.settings?.home ?? options.home ?? readEnvironment().home);
  const { config, findings, paths, layout, settings } = options.settings ?? (await readHome(home));
  const clock = options.parts?.clock ?? systemClock;
  const random = options.parts?.random ?? systemRandom;
  const workspace = Workspace.create(paths, settingsFor(settings, options), options.parts);
  workspace.registries.validators.push(createPolicy(layout));
  const writes = createWriteQueue(workspace);
  const proposals = new Proposals({ workspace, clock, random, config });
  workspace.registries.conflictHandlers.push((report) => proposals.fileConflict(report));
  const audit = new AuditTrail({ workspace, clock, config });
  const criticalFiles = config.audit.critical_files;
  const checksums = new CriticalChecksums({ workspace, clock, isCritical: audit.isCritical, criticalFiles });
  const alerts = new Alerts({ workspace, trail: audit, checksums, rules: config.alerts });
  workspace.registries.recorders.push((acknowledged) => audit.record(acknowledged));
  workspace.registries.listeners.push((acknowledged) => checksums.record(acknowledged));
  const chain = new ChainRecorder({ workspace, clock, random, config, leavesNotes: options.mode !== undefined });
  workspace.registries.listeners.push((acknowledged) => chain.listen(acknowledged));
  registerErasers(workspace, { proposals, audit, chain, config, clock });
  const chunkContext = { layout, chunking: CHUNKING, timeZone: config.time_zone };
  const indexed = { paths, config, workspace, context: chunkContext, clock, leavesVectors: options.mode === 'read' };
  const homeIndex = createHomeIndex(indexed, options.embedding);
  workspace.registries.indexers.push((written) => homeIndex.takeOver(written));
  workspace.registries.erasers.push(createSharedIndexEraser(homeIndex.indexes));
  const entities = createEntityRegistry(workspace, layout, clock);
  workspace.registries.indexers.push((written) => entities.takeOver(written));
  const access = createAccessLog(workspace);
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
  const isWriting = settings.mode === 'read-write' && workspace.obstacle === undefined;
  const composed: Omit<OperationContext, 'parts'> = {
    home,
    config,
    layout,
    workspace,
    writes,
    proposals,
    audit,
    alerts,
    checksums,
    chain,
    homeIndex,
    writer: openWriterLease(homeIndex),
    worker: isWriting ? chooseWorker(options, { paths, config, clock }, homeIndex) : undefined,
    search,
    access,
    entities,
    extractors: options.extractors ?? [],
    actions: new Actions(),
    chunkContext,
    clock,
    random,
    actor: parseActor(options.actor ?? 'bot:main'),
    confinedTo: options.scope,
    openAnother: (another) => openAnother(options, another),
    notices,
  };
  const context = wireProposals({ ...composed, parts: new HomeParts(composed) });
  // A process that ends in a moment leaves it to one that stays.
  if (options.mode === undefined && isWriting && listUnfinished(paths.journal).length > 0) {
    notices.push(...(await (await import('./operations/forget/finish.ts')).finishErasures(context, 'opening')));
  }
  return context;
}

function chooseWorker(
  { background, watch = false, mode }: OpenOptions,
  home: WorkerHome,
  homeIndex: HomeIndex,
): BackgroundWorker | undefined {
  if (mode !== undefined) return undefined;
  const starts = Array.isArray(background) && isWorkerAllowed(home.config);
  if (!starts && !watch && background !== 'here') return undefined;
  const worker = starts ? new WorkerStarter(home, background, watch) : new OwnWorker();
  if (watch) homeIndex.listen(() => worker.wake());
  return worker;
}

interface ErasingParts {
  readonly proposals: Proposals;
  readonly audit: AuditTrail;
  readonly chain: ChainRecorder;
  readonly config: Config;
  readonly clock: Clock;
}

function registerErasers(workspace: Workspace, { proposals, audit, chain, config, clock }: ErasingParts): void {
  const { registries, paths } = workspace;
  registries.firstErasers.push(
    createChainEraser(chain, 'enter'),
    createProposalEraser(proposals),
    // Before the histories are rewritten, or its branch would only become another one.
    createReconstructionEraser(paths, () => workspace.git.workspace),
  );
  registries.erasers.push(
    audit,
    createBackupEraser({ paths, config, clock }),
    createManifestEraser(workspace, clock),
    createSealedEraser(paths.state),
  );
}

async function openAnother(
  { parts, extractors, embedding, actor, onProblem }: OpenOptions,
  { home, config, layout }: AnotherHome,
): Promise<OpenedHome> {
  // Beside this home stands only what is looked at for a while: no other machine should find it.
  const own = { ...config, index: { ...config.index, engine: 'sqlite' as const } };
  const settings = { ...describeHome(home, own), layout };
  const context = await composeHome({ settings, parts, extractors, embedding, actor, onProblem });
  const close = async (): Promise<void> => {
    for (const problem of await closeHome(context)) onProblem?.(problem);
  };
  return { context, close };
}

/** Long enough that no process which is gone in a moment ever waits for git. */
const LEAVE_GIT_MS = 24 * 3_600_000;

function settingsFor(settings: WorkspaceSettings, { mode }: OpenOptions): WorkspaceSettings {
  if (mode === 'read') return { ...settings, mode: 'read' };
  return mode === 'brief' ? { ...settings, cadence: 'batch', batchIntervalMs: LEAVE_GIT_MS } : settings;
}

function createAccessLog({ paths }: Workspace): AccessLog {
  const checkpoint = path.join(paths.repositories.workspace.workTree, CHECKPOINT_FILE);
  return new AccessLog(nodeFileSystem, paths.journal, deviceName(), checkpoint);
}

function createEntityRegistry(workspace: Workspace, layout: Layout, clock: Clock): EntityRegistry {
  return new EntityRegistry({
    root: workspace.paths.repositories.workspace.workTree,
    state: workspace.paths.state,
    layout,
    clock,
    journalEnd: () => workspace.journalEnd,
  });
}

function createHomeIndex(
  parts: Omit<HomeIndexParts, 'openEmbedders' | 'readVariable' | 'deviceName'>,
  embedding?: Partial<EmbeddingDeps>,
): HomeIndex {
  const { config, paths } = parts;
  return new HomeIndex({
    ...parts,
    readVariable,
    deviceName: deviceName(),
    openEmbedders: () =>
      openEmbedders(config.embedding, {
        readVariable,
        baseFolder: paths.home,
        modelsFolder: path.join(paths.home, 'models'),
        ...embedding,
      }),
  });
}

function createWriteQueue(workspace: Workspace): WriteQueue {
  return new WriteQueue({
    commit: (request) => workspace.commit(request),
    ...WRITE_RULES,
  });
}
