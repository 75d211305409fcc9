import { DAY_MS, MINUTE_MS } from '../../model/time.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
};

const AGO_PATTERN = /^(\d{1,6}) (minute|hour|day|week)s? ago$/;
const DATE_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME_PATTERN = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:?\d{2})?$/i;

/** Which end of a day a day stands for. */
export type DayEdge = 'start' | 'end';

/**
 * The instant a person means, in UTC milliseconds; undefined when the text is no time at all. A day stands for its
 * end unless said otherwise, because what one knew "on Monday" includes what one learnt on Monday. Its start is the
 * last millisecond before it: the state in which the day began.
 */
export function parseMoment(text: string, nowMs: number, timeZone: string, edge: DayEdge = 'end'): number | undefined {
  const words = text.trim().toLowerCase();
  if (words === 'now') return nowMs;
  const today = localDate(nowMs, timeZone);
  if (words === 'today') return edge === 'start' ? startOfDay(today, timeZone) - 1 : nowMs;
  if (words === 'yesterday') return edgeOfDay(dayBefore(today), timeZone, edge);
  const ago = AGO_PATTERN.exec(words);
  if (ago !== null) return nowMs - Number(ago[1]) * (UNIT_MS[ago[2] ?? ''] ?? 0);
  if (DATE_PATTERN.test(words)) return isDate(words) ? edgeOfDay(words, timeZone, edge) : undefined;
  const time = TIME_PATTERN.exec(words);
  if (time === null || !isDate(time[1] ?? '')) return undefined;
  return parseTime(time[1] ?? '', time[2] ?? '', time[3]?.toUpperCase(), timeZone);
}

function parseTime(date: string, clock: string, offset: string | undefined, timeZone: string): number | undefined {
  if (offset === undefined) {
    const wallMs = Date.parse(`${date}T${clock}Z`);
    return Number.isNaN(wallMs) ? undefined : instantOf(wallMs, timeZone);
  }
  const timeMs = Date.parse(`${date}T${clock}${offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** Refuses 2026-02-30, which Date would turn into March. */
function isDate(text: string): boolean {
  const timeMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text);
}

function startOfDay(date: string, timeZone: string): number {
  return instantOf(Date.parse(`${date}T00:00:00Z`), timeZone);
}

function edgeOfDay(date: string, timeZone: string, edge: DayEdge): number {
  if (edge === 'start') return startOfDay(date, timeZone) - 1;
  return instantOf(Date.parse(`${date}T00:00:00Z`) + DAY_MS, timeZone) - 1;
}

function dayBefore(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
}

/** The date a wall calendar in the zone shows. */
function localDate(timeMs: number, timeZone: string): string {
  return new Date(timeMs + zoneOffsetMs(timeMs, timeZone)).toISOString().slice(0, 10);
}

/** The instant at which clocks in the zone show `wallMs` (a time written as if it were UTC). */
function instantOf(wallMs: number, timeZone: string): number {
  const guessMs = wallMs - zoneOffsetMs(wallMs, timeZone);
  // The offset holds at the guess, not at the wall time itself: they differ within hours of a clock change.
  return wallMs - zoneOffsetMs(guessMs, timeZone);
}

function zoneOffsetMs(timeMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(timeMs).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(name) ?? [];
  const offset = Number(hours) * 60 * MINUTE_MS + Number(minutes) * MINUTE_MS + Number(seconds) * 1000;
  return sign === '-' ? -offset : offset;
}
