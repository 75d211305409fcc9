import { backOffMs } from './plan.ts';
import {
  type Answer,
  type CallOutcome,
  type CheckPlace,
  type KeptEvent,
  type Question,
  type RunEvent,
  type RunState,
  currentStep,
  endIfDone,
  fail,
  goTo,
  impossible,
  keepAnswer,
  report,
  startState,
} from './state.ts';

/** The state after an event: pure, so that what the journal says is what happened. */
export function applyEvent(state: RunState | undefined, event: KeptEvent): RunState {
  if (event.type === 'started') {
    if (state !== undefined) throw impossible(state, event);
    return withheld(enter(startState(event)), event);
  }
  if (state === undefined) throw impossible(state, event);
  const now = { ...state, events: state.events + 1, lastMs: Math.max(state.lastMs, event.atMs) };
  if (state.ending !== undefined) {
    // An action under way when the run was cancelled may still come back; nothing follows from it any more.
    if (event.type !== 'ended' || state.phase !== 'in-flight') throw impossible(state, event);
    const { outcome, answer, error } = event;
    return report({ ...now, phase: 'ready' }, { outcome: outcome === 'ok' ? 'ok' : 'failed', answer, error });
  }
  return withheld(step(now, event), event);
}

/** The state after all of a run's events; undefined when there are none. */
export function replay(events: readonly KeptEvent[]): RunState | undefined {
  let state: RunState | undefined;
  for (const event of events) state = applyEvent(state, event);
  return state;
}

function step(state: RunState, event: Exclude<RunEvent, { readonly type: 'started' }>): RunState {
  switch (event.type) {
    case 'checked':
      if (state.question !== undefined) throw impossible(state, event);
      return afterCheck(event.how === 'assumed' ? assumed(state, event.place) : state, event);
    case 'unfit':
      if (state.phase !== 'ready' || event.step !== state.at) throw impossible(state, event);
      return afterFailure(state, 'failed', event.error, 'no-retry');
    case 'begun':
      if (state.phase !== 'ready' || event.step !== state.at || state.stage !== 'steps') throw impossible(state, event);
      return report(
        { ...state, phase: 'in-flight', attempts: event.attempt },
        { outcome: 'under-way', call: event.call },
      );
    case 'ended':
      if (state.phase !== 'in-flight' || event.step !== state.at) throw impossible(state, event);
      return afterCall(state, event);
    case 'asked':
      return { ...state, question: event.question };
    case 'answered':
      if (state.question === undefined) throw impossible(state, event);
      return afterAnswer({ ...state, question: undefined }, state.question, event.answer);
    case 'paused':
      return { ...state, isPaused: true };
    case 'resumed':
      return { ...state, isPaused: false };
    case 'cancelled': {
      const failure = `cancelled by ${event.by}${event.why === '' ? '' : `: ${event.why}`}`;
      return { ...state, question: undefined, ending: 'cancelled', failure };
    }
    case 'supplied': {
      const names = Object.keys(event.values);
      const left = state.withheld.filter((name) => !names.includes(name));
      return { ...state, variables: { ...state.variables, ...event.values }, withheld: left };
    }
  }
}

function withheld(state: RunState, { withheld: names = [] }: KeptEvent): RunState {
  return names.length === 0 ? state : { ...state, withheld: [...new Set([...state.withheld, ...names])] };
}

/** Past the preconditions, when there are none (left). */
function enter(state: RunState): RunState {
  return state.check < state.plan.preconditions.length ? state : goTo(state, state.plan.steps.length === 0 ? null : 0);
}

function assumed(state: RunState, place: CheckPlace): RunState {
  return { ...state, assumed: [...state.assumed, checkText(state, place)] };
}

function checkText(state: RunState, place: CheckPlace): string {
  const { preconditions, postconditions } = state.plan;
  if (place === 'before') return preconditions[state.check]?.text ?? '';
  if (place === 'after') return postconditions[state.check]?.text ?? '';
  const { condition, expected } = currentStep(state);
  return (place === 'step' ? condition?.text : expected?.text) ?? '';
}

interface Checked {
  readonly place: CheckPlace;
  readonly isMet: boolean;
  readonly error?: string | undefined;
}

function afterCheck(state: RunState, { place, isMet, error }: Checked): RunState {
  const text = checkText(state, place);
  const because = error === undefined ? '' : ` (${error})`;
  if (place === 'before') {
    return isMet ? enter({ ...state, check: state.check + 1 }) : fail(state, `Precondition not met: ${text}${because}`);
  }
  if (place === 'after') {
    return isMet
      ? endIfDone({ ...state, check: state.check + 1 })
      : fail(state, `Postcondition not met: ${text}${because}`);
  }
  if (place === 'expected') {
    if (isMet) return succeed(state);
    return afterFailure(state, 'failed', `expected ${text}${because}`);
  }
  if (error !== undefined) return afterFailure(state, 'failed', `its condition ${text} failed${because}`, 'no-retry');
  return isMet ? { ...state, phase: 'ready' } : goTo(report(state, { outcome: 'not-needed' }), currentStep(state).next);
}

function afterCall(state: RunState, event: RunEvent & { readonly type: 'ended' }): RunState {
  const { outcome, answer = null, error, note, isCached = false } = event;
  if (outcome !== 'ok') return afterFailure(state, outcome, error ?? 'it failed');
  const kept = keepAnswer(report(state, { outcome: 'under-way', answer, note, isCached }), answer);
  return currentStep(kept).expected === undefined ? succeed(kept) : { ...kept, phase: 'expected' };
}

function succeed(state: RunState): RunState {
  return goTo(report(state, { outcome: 'ok', error: undefined }), currentStep(state).next);
}

/**
 * Applies a step's `on error`. Of what may have taken effect already, only what is idempotent is done again without
 * asking; where nothing is written about errors, or only that it be tried again, the user is asked.
 */
function afterFailure(
  given: RunState,
  outcome: Exclude<CallOutcome, 'ok'>,
  error: string,
  retry?: 'no-retry',
): RunState {
  const state = report({ ...given, failures: given.failures + 1 }, { outcome: 'failed', error });
  const { rule, isIdempotent } = currentStep(state);
  const isUnknown = outcome === 'unknown';
  const retries = isUnknown && isIdempotent ? Math.max(1, rule.retries) : rule.retries;
  const mayRepeat = retry === undefined && state.failures <= retries;
  if (mayRepeat && (!isUnknown || isIdempotent)) {
    return { ...state, phase: 'ready', notBeforeMs: state.lastMs + backOffMs(rule, state.failures) };
  }
  if (isUnknown && !isIdempotent && (rule.isDefault || mayRepeat))
    return { ...state, question: unknownQuestion(state) };
  return giveUp(state, error);
}

function giveUp(state: RunState, error: string): RunState {
  const { rule, next, fallback, label } = currentStep(state);
  if (rule.lastly === 'skip') return goTo(report(state, { outcome: 'skipped' }), next);
  if (rule.lastly === 'fallback' && fallback !== undefined) {
    return goTo(report(state, { outcome: 'fell-back' }), fallback);
  }
  return fail(state, `Step ${label} failed: ${error}`);
}

function unknownQuestion(state: RunState): Question {
  const { label, description } = currentStep(state);
  return {
    kind: 'unknown',
    text: `Step ${label} (${description}) was under way when it was cut off. Did it take effect?`,
  };
}

function afterAnswer(state: RunState, question: Question, { verdict, text }: Answer): RunState {
  if (question.kind === 'condition') {
    const place = state.stage === 'steps' ? 'step' : state.stage;
    return afterCheck(state, { place, isMet: verdict === 'yes' });
  }
  if (verdict === 'skip') return goTo(report(state, { outcome: 'skipped' }), currentStep(state).next);
  const isRepeated = verdict === 'again' || (verdict === 'no' && question.kind === 'unknown');
  if (isRepeated) return { ...state, phase: 'ready', notBeforeMs: 0 };
  const begun = question.kind === 'unknown' ? state : { ...state, attempts: state.attempts + 1 };
  if (verdict === 'no') return afterFailure(begun, 'failed', text ?? 'the answer was no');
  const answer = question.kind === 'yes' ? true : (text ?? null);
  const kept = keepAnswer(report(begun, { outcome: 'under-way', answer }), answer);
  return currentStep(kept).expected === undefined ? succeed(kept) : { ...kept, phase: 'expected' };
}
