import type { Json, Variables } from '../expression/json.ts';
import type { RunPlan } from './plan.ts';

/** Which condition is meant. */
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
