import { suspected, type Occurrence, type PatternShape, type Suspected } from './occurrence.ts';
import { MIN_SUPPORT, type Search } from './temporal.ts';
import { DAY_MS, HOUR_MS } from '../../model/time.ts';

/** One thing after another belongs together within this; a cause may take its time. */
const SEQUENCE_MS = 3 * HOUR_MS;
const CAUSE_MS = 2 * DAY_MS;
/** A habit must follow in most cases; an effect need only be far likelier. */
const MIN_SEQUENCE_SHARE = 0.6;
const MIN_CAUSE_SHARE = 0.25;
const MIN_LIFT = 2.5;
/** The same hour of the weeks around shows what would have happened anyway; for what happens weekly, that of other days. */
const CONTROL_DAYS = [-28, -21, -14, -7, 7, 14, 21, 28];
const OTHER_DAYS = [-17, -12, -10, -4, 4, 10, 12, 17];

/** Finds events that follow others: habits within hours, causes within days. */
export function findFollowing(byLabel: ReadonlyMap<string, readonly Occurrence[]>): Search {
  const times = new Map([...byLabel].map(([label, each]) => [label, each.map(({ timeMs }) => timeMs)]));
  const range = rangeOf(times);
  let tests = 0;
  const found: Suspected[] = [];
  for (const [first, occurrences] of byLabel) {
    if (occurrences.length < MIN_SUPPORT) continue;
    const starts = withoutOverlap(occurrences);
    for (const [second, seconds] of times) {
      if (second === first || seconds.length < MIN_SUPPORT) continue;
      tests += 2;
      const pair = { first, second, starts, seconds, range };
      const sequence = suspect(pair, SEQUENCE_MS, MIN_SEQUENCE_SHARE);
      const cause = sequence ?? suspect(pair, CAUSE_MS, MIN_CAUSE_SHARE);
      if (cause !== undefined) found.push(cause);
    }
  }
  return { tests, found };
}

interface Pair {
  readonly first: string;
  readonly second: string;
  readonly starts: readonly Occurrence[];
  readonly seconds: readonly number[];
  readonly range: readonly [number, number];
}

function suspect(
  { first, second, starts, seconds, range }: Pair,
  withinMs: number,
  minShare: number,
): Suspected | undefined {
  const trials = starts.map((start) => ({ ...start, isHeld: hasWithin(seconds, start.timeMs, withinMs) }));
  const held = trials.filter(({ isHeld }) => isHeld);
  const share = held.length / trials.length;
  if (held.length < MIN_SUPPORT || share < minShare) return undefined;
  const expected = expectedShare(starts, seconds, withinMs, range);
  const lift = share / expected;
  // An event as common before as after belongs to the same occasion, and is not an effect.
  const before = starts.filter(({ timeMs }) => hasWithin(seconds, timeMs - withinMs - 1, withinMs)).length;
  if (lift < MIN_LIFT || before > held.length / 2) return undefined;
  const shape: PatternShape =
    withinMs === SEQUENCE_MS
      ? { kind: 'sequence', labels: [first, second], withinMs }
      : { kind: 'cause', cause: first, effect: second, withinMs, lift: Math.round(lift * 10) / 10 };
  return suspected(shape, trials, expected);
}

/** The share of cases in which the second would have come anyway. */
function expectedShare(
  starts: readonly Occurrence[],
  seconds: readonly number[],
  withinMs: number,
  range: readonly [number, number],
): number {
  const own = countControls(starts, seconds, { withinMs, range, days: CONTROL_DAYS });
  const isWeekly = own.windows < starts.length / 2;
  // Over days, what happens every week cannot be told from the week itself.
  if (isWeekly && withinMs > SEQUENCE_MS) return 1;
  const { windows, hits } = isWeekly ? countControls(starts, seconds, { withinMs, range, days: OTHER_DAYS }) : own;
  const overall = Math.min(1, (seconds.length * withinMs) / Math.max(withinMs, range[1] - range[0]));
  // A few windows more at the overall rate: no second at all around is no proof that there never is one.
  return Math.min(1, (hits + overall * EXTRA_WINDOWS) / (windows + EXTRA_WINDOWS));
}

const EXTRA_WINDOWS = 5;

interface Controls {
  readonly withinMs: number;
  readonly range: readonly [number, number];
  readonly days: readonly number[];
}

function countControls(
  starts: readonly Occurrence[],
  seconds: readonly number[],
  { withinMs, range: [from, to], days }: Controls,
): { readonly windows: number; readonly hits: number } {
  let windows = 0;
  let hits = 0;
  for (const { timeMs } of starts) {
    for (const shift of days) {
      const at = timeMs + shift * DAY_MS;
      if (at < from || at > to || isNearStart(starts, at, withinMs)) continue;
      windows += 1;
      if (hasWithin(seconds, at, withinMs)) hits += 1;
    }
  }
  return { windows, hits };
}

/** Windows after another start would show the pattern itself. */
function isNearStart(starts: readonly Occurrence[], at: number, withinMs: number): boolean {
  const place = firstFrom(starts.length, (index) => (starts[index]?.timeMs ?? 0) > at - withinMs);
  return (starts[place]?.timeMs ?? Infinity) < at + withinMs;
}

/** Starts so close that one second would count twice are one. */
function withoutOverlap(occurrences: readonly Occurrence[]): Occurrence[] {
  const kept: Occurrence[] = [];
  for (const each of occurrences) {
    const last = kept.at(-1);
    if (last === undefined || each.timeMs - last.timeMs >= HOUR_MS) kept.push(each);
  }
  return kept;
}

function hasWithin(times: readonly number[], from: number, withinMs: number): boolean {
  const place = firstFrom(times.length, (index) => (times[index] ?? 0) > from);
  return (times[place] ?? Infinity) <= from + withinMs;
}

/** The first place for which `isPast` holds, by halving. */
function firstFrom(length: number, isPast: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function rangeOf(times: ReadonlyMap<string, readonly number[]>): readonly [number, number] {
  let from = Infinity;
  let to = -Infinity;
  for (const each of times.values()) {
    from = Math.min(from, each[0] ?? Infinity);
    to = Math.max(to, each.at(-1) ?? -Infinity);
  }
  return [from, to];
}
