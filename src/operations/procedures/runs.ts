import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';
import type { Workflows } from './open-workflows.ts';
import { defineVerb } from '../verb.ts';
import { seesFile, visibleTo } from '../visible-to.ts';
import { getProcedure } from './find-procedure.ts';
import { describeRecord, describeRun, type RunResult } from './run-result.ts';
import { findState, isDriven } from './settle.ts';

const input = z.object({
  run: z.string().trim().min(1).optional().describe('One run, by its id or the beginning of it.'),
  procedure: z.string().trim().min(1).optional().describe('Only runs of this procedure.'),
  limit: z.number().int().min(1).default(20).describe('The latest so many; 20 when not given.'),
});

export type RunsInput = z.input<typeof input>;

export interface RunList {
  /** Those going on first, then the latest. */
  readonly runs: readonly RunResult[];
  readonly problems: readonly string[];
}

export const procedureRuns = defineVerb({
  name: 'procedure runs',
  summary: 'List the runs that are going on and those that are over.',
  input,
  effect: 'read',
  reach: 'filtered',
  run: listRuns,
  library: { name: 'procedures.runs' },
  cli: {
    args: ['run'],
    options: { procedure: { value: 'name' } },
    notes: ({ problems }) => problems,
  },
  render: async (view, output, { run }) =>
    (await import('./render-runs.ts')).renderRuns(view, output, run !== undefined),
});

async function listRuns(context: OperationContext, given: z.output<typeof input>): Promise<RunList> {
  const workflows = await context.parts.workflows();
  const { store, executions } = workflows;
  const live = liveRuns(context, workflows);
  const { records, problems } = executions.readAll();
  const path =
    given.procedure === undefined ? undefined : getProcedure(store, given.procedure, visibleTo(context).sees).path;
  const liveIds = new Set(live.runs.map(({ run }) => run));
  const past = records.filter(({ run }) => !liveIds.has(run)).map(describeRecord);
  const all = [...live.runs, ...past.reverse()].filter(
    (run) => (path === undefined || run.path === path) && seesFile(context, run.path),
  );
  if (given.run === undefined) return { runs: all.slice(0, given.limit), problems: [...live.problems, ...problems] };
  return { runs: [chooseRun(all, given.run)], problems: [...live.problems, ...problems] };
}

function liveRuns(
  context: OperationContext,
  { journal }: Workflows,
): { readonly runs: RunResult[]; readonly problems: string[] } {
  const runs: RunResult[] = [];
  const problems: string[] = [];
  for (const run of journal.list()) {
    const { state, problem } = findState(journal, run);
    if (problem !== undefined) problems.push(problem);
    if (state !== undefined) runs.push(describeRun(state, { isDriven: isDriven(context, run) }));
  }
  return { runs: runs.sort((left, right) => (left.started < right.started ? 1 : -1)), problems };
}

function chooseRun(runs: readonly RunResult[], wanted: string): RunResult {
  const found = runs.filter(({ run }) => run.startsWith(wanted) || run.startsWith(`run_${wanted}`));
  if (found[0] !== undefined && found.length === 1) return found[0];
  throw noSuchRun(
    wanted,
    found.map(({ run }) => run),
  );
}

export function noSuchRun(wanted: string, several: readonly string[]): MnemeError {
  if (several.length > 1) {
    return new MnemeError('conflict', `"${wanted}" may mean several runs.`, {
      hint: `Name one of these: ${several.slice(0, 10).join(', ')}.`,
    });
  }
  return new MnemeError('not-found', `There is no run ${wanted}.`, { hint: '`mneme procedure runs` shows them.' });
}

/** The id of a run that is going on, by its beginning. */
export function getLiveRun({ journal, executions }: Workflows, wanted: string): string {
  const isMeant = (run: string): boolean => run.startsWith(wanted) || run.startsWith(`run_${wanted}`);
  const found = journal.list().filter(isMeant);
  if (found[0] !== undefined && found.length === 1) return found[0];
  const over = executions.readAll().records.find(({ run }) => isMeant(run));
  if (found.length === 0 && over !== undefined) {
    throw new MnemeError(
      'conflict',
      `The run ${over.run} is over: it ${over.status === 'cancelled' ? 'was ' : ''}${over.status}.`,
      {
        hint: `\`mneme procedure runs ${over.run}\` shows what it did.`,
      },
    );
  }
  throw noSuchRun(wanted, found);
}
