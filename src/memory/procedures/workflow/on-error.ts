import type { OnError } from '../../../model/schemas/procedure.ts';
import { parseDurationMs, type Step } from '../../../workspace/formats/procedure.ts';

/** The handling of a failed step: first it may be tried again, then one of three things. */
export interface ErrorRule {
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
