import { z } from 'zod';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import { dueProcedures } from '../../memory/procedures/schedule.ts';
import type { KnownProcedure } from '../../memory/procedures/procedures.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import type { RunControls } from './drive.ts';
import { startProcedure } from './run.ts';
import type { RunResult } from './run-result.ts';
import { findState } from './settle.ts';
import { controlsAtTerminal, registerTyped } from './at-terminal.ts';
import { DAY_MS } from '../../model/time.ts';

const input = z.object({
  assume: z.boolean().default(false).describe('Take conditions in plain words for met instead of asking.'),
});

export type RunDueInput = z.input<typeof input>;

export interface DueRuns {
  readonly runs: readonly RunResult[];
  /** Procedures whose time came and that cannot be run. */
  readonly problems: readonly string[];
}

export const runDueProcedures = defineVerb({
  name: 'procedure run due',
  summary: 'Run the procedures whose time has come.',
  description: 'Run those whose schedule came due since they were last run; for whoever looks every minute.',
  input,
  effect: 'write',
  withoutLease: 'own',
  run: (context, given, controls?: RunControls): Promise<DueRuns> => runDue(context, given, controls),
  http: { isLong: true },
  library: { name: 'procedures.runDue' },
  cli: {
    // Called by `procedure run --due`.
    path: false,
    controls: (progress) => ({ ...controlsAtTerminal(progress), answer: undefined }),
    async around({ input, extra }, call) {
      await registerTyped(call.context, extra);
      return call.run(input);
    },
    notes: ({ problems }) => problems,
    exitCode: ({ problems, runs }) =>
      problems.length === 0 && runs.every(({ status }) => status === 'succeeded') ? 'ok' : 'failure',
  },
  render: async ({ style }, output) => (await import('./render-runs.ts')).renderDue(style, output),
});

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
