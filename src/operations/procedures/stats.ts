import { z } from 'zod';
import { type ExecutionRecord, type Metrics, measure } from '../../memory/procedures/executions/record.ts';
import { defineVerb } from '../verb.ts';
import { seesFile, visibleTo } from '../visible-to.ts';
import { getProcedure } from './find-procedure.ts';

const input = z.object({ name: z.string().trim().min(1).optional().describe('Only this procedure.') });

export type ProcedureStatsInput = z.input<typeof input>;

export interface ProcedureStats extends Metrics {
  readonly path: string;
  readonly name: string;
  readonly cancelled: number;
  readonly versions: readonly (Metrics & { readonly version: string })[];
  /** In the order they were last done. */
  readonly steps: readonly StepStats[];
}

export interface StepStats {
  readonly step: string;
  readonly what: string;
  readonly runs: number;
  readonly failures: number;
  readonly averageMs: number;
  readonly lastError: string | null;
}

export interface StatsResult {
  readonly procedures: readonly ProcedureStats[];
  readonly problems: readonly string[];
}

export const procedureStats = defineVerb({
  name: 'procedure stats',
  summary: 'Show how well procedures do: success rate, time, by version and by step.',
  input,
  args: ['name'],
  effect: 'read',
  reach: 'filtered',
  async run(context, { name }): Promise<StatsResult> {
    const { store, executions } = await context.parts.workflows();
    const { records, problems } = executions.readAll();
    const wanted = name === undefined ? undefined : getProcedure(store, name, visibleTo(context).sees).path;
    const byPath = Map.groupBy(records, ({ path }) => path);
    const procedures = [...byPath]
      .filter(([path]) => (wanted === undefined || path === wanted) && seesFile(context, path))
      .map(([path, own]) => statsOf(path, own))
      .sort((left, right) => right.executions - left.executions || (left.path < right.path ? -1 : 1));
    return { procedures, problems };
  },
  library: { name: 'procedures.stats' },
  cli: { notes: ({ problems }) => problems },
  render: async (view, output) => (await import('./render-procedures.ts')).renderStats(view, output),
});

function statsOf(path: string, records: readonly ExecutionRecord[]): ProcedureStats {
  const byVersion = Map.groupBy(records, ({ version }) => version);
  return {
    path,
    name: records.at(-1)?.name ?? path,
    ...measure(records),
    cancelled: records.filter(({ status }) => status === 'cancelled').length,
    versions: [...byVersion].map(measureVersion),
    steps: stepStats(records),
  };
}

function measureVersion([version, own]: readonly [
  string,
  readonly ExecutionRecord[],
]): ProcedureStats['versions'][number] {
  return { version, ...measure(own) };
}

function stepStats(records: readonly ExecutionRecord[]): StepStats[] {
  const all = records.flatMap(({ steps }) => steps.filter(({ outcome }) => outcome !== 'not-needed'));
  const byStep = Map.groupBy(all, ({ step, what }) => `${step}\n${what}`);
  return [...byStep.values()].map((own) => {
    const last = own.at(-1);
    return {
      step: last?.step ?? '',
      what: last?.what ?? '',
      runs: own.length,
      failures: own.reduce((sum, { failures }) => sum + failures, 0),
      averageMs: Math.round(own.reduce((sum, { ms }) => sum + ms, 0) / own.length),
      lastError: own.findLast(({ error }) => error !== undefined)?.error ?? null,
    };
  });
}
