import { z } from 'zod';
import { newItemId } from '../../model/ids.ts';
import { localTime } from '../../model/time.ts';
import { decide } from '../../memory/procedures/decision/decide.ts';
import type { Json, Variables } from '../../memory/procedures/expression/json.ts';
import type { KnownProcedure } from '../../memory/procedures/procedures.ts';
import type { RunPlan } from '../../memory/procedures/workflow/plan.ts';
import type { OperationContext } from '../context.ts';
import type { Workflows } from './open-workflows.ts';
import { defineOperation } from '../operation.ts';
import { driveTaken, recordEvent, takeRun, type RunControls } from './drive.ts';
import { getProcedure } from './find-procedure.ts';
import { values } from './json-input.ts';
import { assertRunnable, planRun, type PlannedRun } from './plan-run.ts';
import type { RunResult } from './run-result.ts';
import { settleEnded } from './settle.ts';

const input = z.object({
  name: z.string().trim().min(1).describe('The procedure, by name or path.'),
  input: values.default({}).describe('Values its conditions and actions can use.'),
  assume: z.boolean().default(false).describe('Take conditions in plain words for met instead of asking.'),
  byHand: z.boolean().default(false).describe('Steps whose action nobody registered are done by whoever runs it.'),
  because: z.string().default('asked').describe('Why it is run: asked, keyword, cron, an event.'),
});

export type RunProcedureInput = z.input<typeof input>;

export const runProcedure = defineOperation({
  name: 'procedure run',
  summary: 'Run a procedure with the actions that are registered; a decision tree is walked.',
  input,
  effect: 'write',
  withoutLease: 'own',
  run: (context, given): Promise<RunResult> => startProcedure(context, given),
});

export async function startProcedure(
  context: OperationContext,
  given: z.output<typeof input>,
  controls: RunControls = {},
): Promise<RunResult> {
  await settleEnded(context);
  const workflows = await context.parts.workflows();
  const known = getProcedure(workflows.store, given.name);
  const { tree, steps } = known.procedure;
  if (tree !== undefined && steps.length === 0) return walkTree(context, known, given.input);
  const planned = planRun(workflows, known, given);
  assertRunnable(known, planned);
  return start(context, workflows, planned, given, controls);
}

async function start(
  context: OperationContext,
  workflows: Workflows,
  { plan, findings }: PlannedRun,
  { input: given, because }: z.output<typeof input>,
  controls: RunControls,
): Promise<RunResult> {
  const run = `run_${newItemId((length) => context.random.bytes(length))}`;
  const lock = takeRun(context, run);
  const atMs = context.clock.now();
  const event = { type: 'started', atMs, run, plan, input: given, because, by: context.actor } as const;
  try {
    const state = await recordEvent(workflows, undefined, { ...event, moment: momentOf(context) }, run);
    const result = await driveTaken(context, lock, state, controls);
    return { ...result, notes: [...findings.map(({ message, line }) => noteOf(plan, message, line)), ...result.notes] };
  } finally {
    await workflows.journal.release(run);
    lock.release();
  }
}

function noteOf({ path }: RunPlan, message: string, line: number | undefined): string {
  return `${path}${line === undefined ? '' : `:${line}`}: ${message}.`;
}

const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

/** What conditions may ask of the time: frozen at the start, so that a run resumed tomorrow decides as it began. */
function momentOf({ clock, config }: OperationContext): Variables {
  const { date, time } = localTime(clock.now(), config.time_zone);
  const weekday = WEEKDAY.format(new Date(`${date}T12:00:00Z`)).toLowerCase();
  return { today: date, time, hour: Number(time.slice(0, 2)), weekday };
}

function walkTree(
  context: OperationContext,
  { path, procedure }: KnownProcedure,
  facts: Record<string, Json>,
): RunResult {
  const { tree, name, frontmatter } = procedure;
  const decision = tree === undefined ? null : decide(tree, { ...facts, ...momentOf(context) });
  return {
    run: '',
    path,
    name,
    version: frontmatter.version ?? '1',
    status: decision?.outcome === null ? 'waiting' : 'succeeded',
    started: new Date(context.clock.now()).toISOString(),
    ms: 0,
    steps: [],
    said: [],
    question: null,
    error: null,
    assumed: [],
    withheld: [],
    answers: {},
    decision,
    mutation: null,
    notes: [],
  };
}
