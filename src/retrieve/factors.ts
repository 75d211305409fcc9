import type { Use } from '../memory/decay/uses.ts';
import type { StoredPassage } from '../search-index/port.ts';
import type { TimeRange, Understanding } from './understand/understanding.ts';
import { DAY_MS } from '../model/time.ts';

/** Where nothing is known: neither for nor against. */
const NEUTRAL = 0.5;
/** Very old memories stay comparable with each other's evidence (S2 §7.2). */
const OLDEST = 0.1;
/** The influence of age on a question that asks for no time: enough to put the newer of two equals first. */
const PLAIN_SWING = 0.2;

/** Recency, or nearness to the time asked about. A question about the past does not punish old memories. */
export function temporalFactor(
  timeMs: number | undefined,
  { intent, timeRange, isAboutThePast }: Pick<Understanding, 'intent' | 'timeRange' | 'isAboutThePast'>,
  { nowMs, halfLifeDays }: { readonly nowMs: number; readonly halfLifeDays: number },
): number {
  if (timeMs === undefined) return timeRange === undefined ? NEUTRAL : OLDEST;
  if (timeRange !== undefined) return nearness(timeMs, timeRange);
  const recency = Math.max(OLDEST, halved((nowMs - timeMs) / DAY_MS, halfLifeDays));
  if (intent === 'latest') return recency;
  return isAboutThePast ? NEUTRAL : NEUTRAL + PLAIN_SWING * (recency - NEUTRAL);
}

/** 1 inside the range, then fading with the distance in units of the range itself: "in May" is vaguer than "on 8 May". */
function nearness(timeMs: number, { sinceMs, untilMs }: TimeRange): number {
  const before = sinceMs === undefined ? 0 : sinceMs - timeMs;
  const after = untilMs === undefined ? 0 : timeMs - untilMs;
  const distanceMs = Math.max(0, before, after);
  const spanMs = sinceMs === undefined || untilMs === undefined ? 30 * DAY_MS : untilMs - sinceMs;
  return halved(distanceMs / Math.max(spanMs, DAY_MS), 1);
}

function halved(age: number, halfLife: number): number {
  return 2 ** -(Math.max(0, age) / halfLife);
}

export function importanceFactor(passage: Pick<StoredPassage, 'importance'>): number {
  return passage.importance ?? NEUTRAL;
}

/** Used often and lately; S2 §7.2. */
export function accessFactor(use: Use | undefined, nowMs: number): number {
  if (use === undefined || use.count === 0) return NEUTRAL;
  const often = Math.min(1, Math.log1p(use.count) / 3);
  const lately = Math.max(0, 1 - (nowMs - use.lastMs) / (30 * DAY_MS));
  return NEUTRAL + 0.3 * often + 0.2 * lately;
}
