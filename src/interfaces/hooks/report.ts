import { errorMessage, isMnemeError } from '../../model/errors.ts';
import type { HookAgentName, HookEvent } from '../../runtime/connect/hook-agents.ts';

/** A hook's output: to the model on standard output, to a person on standard error. */
export interface HookAnswer {
  readonly context: string | undefined;
  readonly notes: readonly string[];
  /** The fulfilled requests it reports; marked as reported once it is on its way. */
  readonly told?: ToldWishes | undefined;
}

export interface ToldWishes {
  readonly session: string;
  readonly count: number;
}

/** The job of a hook. */
export interface HookOrder {
  readonly home: string;
  readonly agent: HookAgentName;
  /** As the command line names it. */
  readonly event: string | undefined;
  /** The agent's text on standard input. */
  readonly text: string;
}

/** Activities that a hook may be in when its time is over. */
export type Activity = 'input' | 'opening' | 'lock' | 'log' | 'wish' | 'flush' | 'transcript' | 'search' | 'index';

/** The reports from the work, in this order. */
export type HookReport =
  | { readonly kind: 'started'; readonly event: HookEvent; readonly timeoutMs: number }
  | { readonly kind: 'doing'; readonly activity: Activity }
  /** It may take long without ever pausing: to be done again in a thread of its own, where it can be left behind. */
  | { readonly kind: 'heavy' }
  | { readonly kind: 'done'; readonly event: HookEvent | undefined; readonly answer: HookAnswer };

/** One line: what failed and what to do. */
export function describeFailure(error: unknown): string {
  const hint = isMnemeError(error) ? error.hint : undefined;
  return `${errorMessage(error)} ${hint ?? '`mneme check setup` says more.'}`.replaceAll(/\s+/gu, ' ').trim();
}
