import { parseJson } from '../../model/records.ts';
import type { CallFailure } from '../../providers/language/port.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

interface ListedPrice extends Price {
  /** Above this many tokens in one prompt the whole call costs more. */
  readonly long?: Price & { readonly above: number };
  /** A price that is announced to change. */
  readonly later?: Price & { readonly since: string };
}

/**
 * When the table below was put together: from stored copies of the services' price pages, and of others' lists where there was
 * none. Nobody has compared it with a bill.
 */
export const PRICES_AS_OF = '2026-11-15';

const PRICES: Readonly<Record<string, ListedPrice>> = {
  'claude-fable-5-1': { input: 10, output: 50 },
  'claude-opus-5-5': { input: 4, output: 20 },
  'claude-opus-5': { input: 5, output: 25 },
  'claude-sonnet-5-5': { input: 2, output: 10 },
  'claude-sonnet-5': { input: 2, output: 10 },
  'claude-sonnet-4-6': { input: 3, output: 15 },
  'claude-sonnet-4-5': { input: 3, output: 15 },
  'claude-haiku-5-5': { input: 0.1, output: 0.5, long: { above: 100_000, input: 0.5, output: 2.5 } },
  'claude-haiku-4-5': { input: 1, output: 5 },
  'gpt-6-astra': { input: 10, output: 50 },
  'gpt-6.1-sol': { input: 2, output: 10, long: { above: 272_000, input: 4, output: 15 } },
  'gpt-6-sol': { input: 2, output: 10, long: { above: 272_000, input: 4, output: 15 } },
  'gpt-6-luna': { input: 0.1, output: 0.5, long: { above: 272_000, input: 0.2, output: 0.75 } },
  'gpt-5.6-sol': { input: 4, output: 20 },
  'gpt-5.6-terra': { input: 2, output: 12, long: { above: 272_000, input: 4, output: 18 } },
  'gpt-5.6-luna': { input: 0.2, output: 1.2, long: { above: 272_000, input: 0.4, output: 1.8 } },
  'gpt-5.4-mini': { input: 0.75, output: 4.5 },
  'gpt-5-mini': { input: 0.25, output: 2 },
  'gpt-5-nano': { input: 0.05, output: 0.4 },
  'gpt-4.1-mini': { input: 0.4, output: 1.6 },
  'gpt-4o-mini': { input: 0.15, output: 0.6 },
  'gemini-4-carbon': { input: 2, output: 10, later: { since: '2026-12-01', input: 4, output: 20 } },
  'gemini-4-argon': { input: 2, output: 10, later: { since: '2026-12-01', input: 4, output: 20 } },
  'gemini-3.8-flash': { input: 0.75, output: 3.75, later: { since: '2027-01-01', input: 1.5, output: 7.5 } },
  'gemini-3.7-flash': { input: 0.75, output: 3.75, later: { since: '2027-01-01', input: 1.5, output: 7.5 } },
  'gemini-3.6-flash': { input: 0.75, output: 3.75, later: { since: '2027-01-01', input: 1.5, output: 7.5 } },
  'gemini-3.5-flash-lite': { input: 0.3, output: 2.5 },
  'gemini-2.5-flash': { input: 0.3, output: 2.5 },
  'gemini-2.5-flash-lite': { input: 0.1, output: 0.4 },
};

const MILLION = 1_000_000;

export interface TokenCounts {
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** The price of tokens: the user's own prices first, then the table. */
export class PriceTable {
  readonly #own: Readonly<Record<string, Price>>;

  constructor(own: Readonly<Record<string, Price>>) {
    this.#own = own;
  }

  /** Undefined for a model nobody has told a price of. */
  find(model: string, timeMs: number, promptTokens = 0): Price | undefined {
    for (const name of namesOf(model)) {
      const own = this.#own[name];
      if (own !== undefined) return own;
      const listed = PRICES[name];
      if (listed !== undefined) return priceAt(listed, timeMs, promptTokens);
    }
    return undefined;
  }

  cost(model: string, { tokensIn, tokensOut }: TokenCounts, timeMs: number): number | undefined {
    const price = this.find(model, timeMs, tokensIn);
    return price === undefined ? undefined : (tokensIn * price.input + tokensOut * price.output) / MILLION;
  }
}

function priceAt({ later, long, ...now }: ListedPrice, timeMs: number, promptTokens: number): Price {
  if (later !== undefined && timeMs >= Date.parse(later.since)) return { input: later.input, output: later.output };
  return long !== undefined && promptTokens > long.above ? { input: long.input, output: long.output } : now;
}

/** `anthropic/claude-haiku-4-5-20251001` is also known without its maker and without its day. */
function namesOf(model: string): string[] {
  const bare = model.slice(model.lastIndexOf('/') + 1);
  return [model, bare, bare.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/u, '')];
}

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
