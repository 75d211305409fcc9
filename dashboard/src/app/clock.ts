import { signal } from '@preact/signals';

/** The time shown things are told from; moves once a minute. */
export const now = signal(new Date());

const MINUTE_MS = 60_000;

export function startClock(): void {
  window.setInterval(() => {
    now.value = new Date();
  }, MINUTE_MS);
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

export function ago(time: Date, from: Date): string {
  const seconds = (time.getTime() - from.getTime()) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return 'just now';
}

const fullFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

export function fullTime(time: Date): string {
  return fullFormat.format(time);
}

/** Of a day such as 2026-02-16, whatever zone the browser is in. */
export function dayName(day: string): string {
  const time = new Date(`${day}T12:00:00`);
  return Number.isNaN(time.getTime()) ? day : dayFormat.format(time);
}

const shortFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const shortYearFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** "6 Nov", with the year where it is another one; a month or a year alone stays as it is. */
export function shortDay(day: string, from: Date): string {
  const time = new Date(`${day.slice(0, 10)}T12:00:00`);
  if (day.length < 10 || Number.isNaN(time.getTime())) return day;
  return (time.getFullYear() === from.getFullYear() ? shortFormat : shortYearFormat).format(time);
}

/** As date fields write it, in the browser's zone. */
export function isoDay(time: Date): string {
  const month = String(time.getMonth() + 1).padStart(2, '0');
  return `${time.getFullYear()}-${month}-${String(time.getDate()).padStart(2, '0')}`;
}
