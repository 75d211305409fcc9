import { z } from 'zod';
import { isMnemeError } from '../../model/errors.ts';
import { embedForModels } from '../../search-index/embed/embed-missing.ts';
import type { OpenIndex } from '../../search-index/open-index.ts';
import type { SearchIndex } from '../../search-index/port.ts';
import type { OperationContext } from '../context.ts';
import { changeSetting } from '../home/configure.ts';
import { countOf, showCount, showSeconds } from '../command-line/plain.ts';
import type { View } from '../command-line/style.ts';
import { defineVerb } from '../verb.ts';
import type { IndexControls } from './index-operations.ts';
import { showIndexing } from './render-index.ts';

const input = z.object({ to: z.enum(['postgres', 'sqlite']).describe('The engine that is to answer from now on.') });

export interface IndexMigrated {
  readonly to: 'postgres' | 'sqlite';
  readonly documents: number;
  readonly passages: number;
  /** Vectors taken from the old index, and those that had to be made. */
  readonly vectors: { readonly carried: number; readonly made: number };
  /** Differences from the files; the settings are changed only when there are none. */
  readonly findings: readonly string[];
  readonly isSwitched: boolean;
  /** False when it was stopped; the next run goes on from there. */
  readonly isComplete: boolean;
  readonly tookMs: number;
}

/** Read, sent and written at once. */
const VECTORS_AT_ONCE = 1000;

/**
 * Fills the other engine from the files, takes the vectors along, compares everything with the files, and changes the
 * setting. The old index stays as it is. Stopped anywhere, it goes on from there.
 */
export async function migrateIndex(
  context: OperationContext,
  { to }: z.output<typeof input>,
  controls: IndexControls = {},
): Promise<IndexMigrated> {
  const startedMs = performance.now();
  const { homeIndex, workspace } = context;
  const target = to === 'postgres' ? homeIndex.indexes.shared() : homeIndex.indexes.local();
  const { journalEnd } = workspace;
  const { isComplete: isFilled, problems } = await target.sync.syncAll({ ...controls, journalEnd });
  const source = findSource(context, to);
  const carried = source === undefined ? 0 : await carryVectors(context, source, target.index, controls);
  const isStopped = (): boolean => controls.signal?.aborted === true;
  const made = isStopped() ? 0 : await makeRest(context, target.index, controls);
  const isComplete = isFilled && !isStopped();
  if (isComplete) await target.index.optimize({ isThorough: true });
  const findings = isComplete ? [...problems, ...(await check(context, target))] : problems;
  const isSwitched = isComplete && findings.length === 0;
  if (isSwitched) await changeSetting(context, 'index.engine', to, false);
  const { documents, passages } = await target.index.status();
  const tookMs = Math.round(performance.now() - startedMs);
  return { to, documents, passages, vectors: { carried, made }, findings, isSwitched, isComplete, tookMs };
}

export const indexMigrate = defineVerb({
  name: 'index migrate',
  summary: 'Move the index to PostgreSQL, or back to one file.',
  description:
    'Move the index to PostgreSQL, or back to one file. Vectors are taken along, everything is compared with the files, then the setting changes. Ctrl-C stops it; the next run goes on from there.',
  examples: ['mneme index migrate --to postgres'],
  input,
  effect: 'write',
  by: 'person',
  run: (context, given, controls?: IndexControls): Promise<IndexMigrated> => migrateIndex(context, given, controls),
  http: false,
  library: { args: ['to'] },
  cli: {
    options: { to: { value: 'engine' } },
    controls: showIndexing,
    exitCode: ({ isSwitched, isComplete }) => (isSwitched ? 'ok' : isComplete ? 'integrity' : 'failure'),
  },
  render,
});

function render({ style }: View, result: IndexMigrated): string {
  const { to, documents, passages, vectors, findings, isSwitched, isComplete, tookMs } = result;
  const amounts = `${countOf(passages, 'passage')} of ${countOf(documents, 'file')}, ${showCount(vectors.carried)} vectors taken along, ${showCount(vectors.made)} made`;
  const lines = [
    `${isSwitched ? style.green('Moved') : style.yellow('Not moved')} to ${to} in ${showSeconds(tookMs)}: ${amounts}.`,
    ...findings.map((finding) => `${style.yellow('differs')} ${finding}`),
    ...(isSwitched ? [`index.engine is ${to} from now on; the old index is kept until you delete it.`] : []),
    ...(isComplete ? [] : ['It was stopped; run it again to go on.']),
  ];
  return `${lines.join('\n')}\n`;
}

/** The old index saves making vectors again; without it they are made. */
function findSource({ homeIndex }: OperationContext, to: IndexMigrated['to']): SearchIndex | undefined {
  try {
    return (to === 'postgres' ? homeIndex.indexes.local() : homeIndex.indexes.shared()).index;
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return undefined;
  }
}

async function carryVectors(
  { homeIndex }: OperationContext,
  source: SearchIndex,
  target: SearchIndex,
  { signal, onEmbedding }: IndexControls,
): Promise<number> {
  let carried = 0;
  for (const { embedder } of await homeIndex.models()) {
    for (;;) {
      if (signal?.aborted === true) return carried;
      const missing = await target.listMissingVectors(embedder.id, VECTORS_AT_ONCE);
      const vectors = await readOrNone(source, embedder.id, missing);
      const found = missing.flatMap(({ passage }, at) => {
        const vector = vectors[at];
        return vector === undefined ? [] : [{ passage, vector }];
      });
      const [first] = found;
      if (first === undefined) break;
      await target.putVectors(embedder.id, first.vector.length, found);
      carried += found.length;
      onEmbedding?.({ model: embedder.id, done: carried, remaining: undefined });
    }
  }
  return carried;
}

/** A source that cannot be read any more costs time, nothing else. */
async function readOrNone(
  source: SearchIndex,
  model: string,
  texts: Parameters<SearchIndex['readVectors']>[1],
): Promise<readonly (Float32Array | undefined)[]> {
  try {
    return await source.readVectors(model, texts);
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return [];
  }
}

async function makeRest(
  { homeIndex, clock }: OperationContext,
  target: SearchIndex,
  { signal, onEmbedding }: IndexControls,
): Promise<number> {
  const states = await embedForModels(target, await homeIndex.models(), { clock, signal, onProgress: onEmbedding });
  return states.reduce((sum, { done }) => sum + done, 0);
}

async function check({ homeIndex }: OperationContext, { index, sync }: OpenIndex): Promise<string[]> {
  const findings = [...(await sync.verify())];
  const { passages, models } = await index.status();
  for (const { embedder } of await homeIndex.models()) {
    const vectors = models.find(({ model }) => model === embedder.id)?.vectors ?? 0;
    if (vectors < passages) findings.push(`${embedder.id} has vectors for ${vectors} of ${passages} passages.`);
  }
  return findings;
}
