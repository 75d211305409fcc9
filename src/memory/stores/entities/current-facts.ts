import type { Fact } from '../../../workspace/formats/entity-items.ts';

export interface Moment {
  /** The day on which the facts held. */
  readonly at: string;
  /** As it was known on this day: nothing learned later counts. Everything known counts when not given. */
  readonly knownAt?: string | undefined;
}

/** As much of a fact or relation as it takes to tell when it holds. */
export type Dated = Pick<Fact, 'id' | 'isSuperseded'> & {
  readonly meta: Pick<Fact['meta'], 'from' | 'until' | 'learned' | 'superseded_by'>;
};

/**
 * The facts that held at a time, as they were known at a time. A fact holds from `from` (for ever, where nobody said)
 * up to `until`; that it ended is known from the day on which what replaced it was learned.
 */
export function currentFacts<T extends Dated>(facts: readonly T[], moment: Moment): T[] {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  return facts.filter((fact) => {
    const { superseded_by: by } = fact.meta;
    return holdsAt(fact, by === undefined ? undefined : byId.get(by), moment);
  });
}

/** Whether one fact held; `successor` is what replaced it. */
export function holdsAt(fact: Dated, successor: Dated | undefined, moment: Moment): boolean {
  const { learned, from } = fact.meta;
  if (isAfter(learned, moment.knownAt)) return false;
  if (isAfter(from, moment.at)) return false;
  // Before the new fact was learned, the old one was believed to hold.
  if (successor !== undefined && isAfter(successor.meta.learned, moment.knownAt)) return true;
  return !hasEnded(fact, successor, moment.at);
}

/** Whether something was known already: by the day it was learned, or the time it was said. */
export function wasKnown(
  { meta }: { readonly meta: { readonly learned?: string | undefined; readonly time?: string | undefined } },
  { knownAt }: Moment,
): boolean {
  return !isAfter(meta.learned ?? meta.time?.slice(0, DAY_LENGTH), knownAt);
}

/** Whether a date, known to the year, month or day, begins after a day. */
function isAfter(date: string | undefined, day: string | undefined): boolean {
  return date !== undefined && day !== undefined && firstDay(date) > day.slice(0, 10);
}

function hasEnded(fact: Dated, successor: Dated | undefined, at: string): boolean {
  const { until } = fact.meta;
  const day = at.slice(0, 10);
  if (until === undefined) {
    if (!fact.isSuperseded) return false;
    const replacedOn = successor?.meta.from ?? successor?.meta.learned;
    return replacedOn === undefined || firstDay(replacedOn) <= day;
  }
  // "Until 2025" includes that year, unless what replaced it began in it.
  return successor === undefined && until.length < DAY_LENGTH ? lastDay(until) < day : firstDay(until) <= day;
}

const DAY_LENGTH = '2026-02-16'.length;

export function firstDay(date: string): string {
  return `${date}-01-01`.slice(0, DAY_LENGTH);
}

/** Good for comparing: no month has more days. */
export function lastDay(date: string): string {
  return `${date}${'-12-31'.slice(date.length - 4)}`;
}
