/** Days and hours as people in the home's time zone see them. */

export interface LocalTime {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** `HH:MM` */
  readonly time: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one takes longer than reading a settings file; throws a RangeError for a zone nobody knows. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, format);
  return format;
}

let ownZone: string | undefined;

/** Names the zone of this machine, whose days and hours `Date` tells without the tables of `Intl`: reading those takes 10 ms. */
export function setOwnZone(name: string | undefined): void {
  ownZone = name;
}

/** Offsets such as +01:00 would be understood, but know no summer time; a home needs a place. */
export function isTimeZone(name: string): boolean {
  if (name === 'UTC' || name === ownZone) return true;
  try {
    return /^[A-Za-z]/u.test(name) && formatOf(name).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

export function localTime(timeMs: number, timeZone: string): LocalTime {
  if (timeZone === 'UTC' || timeZone === ownZone) {
    const date = new Date(timeMs);
    const shifted = timeZone === 'UTC' ? date : shiftToOwnZone(date);
    const year = shifted.getUTCFullYear();
    // Others are written in forms of their own.
    if (year >= FIRST_YEAR && year <= LAST_YEAR) {
      const text = shifted.toISOString();
      return { date: text.slice(0, 10), time: text.slice(11, 16) };
    }
  }
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(timeMs)
      .map(({ type, value }) => [type, value]),
  );
  return {
    date: `${parts['year']}-${parts['month']}-${parts['day']}`,
    time: `${parts['hour']}:${parts['minute']}`,
  };
}

const FIRST_YEAR = 1900;
const LAST_YEAR = 9999;

/** The moment at which UTC shows what this machine's clocks show. */
function shiftToOwnZone(date: Date): Date {
  return new Date(
    Date.UTC(
      date.getFullYear(),
      date.getMonth(),
      date.getDate(),
      date.getHours(),
      date.getMinutes(),
      date.getSeconds(),
    ),
  );
}

/** `2026-W07`: a week belongs to the year of its Thursday. */
export function isoWeek(date: string): string {
  const dayMs = Date.parse(`${date}T00:00:00Z`);
  const weekday = (new Date(dayMs).getUTCDay() + 6) % 7;
  const thursday = new Date(dayMs + (3 - weekday) * DAY_MS);
  const yearStartMs = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = Math.floor((thursday.getTime() - yearStartMs) / (7 * DAY_MS)) + 1;
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}

/** A day so many days later, or earlier. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Transcripts note the minute: of two times within one the order is not known, and what comes in last is the later. */
export function isEarlierMinute(oneMs: number, otherMs: number): boolean {
  return Math.floor(oneMs / MINUTE_MS) < Math.floor(otherMs / MINUTE_MS);
}

/** The instant as ISO 8601 in UTC, to the millisecond. */
export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

/** A length of time in its largest unit. Rounded: it is an estimate. */
export function showEstimate(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
