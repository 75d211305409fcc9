import type { Ledger, Reservation } from './ledger.ts';

/** The part of the reasoner's settings that limits a day. */
export interface CapConfig {
  readonly daily_max_calls: number;
  readonly daily_max_tokens: number;
  readonly daily_max_usd: number;
  readonly purpose_daily_max_usd: Readonly<Partial<Record<string, number>>>;
}

export interface DayTotals {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
}

/** The totals of today's calls, those under way included; of one purpose or of all. */
export function totalsOf(ledger: Ledger, purpose?: string): DayTotals {
  const done = ledger.today().map((call): Reservation => {
    return { purpose: call.purpose, tokens: call.tokensIn + call.tokensOut, usd: call.usd };
  });
  const counted = [...done, ...ledger.underWay].filter((call) => purpose === undefined || call.purpose === purpose);
  return {
    calls: counted.length,
    tokens: counted.reduce((sum, { tokens }) => sum + tokens, 0),
    usd: counted.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
  };
}

/** Why a call may not be made today, or undefined when it may. */
export function findCapReached(ledger: Ledger, config: CapConfig, call: Reservation): string | undefined {
  const today = totalsOf(ledger);
  if (today.calls + 1 > config.daily_max_calls) {
    return `the day's ${config.daily_max_calls} calls are used up (reasoner.daily_max_calls)`;
  }
  if (today.tokens + call.tokens > config.daily_max_tokens) {
    return `the day's ${config.daily_max_tokens} tokens are used up (reasoner.daily_max_tokens)`;
  }
  if (isOver(today.usd, call, config.daily_max_usd)) {
    return `the day's ${config.daily_max_usd} US dollars are used up (reasoner.daily_max_usd)`;
  }
  const own = config.purpose_daily_max_usd[call.purpose];
  if (own === undefined || !isOver(totalsOf(ledger, call.purpose).usd, call, own)) return undefined;
  return `the day's ${own} US dollars for ${call.purpose} are used up (reasoner.purpose_daily_max_usd)`;
}

/** A model without a known price fits any cap but nothing at all. */
function isOver(spentUsd: number, { usd }: Reservation, cap: number): boolean {
  return usd === undefined ? cap === 0 : spentUsd + usd > cap;
}
