import { z } from 'zod';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import { dueProcedures } from '../../memory/procedures/schedule.ts';
import type { KnownProcedure } from '../../memory/procedures/procedures.ts';
import type { OperationContext } from '../context.ts';
import { defineOperation } from '../operation.ts';
import type { RunControls } from './drive.ts';
import { startProcedure } from './run.ts';
import type { RunResult } from './run-result.ts';
import { findState } from './settle.ts';

const input = z.object({
  assume: z.boolean().default(false).describe('Take conditions in plain words for met instead of asking.'),
});

export type RunDueInput = z.input<typeof input>;

export interface DueRuns {
  readonly runs: readonly RunResult[];
  /** Procedures whose time came and that cannot be run. */
  readonly problems: readonly string[];
}

export const runDueProcedures = defineOperation({
  name: 'procedure run',
  summary: 'Run the procedures whose time has come.',
  input,
  effect: 'write',
  withoutLease: 'own',
  run: (context, given): Promise<DueRuns> => runDue(context, given),
});

const DAY_MS = 86_400_000;

export async function runDue(
  context: OperationContext,
  { assume }: z.output<typeof input>,
  controls: RunControls = {},
): Promise<DueRuns> {
  const runs: RunResult[] = [];
  const problems: string[] = [];
  for (const { path } of await findDue(context)) {
    const given = { name: path, input: {}, assume, byHand: false, because: 'cron' };
    try {
      runs.push(await startProcedure(context, given, controls));
    } catch (error) {
      // One that cannot be run must not keep the others from theirs.
      if (!isMnemeError(error)) throw error;
      problems.push(errorMessage(error));
    }
  }
  return { runs, problems };
}

export async function hasDueProcedures(context: OperationContext): Promise<boolean> {
  return (await findDue(context)).length > 0;
}

async function findDue(context: OperationContext): Promise<KnownProcedure[]> {
  const { store, executions, journal } = await context.parts.workflows();
  const { records } = executions.readAll();
  const lastRuns = new Map(records.map(({ path, started }) => [path, Date.parse(started)]));
  for (const run of journal.list()) {
    const { state } = findState(journal, run);
    if (state !== undefined) lastRuns.set(state.plan.path, state.startedMs);
  }
  const nowMs = context.clock.now();
  return dueProcedures(store.all(), {
    nowMs,
    timeZone: context.config.time_zone,
    // One that never ran was due from the day before on: a new file does not catch up with years.
    lastMs: (known) => lastRuns.get(known.path) ?? Math.max(nowMs - DAY_MS, learnedMs(known)),
  });
}

function learnedMs({ procedure: { frontmatter } }: KnownProcedure): number {
  const since = Date.parse(frontmatter.created ?? frontmatter.learned ?? '');
  return Number.isNaN(since) ? 0 : since;
}
