import { suspected, type Occurrence, type PatternShape, type Suspected } from './occurrence.ts';

/** The number of tests, and the patterns suspected. */
export interface Search {
  readonly tests: number;
  readonly found: readonly Suspected[];
}

/** Fewer times than this may be anything. */
export const MIN_SUPPORT = 5;
/** Hours that one habit may spread over. */
const MAX_HOURS = 3;
/** A habit is what happens more often than not, and far more often than other things at that time. */
const MIN_SHARE = 0.5;
const MIN_LIFT = 1.8;
/** Of what happens on two days of the week. */
const MIN_SHARE_OF_DAY = 0.3;

interface Slot {
  readonly shape: PatternShape;
  readonly holds: (occurrence: Occurrence) => boolean;
}

/** Things that keep to a day of the week, an hour or a day of the month, compared with everything else that happens then. */
export function findTemporal(byLabel: ReadonlyMap<string, readonly Occurrence[]>, all: readonly Occurrence[]): Search {
  let tests = 0;
  const found: Suspected[] = [];
  for (const [label, occurrences] of byLabel) {
    if (occurrences.length < MIN_SUPPORT) continue;
    const others = othersThan(label, occurrences, all);
    for (const slots of [weekdays(label), hours(label), daysOfMonth(label)]) {
      tests += slots.length;
      const suspected = slots.flatMap((slot) => suspect(slot, occurrences, others) ?? []);
      const best = suspected.sort(byChance)[0];
      if (best !== undefined) found.push(best);
    }
  }
  return { tests, found };
}

function byChance(one: Suspected, other: Suspected): number {
  return one.chance - other.chance || other.held - one.held;
}

function suspect(
  { shape, holds }: Slot,
  occurrences: readonly Occurrence[],
  others: readonly Occurrence[],
): Suspected | undefined {
  const held = occurrences.filter(holds);
  const share = held.length / occurrences.length;
  if (held.length < MIN_SUPPORT || share < MIN_SHARE || !isBothDays(shape, held)) return undefined;
  // Everything that happens is the measure: a person who works in the mornings does most things in the mornings.
  const expected = (others.filter(holds).length + 1) / (others.length + uniform(shape));
  if (share < expected * MIN_LIFT) return undefined;
  return suspected(
    shape,
    occurrences.map((each) => ({ ...each, isHeld: holds(each) })),
    expected,
  );
}

/** Everything else, but for what happens in the same conversations: it says nothing about when those are. */
function othersThan(
  label: string,
  occurrences: readonly Occurrence[],
  all: readonly Occurrence[],
): readonly Occurrence[] {
  const occasions = new Set(occurrences.flatMap(({ occasion }) => occasion ?? []));
  return all.filter(
    ({ labels, occasion }) => !labels.includes(label) && (occasion === undefined || !occasions.has(occasion)),
  );
}

/** Of two days each has its share; otherwise the one that has it is the pattern. */
function isBothDays(shape: PatternShape, held: readonly Occurrence[]): boolean {
  if (shape.kind !== 'weekday' || shape.and === undefined) return true;
  const first = held.filter(({ weekday }) => weekday === shape.weekday).length;
  return Math.min(first, held.length - first) >= held.length * MIN_SHARE_OF_DAY;
}

/** With nothing else to compare, a slot is as likely as any other. */
function uniform(shape: PatternShape): number {
  if (shape.kind === 'weekday') return shape.and === undefined ? 7 : 7 / 2;
  return shape.kind === 'hour' ? 24 / shape.hours : 31;
}

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];

function weekdays(label: string): Slot[] {
  const single = WEEKDAYS.map((weekday): Slot => ({
    shape: { kind: 'weekday', label, weekday },
    holds: (each) => each.weekday === weekday,
  }));
  const pairs = WEEKDAYS.flatMap((weekday) =>
    WEEKDAYS.slice(weekday + 1).map((and): Slot => ({
      shape: { kind: 'weekday', label, weekday, and },
      holds: (each) => each.weekday === weekday || each.weekday === and,
    })),
  );
  return [...single, ...pairs];
}

function hours(label: string): Slot[] {
  return Array.from({ length: MAX_HOURS }, (_none, place) => place + 1).flatMap((width) =>
    Array.from({ length: 24 }, (_none, hour) => ({
      shape: { kind: 'hour' as const, label, hour, hours: width },
      holds: (each: Occurrence) => (each.hour - hour + 24) % 24 < width,
    })),
  );
}

function daysOfMonth(label: string): Slot[] {
  return Array.from({ length: 31 }, (_none, place) => ({
    shape: { kind: 'day-of-month' as const, label, day: place + 1 },
    holds: (each: Occurrence) => each.dayOfMonth === place + 1,
  }));
}
