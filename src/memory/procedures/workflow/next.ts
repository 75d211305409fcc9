import { hash } from 'node:crypto';
import { errorMessage, isMnemeError } from '../../../model/errors.ts';
import { type Json, type Variables, evaluateText, isTrue, jsonText } from '../expression/evaluate.ts';
import { fillCall } from './call.ts';
import type { Check, PlannedStep } from './plan.ts';
import { type CheckPlace, type Question, type RunEvent, type RunState, currentStep, statusOf } from './state.ts';

/** The next move of the engine. */
export type NextMove =
  | { readonly do: 'record'; readonly event: RunEvent }
  | {
      readonly do: 'call';
      readonly step: PlannedStep;
      readonly action: string;
      readonly given: Readonly<Record<string, Json>>;
      readonly begun: RunEvent & { readonly type: 'begun' };
    }
  | { readonly do: 'wait'; readonly untilMs: number }
  | { readonly do: 'stop' };

/** Decides from the state and the time alone. Called for a step that is in flight, it finds the trace of a crash. */
export function nextMove(state: RunState, nowMs: number): NextMove {
  if (statusOf(state) !== 'running') return { do: 'stop' };
  if (state.stage === 'before') return check(state, 'before', state.plan.preconditions[state.check], nowMs);
  if (state.stage === 'after') return check(state, 'after', state.plan.postconditions[state.check], nowMs);
  const step = currentStep(state);
  switch (state.phase) {
    case 'condition':
      return check(state, 'step', step.condition, nowMs);
    case 'expected':
      return check(state, 'expected', step.expected, nowMs);
    case 'in-flight':
      return record({ ...ended(state, nowMs), outcome: 'unknown', error: CUT_OFF });
    case 'ready':
      return state.notBeforeMs > nowMs ? { do: 'wait', untilMs: state.notBeforeMs } : begin(state, step, nowMs);
  }
}

const CUT_OFF = 'the process ended while it was under way';

function record(event: RunEvent): NextMove {
  return { do: 'record', event };
}

function ended(state: RunState, atMs: number): Omit<RunEvent & { readonly type: 'ended' }, 'outcome'> {
  return { type: 'ended', atMs, step: state.at, attempt: state.attempts };
}

function check(state: RunState, place: CheckPlace, wanted: Check | undefined, atMs: number): NextMove {
  if (wanted?.expression === undefined) {
    if (state.plan.assumesMet) return record({ type: 'checked', atMs, place, isMet: true, how: 'assumed' });
    return record({ type: 'asked', atMs, question: { kind: 'condition', text: wanted?.text ?? '' } });
  }
  const variables =
    place === 'expected' ? { ...state.variables, output: state.variables['last'] ?? null } : state.variables;
  return record({ type: 'checked', atMs, place, how: 'computed', ...compute(wanted.expression, variables) });
}

function compute(expression: string, variables: Variables): { readonly isMet: boolean; readonly error?: string } {
  try {
    return { isMet: isTrue(evaluateText(expression, variables)) };
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return { isMet: false, error: errorMessage(error) };
  }
}

function begin(state: RunState, step: PlannedStep, atMs: number): NextMove {
  const { work } = step;
  if (work.kind === 'by-hand') return record({ type: 'asked', atMs, question: { kind: 'by-hand', text: work.text } });
  const attempt = state.attempts + 1;
  const filled = fill(step, state.variables);
  if (filled.error !== undefined) return record({ type: 'unfit', atMs, step: state.at, error: filled.error });
  if (work.kind === 'ask') return record({ type: 'asked', atMs, question: questionOf(step, filled.given, work.wants) });
  const action = work.call.name;
  const call = hash('sha256', JSON.stringify([action.toLowerCase(), filled.given])).slice(0, 16);
  return {
    do: 'call',
    step,
    action,
    given: filled.given,
    begun: { type: 'begun', atMs, step: state.at, attempt, call },
  };
}

interface Filled {
  readonly given: Readonly<Record<string, Json>>;
  readonly error?: string | undefined;
}

function fill({ work }: PlannedStep, variables: Variables): Filled {
  if (work.kind === 'by-hand') return { given: {} };
  try {
    return { given: fillCall(work.call, variables) };
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return { given: {}, error: errorMessage(error) };
  }
}

function questionOf(step: PlannedStep, given: Readonly<Record<string, Json>>, kind: 'yes' | 'text'): Question {
  const said = given['text'] ?? given['question'] ?? Object.values(given)[0];
  return { kind, text: said === undefined ? step.description : jsonText(said) };
}
