import { DAY_MS, MINUTE_MS, localTime } from '../../../model/time.ts';

/**
 * Calendar arithmetic on what a clock on the wall shows, written as the milliseconds it would be in UTC; only the
 * finished range is turned into instants. Adding a day is then adding a day, whatever the clocks do that night.
 */
export type WallMs = number;

export function toWall(instantMs: number, timeZone: string): WallMs {
  const { date, time } = localTime(instantMs, timeZone);
  return Date.parse(`${date}T${time}Z`);
}

/** A time that the clocks skip or repeat becomes the nearer of its neighbours; undefined beyond the calendar. */
export function toInstant(wall: WallMs, timeZone: string): number | undefined {
  const year = new Date(wall).getUTCFullYear();
  if (!(year > 1000 && year < 9000)) return undefined;
  const guess = wall - offsetMs(wall, timeZone);
  return wall - offsetMs(guess, timeZone);
}

export function offsetMs(instantMs: number, timeZone: string): number {
  return toWall(instantMs, timeZone) - Math.floor(instantMs / MINUTE_MS) * MINUTE_MS;
}

/** Months count from 1; months and days beyond their end run over into the next. */
export function wallDate(year: number, month = 1, day = 1): WallMs {
  return Date.UTC(year, month - 1, day);
}

export function yearOf(wall: WallMs): number {
  return new Date(wall).getUTCFullYear();
}

export function monthOf(wall: WallMs): number {
  return new Date(wall).getUTCMonth() + 1;
}

export function startOfDay(wall: WallMs): WallMs {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}

/** Weeks begin on Monday (ISO 8601). */
export function startOfWeek(wall: WallMs): WallMs {
  const weekday = new Date(wall).getUTCDay();
  return startOfDay(wall) - ((weekday + 6) % 7) * DAY_MS;
}

/** The same day `count` years away. */
export function addYears(wall: WallMs, count: number): WallMs {
  const date = new Date(wall);
  return date.setUTCFullYear(date.getUTCFullYear() + count);
}
