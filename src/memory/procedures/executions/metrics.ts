import { parseDocument, serializeDocument } from '../../../workspace/markdown/document.ts';
import { setFrontmatterValue, type FrontmatterValue } from '../../../workspace/markdown/frontmatter.ts';
import { parseProcedure } from '../../../workspace/formats/procedure.ts';
import { findDamage } from '../../stores/edit-file.ts';
import type { ExecutionRecord } from './record.ts';
import { roundTo } from '../../../model/text.ts';

/** Measures of a procedure. A run that was cancelled, or not begun at all, says nothing about it. */
export interface Metrics {
  readonly executions: number;
  readonly successes: number;
  /** 0 to 1; null before the first run. */
  readonly successRate: number | null;
  readonly averageMs: number | null;
  readonly lastExecuted: string | null;
}

export function measure(records: readonly ExecutionRecord[]): Metrics {
  const counted = records.filter(isCounted);
  const successes = counted.filter(({ status }) => status === 'succeeded').length;
  const totalMs = counted.reduce((sum, { ms }) => sum + ms, 0);
  return {
    executions: counted.length,
    successes,
    successRate: counted.length === 0 ? null : roundTo(successes / counted.length, 3),
    averageMs: counted.length === 0 ? null : Math.round(totalMs / counted.length),
    lastExecuted: records.at(-1)?.started ?? null,
  };
}

function isCounted({ status, steps }: ExecutionRecord): boolean {
  return status === 'succeeded' || (status === 'failed' && steps.length > 0);
}

/** Fewer runs on either side say nothing about a change. */
const MIN_RUNS_TO_COMPARE = 5;

/** By how much the success rate changed from one version to the next; undefined while too few runs tell. */
export function rateChange(records: readonly ExecutionRecord[], before: string, after: string): number | undefined {
  const [old, young] = [before, after].map((version) =>
    measure(records.filter((record) => record.version === version)),
  );
  if (old === undefined || young === undefined) return undefined;
  if (old.executions < MIN_RUNS_TO_COMPARE || young.executions < MIN_RUNS_TO_COMPARE) return undefined;
  return roundTo((young.successRate ?? 0) - (old.successRate ?? 0), 3);
}

/**
 * The procedure's file with the run counted in its frontmatter. What is there is added to, since the file may have come
 * from elsewhere with a past of its own; a file without frontmatter, or with a broken one, stays as it is.
 */
export function countRun(text: string, path: string, record: ExecutionRecord): string {
  const document = parseDocument(text);
  if (document.frontmatter === undefined || findDamage(text, document.frontmatter) !== undefined) return text;
  if (!isCounted(record)) return text;
  const { frontmatter } = parseProcedure(document, path);
  const { executions = 0, successes = 0, average_ms: averageMs = 0, ...rest } = frontmatter.metrics ?? {};
  const count = executions + 1;
  const won = successes + (record.status === 'succeeded' ? 1 : 0);
  const metrics = {
    ...(rest as Record<string, FrontmatterValue>),
    executions: count,
    successes: won,
    success_rate: roundTo(won / count, 3),
    average_ms: Math.round((averageMs * executions + record.ms) / count),
    last_executed: record.started.replace(/\.\d+Z$/u, 'Z'),
  };
  return serializeDocument(setFrontmatterValue(document, 'metrics', metrics));
}
