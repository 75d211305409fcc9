import type { Language } from '../understanding.ts';
import { foldInPlace } from '../words.ts';
import { findUnit } from './calendar-words.ts';
import { aroundSpan, rollingSpan, unitSpan, type Span, type TimeExpression } from './expression.ts';
import { addYears, offsetMs, startOfDay, toWall, type WallMs } from './wall-clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from '../../../model/time.ts';

/** The part of chrono-node's results that is used here; its locales share it. */
interface Components {
  get(component: 'year' | 'month' | 'day' | 'hour' | 'minute'): number | null;
  isCertain(component: 'year' | 'month' | 'day' | 'weekday' | 'hour'): boolean;
}

interface ParsedDate {
  readonly index: number;
  readonly text: string;
  readonly start: Components;
  readonly end?: Components | null | undefined;
  tags(): Set<string>;
}

interface DateParser {
  parse(text: string, reference: { instant: Date; timezone: number }): ParsedDate[];
}

/** By locale and only when needed: loading one takes longer than everything else a question costs. */
const LOADERS: Readonly<Record<Exclude<Language, 'other'>, () => Promise<DateParser>>> = {
  en: async () => (await import('chrono-node/en')).casual,
  de: async () => (await import('chrono-node/de')).casual,
  es: async () => (await import('chrono-node/es')).casual,
  fr: async () => (await import('chrono-node/fr')).casual,
};

export interface DateContext {
  readonly nowMs: number;
  readonly timeZone: string;
  readonly language: Language;
}

/** Days, weekdays and counted units ("three weeks ago") in a text whose misleading parts have been masked. */
export async function findDates(text: string, context: DateContext): Promise<TimeExpression[]> {
  const parser = await LOADERS[context.language === 'other' ? 'en' : context.language]();
  const timezone = offsetMs(context.nowMs, context.timeZone) / MINUTE_MS;
  const now = toWall(context.nowMs, context.timeZone);
  const isMonthFirst = context.timeZone.startsWith('America/');
  return parser
    .parse(text, { instant: new Date(context.nowMs), timezone })
    .flatMap((date) => toExpression(date, now, isMonthFirst) ?? []);
}

function toExpression(date: ParsedDate, now: WallMs, isMonthFirst: boolean): TimeExpression | undefined {
  const phrase = foldInPlace(date.text).trimEnd();
  const tags = date.tags();
  if (tags.has('casualReference/now') || /week-?end|wochenende|fin de semana/u.test(phrase)) return undefined;
  const span =
    tags.has('result/relativeDate') || isCurrentUnit(phrase)
      ? relativeSpan(phrase, wallOf(date.start), now)
      : namedSpan(date, phrase, now, isMonthFirst);
  if (span === undefined || !Number.isFinite(span.from) || !(span.to > span.from)) return undefined;
  const isYearOpen = date.start.isCertain('month') && !date.start.isCertain('year');
  return { ...span, start: date.index, end: date.index + phrase.length, isYearOpen };
}

function wallOf(components: Components): WallMs {
  return Date.UTC(
    components.get('year') ?? Number.NaN,
    (components.get('month') ?? 1) - 1,
    components.get('day') ?? 1,
    components.get('hour') ?? 0,
    components.get('minute') ?? 0,
  );
}

const THIS = /^(?:this|current|diese[nrsm]?|est[ea]|cet(?:te)?|ce)\b/u;
const ROLLING =
  /\b(?:past|(?:last|previous|letzten|vergangenen|dern\w+) (?:\d+|an?|few|couple|several|two|three|four|five|six|seven|eight|nine|ten|paar|zwei|drei|vier|funf|sechs)\b|(?:\d+|deux|trois|quatre|cinq|six) dern)/u;
const BACKWARD = /\b(?:ago|back|earlier|before|vor|il y a|hace)\b/u;
const VAGUE = /\b(?:few|couple|several|some|paar|einigen?|quelques|unos|unas|about|around|etwa|environ)\b/u;

function isCurrentUnit(phrase: string): boolean {
  return THIS.test(phrase) && findUnit(phrase) !== undefined;
}

function relativeSpan(phrase: string, moment: WallMs, now: WallMs): Span | undefined {
  const unit = findUnit(phrase) ?? 'day';
  if (THIS.test(phrase)) return unitSpan(unit, now, 0);
  // "For three hours", "in a minute": how long something takes, not when it was.
  if ((unit === 'hour' || unit === 'minute') && !BACKWARD.test(phrase) && moment >= now) return undefined;
  if (/^(?:for|fur|pendant)\b/u.test(phrase)) return undefined;
  if (ROLLING.test(phrase)) return rollingSpan(unit, moment, now);
  if (/\b(?:before|after)\b/u.test(phrase)) {
    const { from, to } = unitSpan(unit, moment, 0);
    return { ...unitSpan(unit, moment, 0), from: startOfDay(moment), to: startOfDay(moment) + (to - from) };
  }
  if (BACKWARD.test(phrase) && unit !== 'year') return aroundSpan(unit, moment, VAGUE.test(phrase));
  return unitSpan(unit, moment, 0);
}

const FORWARD =
  /\b(?:next|this|coming|upcoming|tomorrow|morgen|ubermorgen|nachste[nrsm]?|kommende[nrsm]?|proximo|manana|demain|prochaine?)\b/u;
const PARTS_OF_DAY: readonly (readonly [RegExp, number, number])[] = [
  [/\bmorning\b|\b(?:heute|gestern|vorgestern) (?:morgen|fruh)\b|\bmatin\b|\bpor la manana\b/u, 4, 12],
  [/\bafternoon\b|\bnachmittag\b|\bapres-midi\b|\bpor la tarde\b/u, 12, 18],
  [/\bevening\b|\babend\b|\bsoir\b/u, 17, 24],
  [/\b(?:to)?night\b|\bnacht\b|\bnuit\b|\banoche\b|\bpor la noche\b/u, 18, 30],
];

function namedSpan(date: ParsedDate, phrase: string, now: WallMs, isMonthFirst: boolean): Span | undefined {
  const { start } = date;
  const part = PARTS_OF_DAY.find(([pattern]) => pattern.test(phrase));
  const isDay = start.isCertain('day') || start.isCertain('weekday');
  if (!isDay && !(part !== undefined && THIS.test(phrase))) return undefined;
  let day = startOfDay(swapDayAndMonth(phrase, isMonthFirst) ?? wallOf(start));
  let to = date.end ? startOfDay(wallOf(date.end)) + DAY_MS : day + DAY_MS;
  if (day > now && !FORWARD.test(phrase)) {
    const length = to - day;
    if (start.isCertain('weekday') && !start.isCertain('day')) day -= WEEK_MS;
    else if (!start.isCertain('year')) day = addYears(day, -1);
    to = day + length;
  }
  if (part === undefined || to - day > DAY_MS) return { from: day, to: Math.max(to, day + DAY_MS), precision: 'day' };
  return { from: day + part[1] * HOUR_MS, to: day + part[2] * HOUR_MS, precision: 'part-of-day' };
}

/** 05/08/2023 is 5 August except in the Americas, and 5.8.2023 is so everywhere; the parser reads month first. */
function swapDayAndMonth(phrase: string, isMonthFirst: boolean): WallMs | undefined {
  const match = /^(?:\p{L}+\s+)?(\d{1,2})([/.])(\d{1,2})[/.](\d{2,4})$/u.exec(phrase);
  if (match === null || (match[2] === '/' && isMonthFirst)) return undefined;
  const [day, month, year] = [Number(match[1]), Number(match[3]), Number(match[4])];
  if (day > 31 || month > 12) return undefined;
  return Date.UTC(year < 100 ? 2000 + year : year, month - 1, day);
}
