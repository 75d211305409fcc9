import { MnemeError, must } from '../../../model/errors.ts';
import type { Json, Variables } from '../expression/evaluate.ts';
import type { PlannedStep, RunPlan } from './plan.ts';

/** The kind of a condition, by its place in a run. */
export type CheckPlace = 'before' | 'step' | 'expected' | 'after';

/** A question that a run waits for, and its possible answers. */
export interface Question {
  readonly kind: 'condition' | 'by-hand' | 'yes' | 'text' | 'unknown';
  readonly text: string;
}

/**
 * An answer to a question: `yes` also means that it was done, `no` that it was not; `skip` goes on without the step,
 * `again` repeats it. To a step that was cut off, `no` means that it took no effect, so it is done again.
 */
export interface Answer {
  readonly verdict: 'yes' | 'no' | 'again' | 'skip';
  readonly text?: string | undefined;
}

/** `unknown`: it may or may not have taken effect (a crash, an action that never came back). */
export type CallOutcome = 'ok' | 'failed' | 'unknown';

/**
 * Everything that happens to a run, in the order it is written down; the state is what follows from it. `begun` is
 * written before an action is called and `ended` after it, so that a crash in between shows.
 */
export type RunEvent = { readonly atMs: number } & (
  | {
      readonly type: 'started';
      readonly run: string;
      readonly plan: RunPlan;
      readonly input: Variables;
      /** Day and hour in the home's zone, for conditions. */
      readonly moment: Variables;
      readonly by: string;
      readonly because: string;
    }
  | {
      readonly type: 'checked';
      readonly place: CheckPlace;
      readonly isMet: boolean;
      /** `assumed`: in plain words, and whoever started the run said such conditions count as met. */
      readonly how: 'computed' | 'assumed';
      readonly error?: string | undefined;
    }
  /** The input of the action cannot be computed; nothing was called. */
  | { readonly type: 'unfit'; readonly step: number; readonly error: string }
  | { readonly type: 'begun'; readonly step: number; readonly attempt: number; readonly call: string }
  | {
      readonly type: 'ended';
      readonly step: number;
      readonly attempt: number;
      readonly outcome: CallOutcome;
      readonly answer?: Json | undefined;
      readonly error?: string | undefined;
      /** A note for the user about an answer that was taken all the same. */
      readonly note?: string | undefined;
      /** The answer of an earlier run was used; nothing was called. */
      readonly isCached?: boolean | undefined;
    }
  | { readonly type: 'asked'; readonly question: Question }
  | { readonly type: 'answered'; readonly answer: Answer; readonly by: string }
  | { readonly type: 'paused' | 'resumed'; readonly by: string }
  | { readonly type: 'cancelled'; readonly by: string; readonly why: string }
  /** Values that were not kept because they looked like secrets, given again. */
  | { readonly type: 'supplied'; readonly values: Variables }
);

/** An event as the journal has it: names of values that were taken out because they looked like secrets. */
export type KeptEvent = RunEvent & { readonly withheld?: readonly string[] | undefined };

export type Ending = 'succeeded' | 'failed' | 'cancelled';
export type RunStatus = Ending | 'running' | 'waiting' | 'paused';

/** Where in a step the run is. */
export type StepPhase = 'condition' | 'ready' | 'in-flight' | 'expected';

/** The outcome of one step. */
export interface StepReport {
  readonly label: string;
  readonly description: string;
  readonly outcome: 'ok' | 'not-needed' | 'skipped' | 'failed' | 'fell-back' | 'under-way';
  readonly attempts: number;
  readonly failures: number;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly error?: string | undefined;
  readonly note?: string | undefined;
  readonly answer?: Json | undefined;
  /** Of the action's name and what it was given; '' for what is done by hand. */
  readonly call: string;
  readonly isCached: boolean;
}

/** A run: what follows from its events. */
export interface RunState {
  readonly run: string;
  readonly plan: RunPlan;
  /** The number of events so far; whoever writes the next one must know them all. */
  readonly events: number;
  readonly startedMs: number;
  readonly lastMs: number;
  readonly by: string;
  readonly because: string;
  readonly variables: Variables;
  readonly stage: 'before' | 'steps' | 'after';
  /** The number of the next pre- or postcondition. */
  readonly check: number;
  /** The number of the step; only in the stage of steps. */
  readonly at: number;
  readonly phase: StepPhase;
  /** The number of times the present step was begun. */
  readonly attempts: number;
  /** Of those, how many did not end well. */
  readonly failures: number;
  readonly notBeforeMs: number;
  readonly question: Question | undefined;
  readonly isPaused: boolean;
  readonly ending: Ending | undefined;
  readonly failure: string | undefined;
  readonly reports: readonly StepReport[];
  /** Conditions in plain words that nobody answered. */
  readonly assumed: readonly string[];
  /** Names of values that have to be given again before it can go on. */
  readonly withheld: readonly string[];
}

export function statusOf({ ending, isPaused, question }: RunState): RunStatus {
  return ending ?? (isPaused ? 'paused' : question === undefined ? 'running' : 'waiting');
}

export function currentStep({ plan, at }: RunState): PlannedStep {
  return must(plan.steps[at], 'the step a run is at');
}

export function startState(event: RunEvent & { readonly type: 'started' }): RunState {
  const { run, plan, input, moment, by, because, atMs } = event;
  return {
    run,
    plan,
    events: 1,
    startedMs: atMs,
    lastMs: atMs,
    by,
    because,
    variables: { ...input, ...moment, input },
    stage: 'before',
    check: 0,
    at: 0,
    phase: 'condition',
    attempts: 0,
    failures: 0,
    notBeforeMs: 0,
    question: undefined,
    isPaused: false,
    ending: undefined,
    failure: undefined,
    reports: [],
    assumed: [],
    withheld: [],
  };
}

/** The state at the beginning of a step, or of what comes after the last one. */
export function goTo(state: RunState, next: number | null): RunState {
  const fresh = { ...state, attempts: 0, failures: 0, notBeforeMs: 0, question: undefined };
  if (next === null) return endIfDone({ ...fresh, stage: 'after', check: 0 });
  const hasCondition = state.plan.steps[next]?.condition !== undefined;
  return { ...fresh, stage: 'steps', at: next, phase: hasCondition ? 'condition' : 'ready' };
}

/** Without postconditions left the run has succeeded. */
export function endIfDone(state: RunState): RunState {
  return state.check < state.plan.postconditions.length ? state : { ...state, ending: 'succeeded' };
}

export function fail(state: RunState, failure: string): RunState {
  return { ...state, question: undefined, ending: 'failed', failure };
}

/** Notes what is known of the present step, in place of what was noted of it before. */
export function report(state: RunState, given: Partial<StepReport> & Pick<StepReport, 'outcome'>): RunState {
  const { label, description } = currentStep(state);
  const last = state.reports.at(-1);
  const isSame = last?.label === label;
  const before: StepReport = isSame
    ? last
    : {
        label,
        description,
        outcome: 'under-way',
        attempts: 0,
        failures: 0,
        startedMs: state.lastMs,
        endedMs: state.lastMs,
        call: '',
        isCached: false,
      };
  const { attempts, failures, lastMs: endedMs } = state;
  const next = { ...before, attempts, failures, endedMs, ...given };
  return { ...state, reports: [...(isSame ? state.reports.slice(0, -1) : state.reports), next] };
}

/** Names by which later steps refer to an answer: `last`, `step2`, and the name the step gives it. */
export function answerNames({ label, saveAs }: Pick<PlannedStep, 'label' | 'saveAs'>): string[] {
  return ['last', `step${label.replaceAll('.', '_')}`, ...(saveAs === undefined ? [] : [saveAs])];
}

export function keepAnswer(state: RunState, answer: Json): RunState {
  const { label, saveAs } = currentStep(state);
  const names = answerNames({ label, saveAs });
  return { ...state, variables: { ...state.variables, ...Object.fromEntries(names.map((name) => [name, answer])) } };
}

export function impossible(state: RunState | undefined, event: RunEvent): MnemeError {
  const where = state === undefined ? 'before its start' : `while ${statusOf(state)}`;
  return new MnemeError('integrity', `The journal of a run cannot be: "${event.type}" ${where}.`, {
    hint: 'Cancel the run with `mneme procedure cancel`; what it did is in its journal.',
  });
}
