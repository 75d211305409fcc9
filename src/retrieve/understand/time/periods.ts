import { AMBIGUOUS_MONTHS, alternatives, MONTHS, SEASONS } from './calendar-words.ts';
import { expressionOf, thirdOf, unitSpan, type Span, type TimeExpression } from './expression.ts';
import { startOfDay, startOfWeek, wallDate, yearOf, type WallMs } from './wall-clock.ts';
import { DAY_MS, HOUR_MS, WEEK_MS } from '../../../model/time.ts';

/**
 * Spans longer than a day, which the date parser does not know or takes for a single day: months, years, quarters,
 * seasons, weekends. All patterns read folded text.
 */
export function findPeriods(folded: string, now: WallMs): TimeExpression[] {
  return [
    ...findMonths(folded, now),
    ...findYears(folded),
    ...findQuarters(folded, now),
    ...findSeasons(folded, now),
    ...findWeekends(folded, now),
    ...findWeeksOfMonths(folded, now),
    ...findHolidays(folded, now),
  ];
}

const YEAR = '(?:19|20)\\d\\d';
const PART =
  '(?:(early|mid|late|(?:the )?beginning of|(?:the )?start of|(?:the )?middle of|(?:the )?end of|anfang|mitte|ende|principios de|mediados de|finales de|debut|fin)[\\s-]+)';

/** Words that may come before a month whose name is also another word. */
const MONTH_CONTEXT =
  /(?:^|[\s(-])(?:in|since|during|until|till|by|before|after|of|from|last|early|mid|late|between|around|through|im|seit|letzten|ende|anfang|mitte|bis|vor|nach|en|desde|hasta|depuis|fin|debut|avant|apres|next|previous|past|zwischen|entre)[\s-]+$/u;
const LISTED_MONTH = new RegExp(
  `\\b(?:${alternatives(MONTHS.keys())})\\s*(?:,|and|or|to|und|oder|bis|y|o|et|ou|-|–)\\s*$`,
  'u',
);

function partOf(words: string | undefined): 0 | 1 | 2 | undefined {
  if (words === undefined) return undefined;
  if (/early|beginning|start|anfang|principios|debut/u.test(words)) return 0;
  return /mid|mitte|mediados/u.test(words) ? 1 : 2;
}

function narrow(span: Span, part: 0 | 1 | 2 | undefined): Span {
  return part === undefined ? span : thirdOf(span, part);
}

const MONTH_PATTERN = new RegExp(
  `(?<![\\p{L}\\p{N}_/.'’]|\\d(?:st|nd|rd|th|\\.)?\\s(?:of\\s|de\\s)?)${PART}?(${alternatives(MONTHS.keys())})(?![\\p{L}_/'’]|\\.\\p{L}|-\\p{L})(?:\\.?,?\\s*(?:of\\s|de\\s|del\\s)?(${YEAR})\\b)?(?!\\.?\\s+\\d{1,2}(?:st|nd|rd|th)?\\b(?![:.]\\d))`,
  'gu',
);

function findMonths(folded: string, now: WallMs): TimeExpression[] {
  const found: TimeExpression[] = [];
  for (const match of folded.matchAll(MONTH_PATTERN)) {
    const [, part, name = '', year] = match;
    const before = folded.slice(Math.max(0, match.index - 24), match.index);
    if (year === undefined && part === undefined && AMBIGUOUS_MONTHS.has(name)) {
      if (!MONTH_CONTEXT.test(before) && !LISTED_MONTH.test(before)) continue;
    }
    const month = MONTHS.get(name) ?? 1;
    const span = unitSpan(
      'month',
      wallDate(year === undefined ? latestYear(month, now, before) : Number(year), month),
      0,
    );
    found.push(expressionOf(match, narrow(span, partOf(part)), year === undefined));
  }
  return found;
}

/** The latest such month that has begun; "last May" in May is that of the year before, "next May" is to come. */
function latestYear(startMonth: number, now: WallMs, before: string): number {
  const year = yearOf(now);
  const hasBegun = wallDate(year, startMonth) <= now;
  if (/\b(?:next|coming|nachsten|proximo|prochain)\s+$/u.test(before)) return hasBegun ? year + 1 : year;
  const isRunning = hasBegun && now < wallDate(year, startMonth + 1);
  if (/\b(?:last|letzten|previous)\s+$/u.test(before) && isRunning) return year - 1;
  return hasBegun ? year : year - 1;
}

/** A number like a year is one only after words that lead to one, and not when it counts something. */
const YEAR_PATTERN = new RegExp(
  `(?<=^|[\\s(])(?:(?:in|since|during|before|after|until|till|of|from|between|around|and|to|im jahr|in jahr|seit|von|bis|vor|nach|en|desde|hasta|depuis|avant|apres|entre|year|the year|ano|annee|summer|winter|back in)\\s+(?:the year\\s+|el ano\\s+|l'annee\\s+)?)${PART}?(${YEAR})(?![\\d:%/]|[.-]\\d|\\s*(?:px|ms|tokens?|files?|lines?|items?|people|users?|bytes?|[kmg]b|dollars?|euros?|steps?|rows?|requests?|times|points?|entries|errors?|chunks?|words?|records?|seconds?|minutes?|hours?|km|meters?|miles?)\\b)`,
  'gu',
);
const PART_YEAR_PATTERN = new RegExp(`(?<![\\p{L}\\p{N}])${PART}(${YEAR})(?![\\d:%/]|[.-]\\d)`, 'gu');
const ISO_MONTH = /(?<![\d./-])((?:19|20)\d\d)[-/](0[1-9]|1[0-2])(?![\d/-])/gu;
const DECADE = /\b(?:the|den|los|les)\s+(?:(?:19|20)?([1-9])0s|(19|20)([1-9])0er)\b/gu;

function findYears(folded: string): TimeExpression[] {
  const found: TimeExpression[] = [];
  for (const match of [...folded.matchAll(YEAR_PATTERN), ...folded.matchAll(PART_YEAR_PATTERN)]) {
    const span = unitSpan('year', wallDate(Number(match[2])), 0);
    const lead = match[0].length - ((match[1] === undefined ? 0 : match[1].length + 1) + 4);
    const start = match.index + Math.max(0, lead);
    const expression = expressionOf(match, narrow(span, partOf(match[1])), false);
    found.push({ ...expression, start });
  }
  for (const match of folded.matchAll(ISO_MONTH)) {
    found.push(expressionOf(match, unitSpan('month', wallDate(Number(match[1]), Number(match[2])), 0), false));
  }
  for (const match of folded.matchAll(DECADE)) {
    const digit = Number(match[1] ?? match[3]);
    const century = /20\d0/u.test(match[0]) || digit < 3 ? 2000 : 1900;
    const from = wallDate(century + digit * 10);
    found.push(expressionOf(match, { from, to: wallDate(century + digit * 10 + 10), precision: 'decade' }, false));
  }
  return found;
}

const QUARTER = new RegExp(
  `\\bq([1-4])(?:\\s*(?:of\\s*)?[/-]?\\s*(${YEAR}))?\\b|\\b(${YEAR})[\\s/-]?q([1-4])\\b`,
  'gu',
);

function findQuarters(folded: string, now: WallMs): TimeExpression[] {
  return [...folded.matchAll(QUARTER)].map((match) => {
    const month = (Number(match[1] ?? match[4]) - 1) * 3 + 1;
    const year = match[2] ?? match[3];
    const from = wallDate(year === undefined ? latestYear(month, now, '') : Number(year), month);
    return expressionOf(match, unitSpan('quarter', from, 0), year === undefined);
  });
}

/** "Spring" and "fall" are also other things: a season needs a word before it or a year behind it. */
const SEASON = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(last|past|previous|this|next|in the|during the|over the|since the|im|letzten|diesen|seit dem|el|en|en el|este|l'|cet|au|en)\\s*)?\\b(${alternatives(SEASONS.keys())})\\b(?:\\s+(?:of\\s+|de\\s+)?(${YEAR})|\\s+(pasado|pasada|dernier))?`,
  'gu',
);

function findSeasons(folded: string, now: WallMs): TimeExpression[] {
  const found: TimeExpression[] = [];
  for (const match of folded.matchAll(SEASON)) {
    const [, before = '', name = '', year, after] = match;
    if (before === '' && year === undefined && after === undefined) continue;
    if (name === 'ete' && !/^(?:l'|cet|en)$/u.test(before) && year === undefined) continue;
    const month = SEASONS.get(name) ?? 1;
    const isPast = /last|past|previous|letzten/u.test(before) || after !== undefined;
    let startYear = year === undefined ? latestYear(month, now, before === 'next' ? 'next ' : '') : Number(year);
    if (year === undefined && isPast && wallDate(startYear, month + 3) > now) startYear -= 1;
    const span: Span = { from: wallDate(startYear, month), to: wallDate(startYear, month + 3), precision: 'season' };
    found.push(expressionOf(match, span, year === undefined));
  }
  return found;
}

const WEEKEND =
  /\b(?:(this|last|past|previous|next|over the|on the|at the|dieses|letztes|vergangenes|am|nachstes|el|este|ce|le)\s+)(?:weekend|wochenende|fin de semana|week-end)(?:\s+(pasado|dernier))?(?:\s+before last)?/gu;

/** Saturday and Sunday with the Friday evening before; "last weekend" is the latest that is over. */
function findWeekends(folded: string, now: WallMs): TimeExpression[] {
  return [...folded.matchAll(WEEKEND)].map((match) => {
    const friday = startOfWeek(now) + 4 * DAY_MS + 17 * HOUR_MS;
    const isNext = /^(?:next|nachstes)$/u.test(match[1] ?? '');
    const isThis = /^(?:this|dieses|este|ce)$/u.test(match[1] ?? '') && match[2] === undefined;
    const isOver = friday + 55 * HOUR_MS <= now;
    let from = isNext || isThis || isOver ? friday : friday - WEEK_MS;
    if (isNext) from += WEEK_MS;
    if (match[0].endsWith('before last')) from -= WEEK_MS;
    return expressionOf(match, { from, to: startOfDay(from) + 3 * DAY_MS, precision: 'day' }, false);
  });
}

const WEEK_OF_MONTH = new RegExp(
  `\\b(first|second|third|fourth|last)\\s+week\\s+(?:of|in)\\s+(${alternatives(MONTHS.keys())})\\b(?:,?\\s+(?:of\\s+)?(${YEAR}))?`,
  'gu',
);
const WEEK_ORDINALS = ['first', 'second', 'third', 'fourth'];

function findWeeksOfMonths(folded: string, now: WallMs): TimeExpression[] {
  return [...folded.matchAll(WEEK_OF_MONTH)].map((match) => {
    const month = MONTHS.get(match[2] ?? '') ?? 1;
    const year = match[3] === undefined ? latestYear(month, now, '') : Number(match[3]);
    const week = WEEK_ORDINALS.indexOf(match[1] ?? '');
    const from = week === -1 ? wallDate(year, month + 1) - WEEK_MS : wallDate(year, month) + week * WEEK_MS;
    return expressionOf(match, { from, to: from + WEEK_MS, precision: 'week' }, match[3] === undefined);
  });
}

/** First and last day. Only with a word or a year: "for Christmas" alone may be any of them. */
const HOLIDAYS: ReadonlyMap<string, readonly [number, number, number]> = new Map([
  ['christmas', [12, 23, 27]],
  ['weihnachten', [12, 23, 27]],
  ['navidad', [12, 23, 27]],
  ['noel', [12, 23, 27]],
  ['halloween', [10, 30, 32]],
  ['thanksgiving', [11, 22, 29]],
  ['silvester', [12, 31, 32]],
]);
const HOLIDAY = new RegExp(
  `\\b(?:(last|this|letzte|letztes|la|le)\\s+)?(${alternatives(HOLIDAYS.keys())})\\b(?:\\s+(pasada|dernier|(?:of\\s+)?(${YEAR})))?`,
  'gu',
);

function findHolidays(folded: string, now: WallMs): TimeExpression[] {
  const found: TimeExpression[] = [];
  for (const match of folded.matchAll(HOLIDAY)) {
    const [month, first, last] = HOLIDAYS.get(match[2] ?? '') ?? [1, 1, 1];
    if (match[1] === undefined && match[3] === undefined) continue;
    const thisYear = wallDate(yearOf(now), month, first) <= now ? yearOf(now) : yearOf(now) - 1;
    const year = match[4] === undefined ? thisYear : Number(match[4]);
    const span: Span = { from: wallDate(year, month, first), to: wallDate(year, month, last), precision: 'day' };
    found.push(expressionOf(match, span, match[4] === undefined));
  }
  return found;
}
