import { DAY_MS, localTime } from '../../model/time.ts';

/** Dates as questions name them: "in May", "last Monday". Words are English, as the headings around them are. */

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** A day, an ISO week, a month or a year in words; undefined for anything else. */
export function dateInWords(date: string): string | undefined {
  const week = /^(\d{4})-W(\d{2})$/u.exec(date);
  if (week !== null) {
    const monday = dateInWords(isoDay(mondayOfWeek(Number(week[1]), Number(week[2]))));
    return monday === undefined ? undefined : `week of ${monday}`;
  }
  const match = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/u.exec(date);
  if (match === null) return undefined;
  const [, year = '', month, day] = match;
  if (month === undefined) return year;
  const monthName = MONTHS[Number(month) - 1];
  if (monthName === undefined) return undefined;
  if (day === undefined) return `${monthName} ${year}`;
  const dayMs = dayStartMs(date);
  if (dayMs === undefined) return undefined;
  return `${WEEKDAYS[new Date(dayMs).getUTCDay()]} ${Number(day)} ${monthName} ${year}`;
}

/** The day of a date of any precision as the zone's calendars showed it; '' for what is no date. */
export function dayInWords(date: string, timeZone: string): string {
  const plain = dateInWords(date);
  if (plain !== undefined) return plain;
  const timeMs = momentOf(date, undefined, timeZone);
  return timeMs === undefined ? '' : (dateInWords(localTime(timeMs, timeZone).date) ?? '');
}

function isoDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** The week of 4 January is the year's first. */
function mondayOfWeek(year: number, week: number): number {
  const fourth = Date.UTC(year, 0, 4);
  const weekday = (new Date(fourth).getUTCDay() + 6) % 7;
  return fourth + (7 * (week - 1) - weekday) * DAY_MS;
}

/** Midnight UTC of a day that exists. */
function dayStartMs(date: string): number | undefined {
  const timeMs = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(timeMs) || isoDay(timeMs) !== date ? undefined : timeMs;
}

/**
 * The moment a date of any precision begins: a full timestamp with its own offset, or else the day (and hour) as the
 * zone's clocks showed it. Weeks and months begin with their first day. Undefined for what is no date.
 */
export function momentOf(date: string | undefined, time: string | undefined, timeZone: string): number | undefined {
  if (date === undefined) return undefined;
  const stamp = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/u.exec(date);
  if (stamp !== null) {
    if (stamp[3] === undefined) return momentOf(stamp[1], stamp[2], timeZone);
    const timeMs = Date.parse(date.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/u, '$1:$2'));
    return Number.isNaN(timeMs) ? undefined : timeMs;
  }
  const dayMs = dayStartMs(firstDayOf(date));
  const clockMs = time === undefined ? 0 : clockTimeMs(time);
  return dayMs === undefined || clockMs === undefined ? undefined : toUtc(dayMs + clockMs, timeZone);
}

function firstDayOf(date: string): string {
  const week = /^(\d{4})-W(\d{2})$/u.exec(date);
  if (week !== null) return isoDay(mondayOfWeek(Number(week[1]), Number(week[2])));
  if (/^\d{4}$/u.test(date)) return `${date}-01-01`;
  return /^\d{4}-\d{2}$/u.test(date) ? `${date}-01` : date;
}

function clockTimeMs(time: string): number | undefined {
  const match = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/u.exec(time);
  if (match === null) return undefined;
  return ((Number(match[1]) * 60 + Number(match[2])) * 60 + Number(match[3] ?? 0)) * 1000;
}

const HALF_HOUR_MS = 1_800_000;
const MAX_OFFSETS = 20_000;
const formats = new Map<string, Intl.DateTimeFormat>();
/** Asking Intl costs more than reading the turn it dates; clocks change only on the half hour. */
const offsets = new Map<string, number>();

/** The UTC moment at which the zone's clocks showed `wallMs` (written as if it were UTC). */
function toUtc(wallMs: number, timeZone: string): number {
  if (timeZone === 'UTC') return wallMs;
  const guess = wallMs - offsetAt(wallMs, timeZone);
  // The guess may lie on the other side of a clock change; the second look is at the right side.
  return wallMs - offsetAt(guess, timeZone);
}

function offsetAt(timeMs: number, timeZone: string): number {
  const bucket = Math.floor(timeMs / HALF_HOUR_MS);
  const key = `${timeZone} ${bucket}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    offset = readOffset(bucket * HALF_HOUR_MS, timeZone);
    if (offsets.size >= MAX_OFFSETS) offsets.clear();
    offsets.set(key, offset);
  }
  return offset;
}

function readOffset(timeMs: number, timeZone: string): number {
  const parts = new Map(
    formatFor(timeZone)
      .formatToParts(timeMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const wallMs = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return wallMs - timeMs;
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** The named zone if there is such a one. */
export function knownZone(timeZone: string | undefined): string | undefined {
  try {
    return timeZone === undefined || timeZone === 'UTC' || formatFor(timeZone) !== undefined ? timeZone : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
