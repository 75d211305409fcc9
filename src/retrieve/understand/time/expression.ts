import type { TimePrecision } from '../understanding.ts';
import type { Unit } from './calendar-words.ts';
import { monthOf, startOfDay, startOfWeek, wallDate, yearOf, type WallMs } from './wall-clock.ts';
import { DAY_MS, HOUR_MS, WEEK_MS } from '../../../model/time.ts';

/** A time named somewhere in the question, in the home's wall-clock time. */
export interface TimeExpression {
  readonly start: number;
  readonly end: number;
  readonly from: WallMs;
  /** Exclusive. */
  readonly to: WallMs;
  readonly precision: TimePrecision;
  /** The words leave the year open and the latest possible one was taken. */
  readonly isYearOpen: boolean;
}

export type Span = Pick<TimeExpression, 'from' | 'to' | 'precision'>;

/** The matched words without the blanks around them, as an expression. */
export function expressionOf(match: RegExpExecArray, span: Span, isYearOpen: boolean): TimeExpression {
  const trimmed = match[0].trimEnd();
  const lead = trimmed.length - trimmed.trimStart().length;
  return { ...span, start: match.index + lead, end: match.index + trimmed.length, isYearOpen };
}

/** The calendar unit around a moment, moved by `shift` units. */
export function unitSpan(unit: Unit, around: WallMs, shift: number): Span {
  const year = yearOf(around);
  const month = monthOf(around);
  switch (unit) {
    case 'minute':
    case 'hour': {
      const from = Math.floor(around / HOUR_MS) * HOUR_MS + shift * HOUR_MS;
      return { from, to: from + HOUR_MS, precision: 'hour' };
    }
    case 'day': {
      const from = startOfDay(around) + shift * DAY_MS;
      return { from, to: from + DAY_MS, precision: 'day' };
    }
    case 'week': {
      const from = startOfWeek(around) + shift * WEEK_MS;
      return { from, to: from + WEEK_MS, precision: 'week' };
    }
    case 'month':
      return { from: wallDate(year, month + shift), to: wallDate(year, month + shift + 1), precision: 'month' };
    case 'quarter': {
      const first = month - ((month - 1) % 3) + shift * 3;
      return { from: wallDate(year, first), to: wallDate(year, first + 3), precision: 'season' };
    }
    case 'year':
      return { from: wallDate(year + shift), to: wallDate(year + shift + 1), precision: 'year' };
  }
}

const UNIT_MS: Readonly<Record<Unit, number>> = {
  minute: HOUR_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  week: WEEK_MS,
  month: 30 * DAY_MS,
  quarter: 91 * DAY_MS,
  year: 365 * DAY_MS,
};

const PRECISIONS: Readonly<Record<Unit, TimePrecision>> = {
  minute: 'hour',
  hour: 'hour',
  day: 'day',
  week: 'week',
  month: 'month',
  quarter: 'season',
  year: 'year',
};

/** "Two months ago" means around that day: half a unit to either side, more when the count itself is vague. */
export function aroundSpan(unit: Unit, moment: WallMs, isVague: boolean): Span {
  if (unit === 'day' && !isVague) return unitSpan('day', moment, 0);
  const reach = UNIT_MS[unit] * (isVague ? 1.5 : 0.5);
  return { from: startOfDay(moment - reach), to: startOfDay(moment + reach) + DAY_MS, precision: PRECISIONS[unit] };
}

/** "The past three weeks": from then until now. */
export function rollingSpan(unit: Unit, from: WallMs, now: WallMs): Span {
  return { from: startOfDay(from), to: now, precision: PRECISIONS[unit] };
}

/** Early, middle or late part of a span. */
export function thirdOf(span: Span, part: 0 | 1 | 2): Span {
  const third = (span.to - span.from) / 3;
  const from = startOfDay(span.from + part * third);
  const to = part === 2 ? span.to : startOfDay(span.from + (part + 1) * third);
  return { from, to, precision: span.precision === 'year' ? 'season' : 'week' };
}
