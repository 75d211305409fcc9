import type { CallFailure } from '../../providers/language/port.ts';
import { parseJson } from '../../model/records.ts';

/** The outcome of a call; everything but `ok` led to a repair, another attempt or the heuristic. */
export type CallOutcome = 'ok' | 'invalid' | 'empty' | 'cut' | 'refused' | 'too-slow' | 'aborted' | CallFailure;

/** One call to a model, as it stands in `journal/costs.jsonl`. It never holds what was said. */
export interface CallRecord {
  readonly timeMs: number;
  readonly purpose: string;
  readonly provider: string;
  readonly model: string;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Undefined when no price is known for the model. */
  readonly usd: number | undefined;
  readonly ms: number;
  readonly outcome: CallOutcome;
  readonly session: string | undefined;
  /** The service did not say what it counted, so the tokens are an estimate. */
  readonly isEstimate: boolean;
  readonly reason: string | undefined;
}

/** The session of texts that were only tried out; they say nothing about what a conversation costs. */
export const TRIAL_SESSION = 'reasoner-try';

export function serializeRecord({ timeMs, isEstimate, ...record }: CallRecord): string {
  const time = new Date(timeMs).toISOString();
  return `${JSON.stringify({ time, ...record, ...(isEstimate ? { isEstimate } : {}) })}\n`;
}

/** Undefined for a line that is no record: torn by a crash, or written by somebody else. */
export function parseRecord(line: string): CallRecord | undefined {
  const value = parseJson(line);
  if (typeof value !== 'object' || value === null) return undefined;
  const given = value as Record<string, unknown>;
  const timeMs = Date.parse(String(given['time']));
  const text = (key: string): string | undefined => (typeof given[key] === 'string' ? given[key] : undefined);
  const count = (key: string): number | undefined => {
    const number = given[key];
    return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
  };
  const [purpose, model] = [text('purpose'), text('model')];
  if (Number.isNaN(timeMs) || purpose === undefined || model === undefined) return undefined;
  return {
    timeMs,
    purpose,
    model,
    provider: text('provider') ?? '',
    tokensIn: count('tokensIn') ?? 0,
    tokensOut: count('tokensOut') ?? 0,
    usd: count('usd'),
    ms: count('ms') ?? 0,
    outcome: (text('outcome') ?? 'ok') as CallOutcome,
    session: text('session'),
    isEstimate: given['isEstimate'] === true,
    reason: text('reason'),
  };
}
