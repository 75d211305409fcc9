import { must } from '../../model/errors.ts';
import { DAY_MS, localTime } from '../../model/time.ts';
import { type CallRecord, type Price, TRIAL_SESSION } from './prices.ts';

/** The ledger in numbers; all of it pure. */

export const COST_KEYS = ['purpose', 'model', 'day'] as const;
export type CostKey = (typeof COST_KEYS)[number];

export interface CostRow {
  readonly name: string;
  readonly calls: number;
  /** Calls that did not end in an answer. */
  readonly failed: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Of the calls whose price is known. */
  readonly usd: number;
  readonly unpricedCalls: number;
  readonly averageMs: number;
}

export function groupCosts(records: readonly CallRecord[], by: CostKey, timeZone: string): CostRow[] {
  const groups = new Map<string, CallRecord[]>();
  for (const record of records) {
    const name = by === 'day' ? localTime(record.timeMs, timeZone).date : record[by];
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [record]);
    else group.push(record);
  }
  const rows = [...groups].map(([name, group]) => sumCosts(name, group));
  const byName = (left: CostRow, right: CostRow): number => (left.name < right.name ? -1 : 1);
  return rows.sort((left, right) => (by === 'day' ? 0 : right.usd - left.usd) || byName(left, right));
}

export function sumCosts(name: string, records: readonly CallRecord[]): CostRow {
  const sum = (value: (record: CallRecord) => number): number =>
    records.reduce((total, each) => total + value(each), 0);
  return {
    name,
    calls: records.length,
    failed: records.filter(({ outcome }) => outcome !== 'ok').length,
    tokensIn: sum(({ tokensIn }) => tokensIn),
    tokensOut: sum(({ tokensOut }) => tokensOut),
    usd: sum(({ usd }) => usd ?? 0),
    unpricedCalls: records.filter(({ usd }) => usd === undefined).length,
    averageMs: records.length === 0 ? 0 : Math.round(sum(({ ms }) => ms) / records.length),
  };
}

export interface Comparison {
  readonly what: string;
  readonly per: SeedFigure['per'];
  readonly expected: Spent;
  /** The average over so many sessions or calls; null when there was none. */
  readonly measured: (Spent & { readonly count: number }) | null;
}

interface Spent {
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly usd: number;
}

/** The expected figures beside the measured ones. */
export function compareWithSeed(records: readonly CallRecord[]): Comparison[] {
  return SEED_FIGURES.map(({ what, purpose, per, ...expected }) => {
    const own = records.filter((record) => record.purpose === purpose && record.session !== TRIAL_SESSION);
    const count = per === 'call' ? own.length : countSessions(own);
    const { tokensIn, tokensOut, usd } = sumCosts(what, own);
    const measured = { count, tokensIn: tokensIn / count, tokensOut: tokensOut / count, usd: usd / count };
    return { what, per, expected, measured: count === 0 ? null : measured };
  });
}

export interface ForecastInput {
  readonly records: readonly CallRecord[];
  readonly nowMs: number;
  /** Of the model that extracts; undefined when nobody told one. */
  readonly price: Price | undefined;
  readonly dailyMaxUsd: number;
}

export interface Forecast {
  /** Days the average is taken over; 0 when nothing has been spent yet. */
  readonly basisDays: number;
  readonly sessionsPerDay: number;
  readonly usdPerMonth: number;
  /** Past this the heuristic answers. */
  readonly maxUsdPerMonth: number;
  /** The tokens for extracting a session: the average, or the expected figure while there is none. */
  readonly tokensPerSession: { readonly in: number; readonly out: number; readonly isMeasured: boolean };
  /** Extraction a month, by use, with these tokens and the model that is set. */
  readonly scenarios: readonly {
    readonly usage: string;
    readonly sessionsPerDay: number;
    readonly usd: number | null;
    readonly expectedUsd: number;
  }[];
}

const MONTH_DAYS = 30;
const MILLION = 1_000_000;

/** The cost of the next month if usage continues like the last one. */
export function forecastCosts({ records, nowMs, price, dailyMaxUsd }: ForecastInput): Forecast {
  const recent = records.filter(({ timeMs }) => timeMs <= nowMs && timeMs > nowMs - MONTH_DAYS * DAY_MS);
  const firstMs = Math.min(nowMs, ...recent.map(({ timeMs }) => timeMs));
  const days = Math.max(1, (nowMs - firstMs) / DAY_MS);
  const perSession = extractionPerSession(records);
  const sessionUsd =
    price === undefined
      ? undefined
      : (perSession.tokensIn * price.input + perSession.tokensOut * price.output) / MILLION;
  return {
    basisDays: recent.length === 0 ? 0 : days,
    sessionsPerDay: countSessions(recent) / days,
    usdPerMonth: (sumCosts('', recent).usd / days) * MONTH_DAYS,
    maxUsdPerMonth: dailyMaxUsd * MONTH_DAYS,
    tokensPerSession: { in: perSession.tokensIn, out: perSession.tokensOut, isMeasured: perSession.isMeasured },
    scenarios: SEED_MONTHS.map(({ usage, sessionsPerDay, usd }) => ({
      usage,
      sessionsPerDay,
      usd: sessionUsd === undefined ? null : sessionUsd * sessionsPerDay * MONTH_DAYS,
      expectedUsd: usd,
    })),
  };
}

function countSessions(records: readonly CallRecord[]): number {
  const sessions = new Set(records.flatMap(({ session }) => session ?? []));
  sessions.delete(TRIAL_SESSION);
  return sessions.size;
}

function extractionPerSession(records: readonly CallRecord[]): Omit<Spent, 'usd'> & { readonly isMeasured: boolean } {
  const extraction = compareWithSeed(records).find(({ what }) => what === 'extraction');
  const { tokensIn, tokensOut } = extraction?.measured ?? must(extraction?.expected, 'the figures for extraction');
  return { tokensIn, tokensOut, isMeasured: extraction?.measured !== null };
}

/**
 * The model costs expected by the first design (S0 §12), kept beside the real ones. There a session went through four
 * extractors of 3,000 tokens each; here one question asks for everything.
 */
interface SeedFigure {
  readonly what: string;
  readonly purpose: string;
  readonly per: 'session' | 'call';
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly usd: number;
}

const SEED_FIGURES: readonly SeedFigure[] = [
  { what: 'extraction', purpose: 'extract', per: 'session', tokensIn: 12_000, tokensOut: 900, usd: 0.004 },
  { what: 'journal summary', purpose: 'summarise', per: 'call', tokensIn: 4000, tokensOut: 500, usd: 0.008 },
  { what: 'gate', purpose: 'gate', per: 'call', tokensIn: 200, tokensOut: 1, usd: 0.0002 },
  { what: 'commit message', purpose: 'commit_message', per: 'call', tokensIn: 1000, tokensOut: 50, usd: 0.0003 },
  { what: 'flush before compaction', purpose: 'flush', per: 'call', tokensIn: 2000, tokensOut: 500, usd: 0.005 },
  { what: 'weekly roll-up', purpose: 'rewrite_core', per: 'call', tokensIn: 6000, tokensOut: 2000, usd: 0.02 },
  { what: 'monthly distillation', purpose: 'reflect', per: 'call', tokensIn: 10_000, tokensOut: 3000, usd: 0.04 },
];

/** Extraction a month by sessions a day (S0 §12.5). */
const SEED_MONTHS = [
  { usage: 'light', sessionsPerDay: 5, usd: 0.6 },
  { usage: 'medium', sessionsPerDay: 15, usd: 1.8 },
  { usage: 'heavy', sessionsPerDay: 30, usd: 3.6 },
] as const;
