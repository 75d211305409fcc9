import type { Details } from './details.ts';
import { isSameNumber } from './numbers-said.ts';

/** Each gives one figure or day that the other does not give: of two that differ, one tells which thing is meant. */
export function oneValueDiffers(one: Details, other: Details): boolean {
  return ownValues(one, other) === 1 && ownValues(other, one) === 1;
}

/** Figures and days of one that the other does not give; a day of a month that is all the other says is no new one. */
function ownValues(one: Details, other: Details): number {
  const { days, months, weekdays } = other.dates;
  const ownDays = [...one.dates.days].filter(
    (day) => !days.has(day) && !(days.size === 0 && months.has(day.slice(0, 2))),
  );
  const ownMonths = one.dates.days.size > 0 ? [] : [...one.dates.months].filter((month) => !months.has(month));
  const ownWeekdays = [...one.dates.weekdays].filter((weekday) => !weekdays.has(weekday));
  const ownNumbers = [...one.numbers].filter(
    (number) => ![...other.numbers].some((each) => isSameNumber(number, each)),
  );
  return ownNumbers.length + ownDays.length + ownMonths.length + ownWeekdays.length;
}
