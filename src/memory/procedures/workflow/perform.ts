import { errorMessage } from '../../../model/errors.ts';
import type { Json } from '../expression/evaluate.ts';
import type { Action, ActionContext } from './actions.ts';
import type { CallOutcome } from './state.ts';

/** Waits, or stops waiting when the signal is aborted; never rejects. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export interface CallLimits {
  readonly timeoutMs: number;
  /** The time an action that was told to stop gets to do so. */
  readonly graceMs: number;
  readonly sleep: Sleep;
  /** Aborted when somebody wants the run to end now. */
  readonly signal: AbortSignal;
}

export interface Performed extends Partial<KeptAnswer> {
  readonly outcome: CallOutcome;
  readonly error?: string | undefined;
}

/** The end of the error of an action that may still be running. */
export const DID_NOT_STOP = 'did not stop';

type Settled = { readonly kind: 'gave'; readonly value: unknown } | { readonly kind: 'threw'; readonly error: unknown };
type Raced = Settled | 'timeout' | 'cancelled';

/**
 * Calls an action. One that throws has failed; one that does not come back, or comes back only after it was told to
 * stop, may have taken effect, and nobody knows.
 */
export async function perform(
  action: Action,
  given: Readonly<Record<string, Json>>,
  context: Omit<ActionContext, 'signal'>,
  { timeoutMs, graceMs, sleep, signal }: CallLimits,
): Promise<Performed> {
  const controller = new AbortController();
  const timer = new AbortController();
  const call = settle(() => action.perform(given, { ...context, signal: controller.signal }));
  const raced: Raced = await Promise.race([
    call,
    sleep(timeoutMs, timer.signal).then((): Raced => 'timeout'),
    aborted(signal, timer.signal),
  ]);
  timer.abort();
  if (typeof raced !== 'string') return describe(raced);
  controller.abort();
  const why = raced === 'timeout' ? `it took longer than ${timeoutMs} ms` : 'it was cancelled';
  const grace = new AbortController();
  const late = await Promise.race([call, sleep(graceMs, grace.signal).then(() => undefined)]);
  grace.abort();
  if (late === undefined) return { outcome: 'unknown', error: `${why} and ${DID_NOT_STOP}` };
  if (late.kind === 'threw') return { outcome: 'failed', error: why };
  return { outcome: 'unknown', error: `${why} and came back only when it was told to stop` };
}

async function settle(body: () => unknown): Promise<Settled> {
  try {
    return { kind: 'gave', value: await body() };
  } catch (error) {
    return { kind: 'threw', error };
  }
}

function describe(settled: Settled): Performed {
  if (settled.kind === 'threw') return { outcome: 'failed', error: thrownText(settled.error) };
  return { outcome: 'ok', ...keepable(settled.value) };
}

function aborted(signal: AbortSignal, until: AbortSignal): Promise<Raced> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('cancelled');
    else signal.addEventListener('abort', () => resolve('cancelled'), { once: true, signal: until });
  });
}

/** The part of an answer that a run keeps; more belongs in a file. */
const MAX_ANSWER_CHARACTERS = 64 * 1024;
const MAX_ERROR_CHARACTERS = 500;

interface KeptAnswer {
  readonly answer: Json;
  /** Why it is not what the action gave. */
  readonly note?: string | undefined;
}

/** Turns the result of an action into a value that can be stored and compared. */
function keepable(value: unknown): KeptAnswer {
  if (value === undefined || value === null) return { answer: null };
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined) return { answer: null, note: `its answer is a ${typeof value}, which cannot be kept` };
    if (text.length > MAX_ANSWER_CHARACTERS) {
      return { answer: null, note: `its answer of ${text.length} characters is too long to keep` };
    }
    return { answer: JSON.parse(text) as Json };
  } catch (error) {
    return { answer: null, note: `its answer cannot be kept: ${firstLine(errorMessage(error))}` };
  }
}

/** Anything may be thrown, also nothing. */
function thrownText(error: unknown): string {
  const text = error === undefined || error === null ? 'it failed without saying why' : firstLine(errorMessage(error));
  return text === '' ? 'it failed without saying why' : text;
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length <= MAX_ERROR_CHARACTERS ? line : `${line.slice(0, MAX_ERROR_CHARACTERS - 1).toWellFormed()}…`;
}
