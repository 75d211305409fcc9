import { DAY_MS } from '../../../model/time.ts';

/** A time named in a text, as a day, month or year of the calendar. */
export interface NamedDate {
  readonly index: number;
  readonly words: string;
  /** `2026-03-06`, `2026-03` or `2026`. */
  readonly date: string;
  /** The words already hold the year. */
  readonly isFull: boolean;
}

interface Components {
  get(component: 'year' | 'month' | 'day'): number | null;
  isCertain(component: 'year' | 'month' | 'day' | 'weekday' | 'hour'): boolean;
}

interface ParsedDate {
  readonly index: number;
  readonly text: string;
  readonly start: Components;
  tags(): Set<string>;
}

export interface DateParser {
  parse(text: string, reference: { instant: Date; timezone: number }, options: { forwardDate: boolean }): ParsedDate[];
}

/** Cheap and generous: a text without any of these names no time. */
const HINT =
  /\b(?:today|tonight|tomorrow|tmrw|yesterday|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|week|weekend|month|year|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|days?|weeks?|ago|\d{4}|\d{1,2}(?:st|nd|rd|th)|\d{1,2}[./]\d{1,2})\b/iu;

/** A duration, a rate ("5 euros a day") or a clock time is no day. */
const NO_DAY =
  /^(?:\d+\s*(?:min|minutes?|hours?|h|s|sec|seconds?|ms)\b|now|the (?:second|minute))|^(?:may|march|mar|sun|sat|second)$|^(?:(?:after|for|within|over|about) )?(?:half )?an? (?:minute|hour|day|week|month|year)$|^(?:the )?(?:next|following|same|previous|other) day$|^(?:the |over the |that )?(?:day|week|month|year)(?: before| after)?$|^(?:(?:after|for|within) )?(?:\d+|a few|few|several|some|one|two|three|four|five|six|seven|eight|nine|ten)(?: ?-)? ?(?:min(?:ute)?s?|hours?|days?|weeks?|months?|years?)(?: (?:after|before))?$|^(?:the )?\d{1,2}(?:st|nd|rd|th) (?:to|until) /iu;
/** "Monday to Thursday": the days of every week. */
const DAYS_OF_THE_WEEK =
  /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s? ?(?:to|till|until|through|-|–) ?(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?$/iu;
/** "until april 30": a day, and no year of this century. */
const DAY_OF_MONTH = /^\p{L}{3,9}\.? (?<day>[12]?\d|3[01])(?: ?(?:to|till|until|-|–) .*)?$/u;
/** "in May 1,137": the figure is an amount. "Friday the 9th": what follows says which one. */
const NOT_ALONE = /^(?:,\d{3}\b|,? (?:the )?\d{1,2}(?:st|nd|rd|th)\b)/u;
const RECURRING = /\b(?:every|each|on|most|all|per)\s+(?:other\s+)?$/iu;

/** A day of a month that has passed by less than this is taken as that one, not next year's. */
const JUST_PAST_MS = 90 * 24 * 3_600_000;

/** Code, paths and round the clock name no days: in "release/0.9 until 31 July" the nine is none. "On 24/7" is one. */
const CODE = /`[^`]*`|(?<!\S)\S*\p{L}[/_]\S*|(?<!\b(?:on|by|until|till|before|from|since|due|the) )\b24\/7\b/giu;

let loading: Promise<DateParser> | undefined;

export async function loadDateParser(): Promise<DateParser> {
  loading ??= import('chrono-node/en').then((module) => module.GB as unknown as DateParser);
  return loading;
}

export function findNamedDates(text: string, saidMs: number, timeZone: string, parser: DateParser): NamedDate[] {
  if (!HINT.test(text)) return [];
  const timezone = offsetMinutes(saidMs, timeZone);
  const isPast =
    /\b(?:was|were|had|did|last (?:week|weekend|month|year|night|time|spring|summer|autumn|winter|mon|tue|wed|thu|fri|sat|sun)\w*|ago|yesterday|began|came|went|left|got|took|made|said|wrote|sent|met|bought|ran|(?!need|speed|feed|seed|indeed|hundred|red\b|bed\b|wed\b|shed\b)\w+ed)\b/iu.test(
      text,
    );
  const masked = text.replaceAll(CODE, (code) => '_'.repeat(code.length));
  return parser
    .parse(masked, { instant: new Date(saidMs), timezone }, { forwardDate: !isPast })
    .flatMap((found) => toNamed(found, masked, saidMs) ?? []);
}

function toNamed(found: ParsedDate, text: string, saidMs: number): NamedDate | undefined {
  const words = found.text.trim().replace(/[,;.]+$/u, '');
  const { start } = found;
  const rest = text.slice(found.index + words.length);
  if (NO_DAY.test(words) || DAYS_OF_THE_WEEK.test(words) || NOT_ALONE.test(rest)) return undefined;
  if (/[\d.,]$/u.test(text.slice(0, found.index)) && /^\d/u.test(words)) return undefined;
  // The parser knows no letters beyond ASCII and ends words at them.
  if (/^\p{L}/u.test(rest) && /\p{L}$/u.test(words)) return undefined;
  const dayOfMonth = start.isCertain('day') ? undefined : DAY_OF_MONTH.exec(words)?.groups?.['day'];
  if (dayOfMonth !== undefined)
    return { index: found.index, words, date: nextDay(start, Number(dayOfMonth), saidMs), isFull: false };
  const hasDay = start.isCertain('day') || start.isCertain('weekday');
  if (!hasDay && !start.isCertain('month') && !start.isCertain('year')) {
    if (!/\b(?:today|tonight|tomorrow|yesterday|day|week|month|year)/iu.test(words)) return undefined;
  }
  if (start.isCertain('weekday') && !start.isCertain('day') && isRecurring(text, found.index, words)) return undefined;
  const [year, month, day] = calendarDay(found, text, saidMs);
  const isMonthOnly = start.isCertain('month') && !hasDay;
  const isRough = /\b(?:month|year)s?\b/iu.test(words) && !/\d\s*(?:months?|years?)/iu.test(words);
  const date =
    isRough && /year/iu.test(words) ? year : isMonthOnly || isRough ? `${year}-${month}` : `${year}-${month}-${day}`;
  return { index: found.index, words, date, isFull: /\b(?:19|20)\d\d\b/u.test(words) };
}

/** The next such day, or the one just past. */
function nextDay(start: Components, day: number, saidMs: number): string {
  const month = (start.get('month') ?? 1) - 1;
  const year = new Date(saidMs).getUTCFullYear();
  const date = new Date(Date.UTC(year, month, day));
  if (date.getTime() < saidMs - JUST_PAST_MS) date.setUTCFullYear(year + 1);
  return date.toISOString().slice(0, 10);
}

/** The day as it is written; "since November", said in March, was last year's, and "since Sunday" the last one. */
function calendarDay(
  { index, text: words, start }: ParsedDate,
  text: string,
  saidMs: number,
): readonly [string, string, string] {
  const date = new Date(Date.UTC(start.get('year') ?? 0, (start.get('month') ?? 1) - 1, start.get('day') ?? 1));
  const isBehind =
    /^last\b/iu.test(words) || /\b(?:since|last) (?:early |late |mid-?|the end of )?$/iu.test(text.slice(0, index));
  if (isBehind && date.getTime() > saidMs && !start.isCertain('year')) {
    if (start.isCertain('weekday') && !start.isCertain('day')) date.setUTCDate(date.getUTCDate() - 7);
    else date.setUTCFullYear(date.getUTCFullYear() - 1);
  } else if (start.isCertain('weekday') && !start.isCertain('day')) {
    const side = sideOf(text.slice(0, index), words);
    if (side === 'past' && date.getTime() > saidMs) date.setUTCDate(date.getUTCDate() - 7);
    if (side === 'ahead' && date.getTime() + DAY_MS <= saidMs) date.setUTCDate(date.getUTCDate() + 7);
  }
  const [year = '', month = '', day = ''] = date.toISOString().slice(0, 10).split('-');
  return [year, month, day];
}

/** The last of these before a weekday says whether it is over: "Ben left on Friday", "she said the audit is on Friday". */
const TELLS_WHEN =
  /\b(?:(?<past>left|came|went|met|bought|ran|quit|died|arrived|happened|began|finished|got|took|saw|visited|was|were|had)|(?<ahead>is|are|will|shall|going|to|for|until|till|by|before|due|planned|scheduled|moved|next|this|coming)|from|since|last)\b|['’]ll\b/giu;

/** On which side of the day it was said a weekday is; undefined where nothing tells. */
function sideOf(before: string, words: string): 'past' | 'ahead' | undefined {
  const last = [...`${before}${words}`.matchAll(TELLS_WHEN)].at(-1)?.groups;
  if (last?.['past'] !== undefined) return 'past';
  return last?.['ahead'] === undefined ? undefined : 'ahead';
}

const WEEKDAY = '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?';
const WEEKDAY_BEFORE = new RegExp(`\\b${WEEKDAY}(?:,| and| or| to| till| through| ?[&/–-]) ?(?:on )?$`, 'iu');
const WEEKDAY_AFTER = new RegExp(`^(?:,| and| or| to| till| through| ?[&/–-]) ?(?:on )?${WEEKDAY}\\b`, 'iu');
/** "Likes weekly summaries on Friday". */
const HABIT = /\b(?:weekly|usually|normally|always|never|likes?|prefers?|rule)\b/iu;

/** "Monday of every month", "the first Sunday of January". */
const OF_EVERY = /^ of (?:every|each|the|a) (?:month|week|quarter|year)/iu;
const OF_A_MONTH = /^ (?:of|in) (?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:\p{L}{2,6})?\b/iu;
const WHICH = /\b(?:first|second|third|fourth|last|[1-4](?:st|nd|rd|th))\s+$/iu;

/** "On Tuesdays", "every Monday": a habit, not a day. */
function isRecurring(text: string, index: number, words: string): boolean {
  const before = text.slice(Math.max(0, index - 14), index);
  const after = text.slice(index + words.length);
  return (
    WEEKDAY_BEFORE.test(before) ||
    WEEKDAY_AFTER.test(after) ||
    HABIT.test(text.slice(text.lastIndexOf('. ', index) + 1, index)) ||
    /^s\b/u.test(after) ||
    /s$/iu.test(words.replace(/^(?:tues|wednes|thurs)$/iu, '')) ||
    /\b(?:every|each|most|all|an?)\s+(?:other\s+)?$/iu.test(before) ||
    OF_EVERY.test(after) ||
    (OF_A_MONTH.test(after) && WHICH.test(`${before}${/^\p{L}+\s+/u.exec(words)?.[0] ?? ''}`)) ||
    (RECURRING.test(before) && /s$/iu.test(words))
  );
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetMinutes(timeMs: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    formats.set(timeZone, format);
  }
  const name = format.formatToParts(timeMs).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const match = /GMT([+-])(\d{1,2}):?(\d{2})?/u.exec(name);
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return match[1] === '-' ? -minutes : minutes;
}
