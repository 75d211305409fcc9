import { z } from 'zod';
import type { EmbeddingState } from '../../search-index/embed/embed-missing.ts';
import type { IndexStatus } from '../../search-index/port.ts';
import type { SyncProgress, SyncReport } from '../../search-index/sync/index-sync.ts';
import type { OperationContext } from '../context.ts';
import { SQLITE_FILE } from '../../search-index/open-index.ts';
import type { Progress } from '../command-line/style.ts';
import { defineVerb, type CliShape } from '../verb.ts';
import { isFinished, renderFindings, renderReport, renderState, showIndexing } from './render-index.ts';

/** Progress of long work, and a way to stop it; finished parts are kept. */
export interface IndexControls {
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
  readonly onEmbedding?: ((state: EmbeddingState) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** `instant`: vectors that take long are left to background work. */
  readonly vectors?: 'all' | 'instant' | undefined;
}

export interface IndexReport extends SyncReport {
  readonly embedding: readonly EmbeddingState[];
  readonly tookMs: number;
}

export interface IndexState extends IndexStatus {
  readonly path: string;
  readonly engine: string;
  /** The model that answers, and how much of the memory it covers. */
  readonly embedder: readonly {
    readonly model: string;
    readonly coverage: number;
    readonly why: string;
  }[];
  /** Why the index may lack something; null when it is in step. */
  readonly dirty: string | null;
  /** When and why it was last made anew; null when it never had to be. */
  readonly rebuilt: string | null;
  readonly isFresh: boolean;
  /** Why this machine's own index answers in place of the shared one; null when it does not. */
  readonly standIn: string | null;
}

export const indexStatus = defineVerb({
  name: 'index status',
  summary: 'Show what the index holds and which model serves.',
  input: z.object({}),
  effect: 'read',
  run: (context): Promise<IndexState> => readIndexState(context),
  cli: { isDefault: true },
  render: renderState,
});

export const indexVerify = defineVerb({
  name: 'index verify',
  summary: 'Compare the index with every file.',
  description: 'Compare the index with every file. Exit code 7 when something differs.',
  input: z.object({}),
  effect: 'read',
  run: async ({ homeIndex }): Promise<{ readonly findings: readonly string[] }> => ({
    findings: await homeIndex.verify(),
  }),
  http: { method: 'POST', needs: 'write', isLong: true },
  cli: {
    path: 'check index',
    formerly: ['index verify'],
    exitCode: ({ findings }) => (findings.length === 0 ? 'ok' : 'integrity'),
  },
  render: renderFindings,
});

async function readIndexState({ homeIndex, config }: OperationContext): Promise<IndexState> {
  const status = await homeIndex.status();
  const { dirty, rebuilt } = await homeIndex.readState();
  const choices = await homeIndex.choices();
  const share = (model: string): number => {
    const vectors = status.models.find((state) => state.model === model)?.vectors ?? 0;
    return status.passages === 0 ? 1 : vectors / status.passages;
  };
  return {
    ...status,
    path: placeOf(homeIndex.standInReason === undefined ? config.index.engine : 'sqlite', config),
    engine: homeIndex.standInReason === undefined ? config.index.engine : 'sqlite',
    embedder: choices.flatMap(({ embedder, reason }) =>
      embedder === undefined ? [] : [{ model: embedder.id, coverage: share(embedder.id), why: reason }],
    ),
    dirty: dirty ?? null,
    rebuilt: rebuilt ?? null,
    isFresh: await homeIndex.isFresh(),
    standIn: homeIndex.standInReason ?? null,
  };
}

/** Where the index is, in words that give no secret away. */
function placeOf(engine: string, { index }: OperationContext['config']): string {
  return engine === 'sqlite' ? SQLITE_FILE : `${index.postgres_namespace ?? ''} in schema ${index.postgres_schema}`;
}

/** Takes over everything that differs; also what nobody told the index about. */
export function syncIndex(context: OperationContext, controls: IndexControls = {}): Promise<IndexReport> {
  return timed(() => context.homeIndex.sync(controls));
}

/** Makes the index anew from the files. */
export function rebuildIndex(context: OperationContext, controls: IndexControls = {}): Promise<IndexReport> {
  return timed(() => context.homeIndex.rebuild(controls));
}

const servedAsWork = { method: 'POST', needs: 'write', isLong: true } as const;

const shownWhileItWorks: Pick<CliShape<z.ZodType, IndexReport, IndexControls>, 'controls' | 'exitCode' | 'notes'> = {
  controls: showIndexing,
  exitCode: (report) => (isFinished(report) ? 'ok' : 'failure'),
  notes: (report) => {
    const isStopped = !isFinished(report) && report.embedding.every(({ problem }) => problem === undefined);
    return isStopped ? ['Stopped. What is done stays; `mneme index sync` goes on from there.'] : [];
  },
};

export const indexSync = defineVerb({
  name: 'index sync',
  summary: 'Bring the index in step with the files.',
  description: 'Bring the index in step with the files. Ctrl-C stops it; the next one goes on from there.',
  input: z.object({}),
  effect: 'read',
  run: (context, _input, controls?: IndexControls): Promise<IndexReport> => syncIndex(context, controls),
  http: servedAsWork,
  cli: shownWhileItWorks,
  render: renderReport,
});

export const indexRebuild = defineVerb({
  name: 'index rebuild',
  summary: 'Make the index again from the files.',
  description: 'Make the index again from the files. It goes on answering meanwhile.',
  input: z.object({}),
  effect: 'read',
  run: (context, _input, controls?: IndexControls): Promise<IndexReport> => rebuildIndex(context, controls),
  http: servedAsWork,
  cli: shownWhileItWorks,
  render: renderReport,
});

/** For what was just imported: the next question need not wait, and vectors that take long are left to a worker. */
export function afterImport(hasWorker: boolean, progress: Progress | undefined): IndexControls {
  return { ...(progress === undefined ? {} : showIndexing(progress)), vectors: hasWorker ? 'instant' : 'all' };
}

async function timed<T extends object>(work: () => Promise<T>): Promise<T & { readonly tookMs: number }> {
  const startedMs = performance.now();
  const report = await work();
  return { ...report, tookMs: Math.round(performance.now() - startedMs) };
}
