import type { Fact } from '../../../workspace/formats/fact.ts';

export interface Moment {
  /** What held on this day. */
  readonly at: string;
  /** As it was known on this day: nothing learned later counts. Everything known counts when not given. */
  readonly knownAt?: string | undefined;
}

/**
 * The facts that held at a time, as they were known at a time. A fact holds from `from` (for ever, where nobody said)
 * up to `until`; that it ended is known from the day on which what replaced it was learned.
 */
export function currentFacts<T extends Fact>(facts: readonly T[], moment: Moment): T[] {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  return facts.filter((fact) => {
    const { learned, from, superseded_by: by } = fact.meta;
    if (isAfter(learned, moment.knownAt)) return false;
    if (isAfter(from, moment.at)) return false;
    const successor = by === undefined ? undefined : byId.get(by);
    // Whoever did not know of the new one yet took the old one to hold still.
    if (successor !== undefined && isAfter(successor.meta.learned, moment.knownAt)) return true;
    return !hasEnded(fact, successor, moment.at);
  });
}

/** Whether a date, known to the year, month or day, begins after a day. */
function isAfter(date: string | undefined, day: string | undefined): boolean {
  return date !== undefined && day !== undefined && firstDay(date) > day.slice(0, 10);
}

function hasEnded(fact: Fact, successor: Fact | undefined, at: string): boolean {
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

function firstDay(date: string): string {
  return `${date}-01-01`.slice(0, DAY_LENGTH);
}

/** Good for comparing: no month has more days. */
function lastDay(date: string): string {
  return `${date}${'-12-31'.slice(date.length - 4)}`;
}
