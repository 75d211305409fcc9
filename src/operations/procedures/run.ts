import { z } from 'zod';
import { newItemId } from '../../model/ids.ts';
import { localTime } from '../../model/time.ts';
import { decide } from '../../memory/procedures/decision/decide.ts';
import type { Json, Variables } from '../../memory/procedures/expression/evaluate.ts';
import type { KnownProcedure } from '../../memory/procedures/procedures.ts';
import type { RunPlan } from '../../memory/procedures/workflow/plan.ts';
import type { OperationContext } from '../context.ts';
import type { Workflows } from './open-workflows.ts';
import { defineVerb } from '../verb.ts';
import { driveTaken, recordEvent, takeRun, type RunControls } from './drive.ts';
import { type PlannedRun, assertRunnable, getProcedure, planRun } from './find-procedure.ts';
import type { RunResult } from './run-result.ts';
import { settleEnded } from './settle.ts';
import { MnemeError } from '../../model/errors.ts';
import { askTree, controlsAtTerminal, hasUnstoppedStep, registerTyped } from './at-terminal.ts';
import { values, valuesOf } from './typed-values.ts';

const input = z.object({
  name: z.string().trim().min(1).describe('The procedure, by name or path.'),
  input: values.default({}).describe('Values its conditions and actions can use.'),
  assume: z.boolean().default(false).describe('Take conditions in plain words for met instead of asking.'),
  byHand: z.boolean().default(false).describe('Steps whose action nobody registered are done by whoever runs it.'),
  because: z.string().default('asked').describe('Why it is run: asked, keyword, cron, an event.'),
});

export type RunProcedureInput = z.input<typeof input>;

export type RunOptions = Omit<RunProcedureInput, 'name'> & RunControls;

export const runProcedure = defineVerb({
  name: 'procedure run',
  summary: 'Run a procedure, or walk a decision tree.',
  description:
    'A run does only what is built in (say, remember, recall, wait, decide, confirm, ask) and what a file given with --actions registers. On a terminal, questions are asked; elsewhere the run waits and `procedure resume RUN --answer …` goes on. Exits 0 only when it succeeded.',
  examples: ['mneme procedure run release --set tag=v2', 'mneme procedure run --due'],
  input,
  args: ['name'],
  effect: 'write',
  withoutLease: 'own',
  run: (context, given, controls?: RunControls): Promise<RunResult> => startProcedure(context, given, controls),
  http: { isLong: true },
  library: { name: 'procedures.run' },
  cli: {
    options: {
      name: { isRequired: false },
      input: {
        flag: 'set',
        parse: valuesOf,
        help: 'value its conditions and actions can use; may be repeated',
      },
      because: false,
    },
    extra: {
      actions: { flags: '--actions <file>', help: 'a module that exports `actions`: what else the run may do' },
      due: { flags: '--due', help: 'run those whose schedule (triggers.cron) has come due' },
    },
    async instead({ input: { name, assume }, extra }) {
      if (extra['due'] !== true) return undefined;
      if (name !== undefined) throw new MnemeError('usage', '--due runs what is due; it takes no name.');
      return { verb: (await import('./run-due.ts')).runDueProcedures, typed: { input: { assume }, extra } };
    },
    prepare({ input: { name, ...rest } }) {
      if (name !== undefined) return { ...rest, name };
      throw new MnemeError('usage', 'Which procedure?', { hint: '`mneme procedure list` shows those there are.' });
    },
    controls: controlsAtTerminal,
    async around({ input, extra }, call) {
      const given = { ...input, name: input.name ?? '' };
      await registerTyped(call.context, extra);
      const result = await call.run(given);
      const ask = call.progress?.ask;
      if (ask === undefined) return result;
      return askTree(ask, result, input.input ?? {}, (facts) => call.run({ ...given, input: facts }));
    },
    notes: ({ notes }) => notes,
    exitCode: ({ status }) => (status === 'succeeded' ? 'ok' : 'failure'),
    leavesWork: hasUnstoppedStep,
  },
  render: async ({ style }, output) => (await import('./render-runs.ts')).renderRun(style, output),
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

/** The time values for conditions: frozen at the start, so that a run resumed tomorrow decides as it began. */
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
