import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { nextMove } from '../../memory/procedures/workflow/next.ts';
import type { RunEvent, RunState } from '../../memory/procedures/workflow/state.ts';
import type { OperationContext } from '../context.ts';
import type { Workflows } from './open-workflows.ts';
import { defineVerb } from '../verb.ts';
import { driveTaken, recordEvent, takeRun, type RunControls } from './drive.ts';
import type { RunResult } from './run-result.ts';
import { getLiveRun } from './runs.ts';
import { controlsAtTerminal, hasUnstoppedStep, registerTyped } from './at-terminal.ts';
import { values, valuesOf, verdictOf } from './typed-values.ts';

const VERDICTS = ['yes', 'no', 'again', 'skip'] as const;

const input = z.object({
  run: z.string().trim().min(1).describe('The run, by its id or the beginning of it.'),
  answer: z.enum(VERDICTS).optional().describe('What it asked for: yes (or done), no (or failed), again, skip.'),
  text: z.string().optional().describe('With the answer: what a person typed, or why it failed.'),
  input: values.default({}).describe('Values to give again or to change.'),
});

/** As for a run; `answer` is what is said to the open question here, so who is asked further ones is `onAnswer`. */
interface ResumeControls extends Omit<RunControls, 'answer'> {
  readonly onAnswer?: RunControls['answer'];
}

export const resumeRun = defineVerb({
  name: 'procedure resume',
  summary: 'Go on with a run that was paused, waits for an answer or was interrupted.',
  examples: ['mneme procedure resume run_4k --answer yes'],
  input,
  args: ['run'],
  effect: 'write',
  withoutLease: 'own',
  run: (context, given, { onAnswer, ...others }: ResumeControls = {}): Promise<RunResult> =>
    goOn(context, given, { ...others, answer: onAnswer }),
  http: { isLong: true },
  library: { name: 'procedures.resume' },
  cli: {
    options: {
      answer: { parse: verdictOf, value: 'answer', help: 'yes or done, no or failed, again, skip' },
      text: { value: 'words' },
      input: {
        flag: 'set',
        parse: valuesOf,
        help: 'value to give again or to change; may be repeated',
      },
    },
    extra: { actions: { flags: '--actions <file>', help: 'the same module as when it was started' } },
    prepare({ input: { run = '', ...rest } }) {
      const { text, answer } = rest;
      if (text === undefined || answer !== undefined) return { ...rest, run };
      throw new MnemeError('usage', '--text goes with --answer.');
    },
    controls(progress) {
      const { answer: onAnswer, ...others } = controlsAtTerminal(progress);
      return { ...others, onAnswer };
    },
    async around({ input, extra }, call) {
      await registerTyped(call.context, extra);
      return call.run({ ...input, run: input.run ?? '' });
    },
    notes: ({ notes }) => notes,
    exitCode: ({ status }) => (status === 'succeeded' ? 'ok' : 'failure'),
    leavesWork: hasUnstoppedStep,
  },
  render: async ({ style }, output) => (await import('./render-runs.ts')).renderRun(style, output),
});

async function goOn(
  context: OperationContext,
  given: z.output<typeof input>,
  controls: RunControls,
): Promise<RunResult> {
  const workflows = await context.parts.workflows();
  const run = getLiveRun(workflows, given.run);
  const lock = takeRun(context, run);
  try {
    const state = workflows.journal.read(run);
    if (state === undefined) throw new MnemeError('conflict', `The run ${run} has just ended.`);
    return await driveTaken(context, lock, await prepare(context, state, given), controls);
  } finally {
    await workflows.journal.release(run);
    lock.release();
  }
}

/** Writes down what came in between: the trace of a crash, values, an answer, the end of a pause. */
async function prepare(context: OperationContext, before: RunState, given: z.output<typeof input>): Promise<RunState> {
  const open = await context.parts.workflows();
  const atMs = context.clock.now();
  let state = before;
  const record = async (event: RunEvent): Promise<void> => {
    state = await recordEvent(open, state, event, state.run);
  };
  if (state.ending !== undefined) return state;
  // A wish that nobody was there to hear has been overtaken by this one.
  open.journal.takeWish(state.run);
  if (Object.keys(given.input).length > 0) await record({ type: 'supplied', atMs, values: given.input });
  assertComplete(state);
  assertActions(open, state);
  if (state.isPaused) await record({ type: 'resumed', atMs, by: context.actor });
  if (state.stage === 'steps' && state.phase === 'in-flight') {
    const move = nextMove(state, atMs);
    if (move.do === 'record') await record(move.event);
  }
  if (given.answer === undefined) return state;
  if (state.question === undefined) {
    throw new MnemeError('usage', `The run ${state.run} asked nothing.`, { hint: 'Resume it without an answer.' });
  }
  const { answer: verdict, text } = given;
  const answer = { verdict, ...(text === undefined ? {} : { text }) };
  await record({ type: 'answered', atMs, answer, by: context.actor });
  return state;
}

function assertComplete({ run, withheld }: RunState): void {
  if (withheld.length === 0) return;
  throw new MnemeError('refused', `${withheld.join(', ')} looked like a secret and was not kept.`, {
    hint: `Give it again: mneme procedure resume ${run} --set ${withheld[0] ?? 'NAME'}=VALUE`,
  });
}

function assertActions({ actions }: Workflows, { plan, at, stage }: RunState): void {
  if (stage === 'after') return;
  for (const { work, label } of plan.steps.slice(stage === 'before' ? 0 : at)) {
    if (work.kind !== 'call' || actions.find(work.call.name) !== undefined) continue;
    throw new MnemeError(
      'refused',
      `Step ${label} needs the action "${work.call.name}", which nobody registered here.`,
      {
        hint: 'Give the same --actions FILE (or m.registerAction) as when it was started.',
      },
    );
  }
}
