import type { Details } from './details.ts';
import { isSameNumber } from './numbers-said.ts';

/** Each names somebody or something that the other does not speak of at all. */
export function namesDiffer(one: Details, other: Details): boolean {
  return ownNames(one, other) > 0 && ownNames(other, one) > 0;
}

export function ownNames(one: Details, other: Details): number {
  return [...one.names].filter((name) => !other.names.has(name) && !other.stems.includes(name)).length;
}

/** Each gives a figure or a day that the other does not give. */
export function valuesDiffer(one: Details, other: Details): boolean {
  return ownValues(one, other) > 0 && ownValues(other, one) > 0;
}

/** Figures and days of one that the other does not give; a day of a month that is all the other says is no new one. */
export function ownValues(one: Details, other: Details): number {
  const isKnown = (day: string): boolean =>
    other.dates.days.has(day) || (other.dates.days.size === 0 && other.dates.months.has(day.slice(0, 2)));
  const ownDays = [...one.dates.days].filter((day) => !isKnown(day));
  return one.numbers.size - sharedNumbers(one, other) + ownDays.length;
}

export function sharedNumbers(one: Details, other: Details): number {
  return [...one.numbers].filter((number) => [...other.numbers].some((each) => isSameNumber(number, each))).length;
}

/** Figures in common that say something: half of all plans are for this year. */
export function sharedFigures(one: Details, other: Details): number {
  return [...one.numbers].filter(
    (number) => !/^(?:19|20)\d\d$/u.test(number) && [...other.numbers].some((each) => isSameNumber(number, each)),
  ).length;
}

export function sharedDays(one: Details, other: Details): number {
  return shared(one.dates.days, other.dates.days) + shared(one.dates.weekdays, other.dates.weekdays);
}

/** They speak of days that cannot be the same. */
export function daysDiffer({ dates: one }: Details, { dates: other }: Details): boolean {
  const isApart = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean =>
    left.size > 0 && right.size > 0 && shared(left, right) === 0;
  return isApart(one.days, other.days) || isApart(one.months, other.months) || isApart(one.weekdays, other.weekdays);
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((each) => other.has(each)).length;
}
