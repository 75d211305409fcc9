import { isMnemeError, errorMessage } from '../../../model/errors.ts';
import type { OnError, ProcedureFrontmatter } from '../../../model/schemas/procedure.ts';
import { parseDurationMs, type Step } from '../../../workspace/formats/procedure.ts';
import { parseExpression } from '../expression/parse.ts';
import type { ActionCall } from './call.ts';

/** The work of a step: it calls an action, asks the user, or is done by whoever runs the procedure. */
export type StepWork =
  | { readonly kind: 'call'; readonly call: ActionCall }
  | { readonly kind: 'ask'; readonly call: ActionCall; readonly wants: 'yes' | 'text' }
  | { readonly kind: 'by-hand'; readonly text: string };

export interface PlannedStep {
  /** `2`, or `2.1` for the first step of what stands in for step 2. */
  readonly label: string;
  readonly description: string;
  readonly work: StepWork;
  readonly condition?: Check | undefined;
  readonly expected?: Check | undefined;
  readonly timeoutMs: number;
  readonly rule: ErrorRule;
  /** Where the stand-in begins, for `fallback`. */
  readonly fallback?: number | undefined;
  /** The step after it; null when the procedure is done. */
  readonly next: number | null;
  readonly isIdempotent: boolean;
  readonly saveAs?: string | undefined;
  readonly cacheMs?: number | undefined;
}

export type Priority = NonNullable<ProcedureFrontmatter['priority']>;

/** A procedure as it will be run, frozen: what somebody edits meanwhile counts for the next run. */
export interface RunPlan {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** Of the file's steps, so that runs of the same text can be compared. */
  readonly fingerprint: string;
  readonly priority: Priority;
  readonly preconditions: readonly Check[];
  readonly steps: readonly PlannedStep[];
  readonly postconditions: readonly Check[];
  /** Conditions in plain words count as met; the record says so. */
  readonly assumesMet: boolean;
}

export interface PlanFinding {
  /** An error keeps the procedure from being run. */
  readonly severity: 'error' | 'warning';
  /** In the procedure's file; undefined when it concerns the whole. */
  readonly line?: number | undefined;
  readonly message: string;
  readonly hint: string;
}

/** The handling of a failed step: first it may be tried again, then one of three things. */
interface ErrorRule {
  readonly retries: number;
  /** Before the first repetition; doubled before each further one. */
  readonly waitMs: number;
  readonly lastly: Exclude<OnError, 'retry'>;
  /** The action of `fallback`, as written. */
  readonly fallback?: string | undefined;
  /** Nothing is written there, so `abort` was nobody's wish. */
  readonly isDefault: boolean;
}

const DEFAULT_RETRIES = 2;
/** More would only hide that it never works. */
const MAX_RETRIES = 20;
const DEFAULT_WAIT_MS = 1000;
const MAX_WAIT_MS = 60_000;

/** `retry`, `retry 3 every 5s then skip`, `fallback say text="sorry"`. */
export function readErrorRule({ onError, onErrorDetail = '' }: Pick<Step, 'onError' | 'onErrorDetail'>): ErrorRule {
  const none = { retries: 0, waitMs: DEFAULT_WAIT_MS };
  if (onError === undefined) return { ...none, lastly: 'abort', isDefault: true };
  if (onError === 'fallback') return { ...none, lastly: 'fallback', fallback: onErrorDetail.trim(), isDefault: false };
  if (onError !== 'retry') return { ...none, lastly: onError, isDefault: false };
  const [how = '', afterwards] = onErrorDetail.split(/[,;]?\s*\bthen\b\s*/iu, 2);
  const times = /(\d+)(?!\s*(?:ms|s|m|min|h)\b)/u.exec(how)?.[1];
  const pause = /(?:every|after|wait(?:ing)?)\s+(\S+)/iu.exec(how)?.[1];
  const last = /^(skip|abort|fallback)\b\s*([\s\S]*)$/iu.exec(afterwards?.trim() ?? '');
  const lastly = (last?.[1]?.toLowerCase() ?? 'abort') as ErrorRule['lastly'];
  return {
    retries: Math.min(times === undefined ? DEFAULT_RETRIES : Number(times), MAX_RETRIES),
    waitMs: parseDurationMs(pause) ?? DEFAULT_WAIT_MS,
    lastly,
    ...(lastly === 'fallback' ? { fallback: (last?.[2] ?? '').trim() } : {}),
    isDefault: false,
  };
}

/** Returns the wait before the next attempt, after so many. */
export function backOffMs({ waitMs }: Pick<ErrorRule, 'waitMs'>, attempts: number): number {
  return Math.min(waitMs * 2 ** Math.max(0, attempts - 1), Math.max(MAX_WAIT_MS, waitMs));
}

/** A condition: one that is computed, or one in plain words that somebody has to answer. */
export interface Check {
  /** As it stands in the file. */
  readonly text: string;
  /** undefined: a question for somebody. */
  readonly expression?: string | undefined;
}

export interface ReadCheck {
  readonly check: Check;
  /** Why what looks like an expression is not taken for one. */
  readonly problem?: string | undefined;
}

const CODE_AT_END = /^([\s\S]*?)`([^`]+)`\.?$/u;

/** A bullet: `The tree is clean` is a question; with an expression in code marks at its end it is computed. */
export function readCheck(text: string): ReadCheck {
  const match = CODE_AT_END.exec(text.trim());
  const source = match?.[2]?.trim();
  if (source === undefined) return { check: { text } };
  const problem = problemOf(source);
  return problem === undefined ? { check: { text, expression: source } } : { check: { text }, problem };
}

/** Reads the condition behind `if:`, where an expression needs no marks around it. */
export function readCondition(text: string): ReadCheck {
  const marked = readCheck(text);
  if (marked.check.expression !== undefined || marked.problem !== undefined) return marked;
  const problem = problemOf(text);
  if (problem === undefined) return { check: { text, expression: text.trim() } };
  return LOOKS_COMPUTED.test(text) ? { ...marked, problem } : marked;
}

/** Signs that no sentence has. */
const LOOKS_COMPUTED = /[=!<>]=|[<>+*%]|&&|\|\|/u;

function problemOf(source: string): string | undefined {
  try {
    parseExpression(source);
    return undefined;
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return errorMessage(error);
  }
}
