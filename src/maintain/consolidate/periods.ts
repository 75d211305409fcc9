import type { JournalPeriod } from '../../model/schemas/time.ts';
import { addDays, isoWeek } from '../../model/time.ts';

const DAYS_OF_WEEK = 7;
const MOST_DAYS_OF_MONTH = 31;

/** The day, week or month that a day belongs to, as journals are called. */
export function periodOf(period: JournalPeriod, day: string): string {
  if (period === 'day') return day;
  return period === 'week' ? isoWeek(day) : day.slice(0, 7);
}

/** All days of the week or month that a day belongs to, in order. */
export function daysAround(period: JournalPeriod, day: string): string[] {
  const name = periodOf(period, day);
  const reach = period === 'day' ? 0 : period === 'week' ? DAYS_OF_WEEK : MOST_DAYS_OF_MONTH;
  return Array.from({ length: 2 * reach + 1 }, (_, index) => addDays(day, index - reach)).filter(
    (each) => periodOf(period, each) === name,
  );
}

/**
 * S2's figures: what is younger than a week may still be corrected by those who said it, and what is less important than this
 * says nothing lasting.
 */
export const CONSOLIDATION = { minAgeDays: 7, minImportance: 0.6 } as const;
