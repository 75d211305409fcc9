import type { FoundName } from '../names.ts';
import type { TimeRange } from '../understanding.ts';
import { foldInPlace, maskQuoted } from '../words.ts';
import { type Unit, findUnit, hasTimeHint } from './calendar-words.ts';
import { findDates, type DateContext } from './date-parser.ts';
import { type TimeExpression, aroundSpan, expressionOf, unitSpan } from './expression.ts';
import { findPeriods } from './periods.ts';
import { type WallMs, addYears, startOfDay, toInstant, toWall, yearOf } from './wall-clock.ts';
import { DAY_MS, HOUR_MS } from '../../../model/time.ts';

interface TimeContext extends DateContext {
  readonly people: readonly FoundName[];
}

/** More would only slow down; the first ones are those the question is about. */
const MAX_EXPRESSIONS = 32;

/** The span of time a question names, if any. */
export async function findTimeRange(text: string, context: TimeContext): Promise<TimeRange | undefined> {
  if (!hasTimeHint(foldInPlace(text))) return undefined;
  const masked = maskMisleading(text, context.people);
  const folded = foldInPlace(masked);
  if (!hasTimeHint(folded)) return undefined;
  const now = toWall(context.nowMs, context.timeZone);
  const found = [...findPeriods(folded, now), ...findRelative(folded, now), ...(await findDates(masked, context))];
  const expressions = withoutOverlaps(found).slice(0, MAX_EXPRESSIONS);
  const bounded = combine(folded, expressions, now);
  if (bounded === undefined) return undefined;
  const sinceMs = bounded.from === undefined ? undefined : toInstant(bounded.from, context.timeZone);
  const untilMs = bounded.to === undefined ? undefined : toInstant(bounded.to, context.timeZone);
  if (sinceMs === undefined && untilMs === undefined) return undefined;
  const phrase = text.slice(bounded.start, bounded.end);
  return { sinceMs, untilMs, phrase, precision: bounded.precision };
}

/** Of two readings of the same words the longer one is right; of equally long ones the first. */
function withoutOverlaps(found: readonly TimeExpression[]): TimeExpression[] {
  const kept: TimeExpression[] = [];
  for (const candidate of found.toSorted((one, other) => other.end - other.start - (one.end - one.start))) {
    if (kept.every((other) => candidate.end <= other.start || candidate.start >= other.end)) kept.push(candidate);
  }
  return kept.sort((one, other) => one.start - other.start);
}

interface Bounds extends Pick<TimeExpression, 'start' | 'end' | 'precision'> {
  readonly from: WallMs | undefined;
  readonly to: WallMs | undefined;
}

const ARTICLE = "(?:(?:the|el|la|le|dem|der|den)\\s+|l')?";
const SINCE = new RegExp(
  `(?:^|\\s)(?:since|after|seit|nach|desde|despues de|depuis|apres|starting(?: in)?)\\s+${ARTICLE}$`,
  'u',
);
const UNTIL = new RegExp(`(?:^|\\s)(?:before|prior to|vor|antes de|avant)\\s+${ARTICLE}$`, 'u');
const THROUGH = new RegExp(
  `(?:^|\\s)(?:until|till|up to|through|bis|hasta|jusqu'(?:a|en))\\s+(?:zum\\s+)?${ARTICLE}$`,
  'u',
);
const FROM = new RegExp(`(?:^|\\s)(?:from|ab|von|vom|de|du)\\s+${ARTICLE}$`, 'u');
const BETWEEN = new RegExp(`(?:^|\\s)(?:between|zwischen|entre)\\s+${ARTICLE}$`, 'u');
const AND = /^\s*(?:and|und|y|et|or|oder|o|ou|,|&)\s*(?:in |on |the |el |le |dem |den )?$/u;
const TO =
  /^\s*(?:to|until|till|through|and|bis(?: zum)?|hasta|a|al|au|jusqu'au|und|y|et|-|–|—)\s*(?:the |el |le |dem |den )?$/u;
const ONWARDS = /^\s*(?:on\b|onwards?\b|forward\b)/u;
const RELATION = /^\s+(before|after)\s+(?:the\s+)?$/u;

function combine(folded: string, expressions: readonly TimeExpression[], now: WallMs): Bounds | undefined {
  const index = Math.max(
    0,
    expressions.findIndex(({ from }) => from <= now),
  );
  const first = expressions[index];
  if (first === undefined) return undefined;
  const second = expressions[index + 1];
  const before = folded.slice(Math.max(0, first.start - 30), first.start);
  if (second !== undefined) {
    const between = folded.slice(first.end, second.start);
    const pair = combinePair(before, between, first, second);
    if (pair !== undefined) return withOperator(pair, before);
  }
  return withOperator(boundOne(first, before, folded.slice(first.end)), before);
}

function combinePair(before: string, between: string, one: TimeExpression, other: TimeExpression): Bounds | undefined {
  const relation = RELATION.exec(between)?.[1];
  if (relation !== undefined && isSingleDay(one) && other.precision === 'day')
    return weekdayBeside(one, other, relation);
  const isSpan = (BETWEEN.test(before) || FROM.test(before) || /^\s*[-–—]\s*$/u.test(between)) && TO.test(between);
  if (!isSpan && !AND.test(between)) return undefined;
  const from = one.isYearOpen ? alignYear(one, other) : one.from;
  return {
    start: one.start,
    end: other.end,
    from: Math.min(from, other.from),
    to: Math.max(other.to, from + (one.to - one.from)),
    precision: one.precision,
  };
}

/** "Between May and July 2022": the year stands only once; "between December and February" crosses one. */
function alignYear(one: TimeExpression, other: TimeExpression): WallMs {
  const sameYear = addYears(one.from, yearOf(other.from) - yearOf(one.from));
  return sameYear <= other.from ? sameYear : addYears(sameYear, -1);
}

function isSingleDay({ from, to }: TimeExpression): boolean {
  return to - from === DAY_MS;
}

/** "The Sunday before 25 May": the nearest such weekday on that side. */
function weekdayBeside(one: TimeExpression, other: TimeExpression, relation: string): Bounds {
  const weekday = new Date(one.from).getUTCDay();
  const step = relation === 'before' ? -DAY_MS : DAY_MS;
  let from = other.from + step;
  while (new Date(from).getUTCDay() !== weekday) from += step;
  return { start: one.start, end: other.end, from, to: from + DAY_MS, precision: 'day' };
}

function boundOne(expression: TimeExpression, before: string, after: string): Bounds {
  if (SINCE.test(before)) {
    const isAfter = /\b(?:after|nach|despues de|apres)\b/u.test(before);
    return { ...expression, from: isAfter ? expression.to : expression.from, to: undefined };
  }
  if (UNTIL.test(before)) return { ...expression, from: undefined, to: expression.from };
  if (THROUGH.test(before)) return { ...expression, from: undefined };
  if (FROM.test(before) && ONWARDS.test(after)) return { ...expression, to: undefined };
  return expression;
}

/** The words before an expression that belong to it. */
const LEADING =
  /(?:^|\s)((?:since|after|before|prior to|until|till|up to|between|from|in|on|during|seit|nach|vor|bis|zwischen|von|vom|im|am|in der|desde|despues de|antes de|hasta|entre|en|depuis|apres|avant|le|la|el)\s+(?:(?:the|el|la|le|dem|den|der)\s+)?)$/u;

function withOperator(bounds: Bounds, before: string): Bounds {
  const lead = LEADING.exec(before)?.[1] ?? '';
  return { ...bounds, start: bounds.start - lead.length };
}

/** Things that a date parser takes for times: versions, addresses, habits, and short weekdays that are other words. */
const MISLEADING: readonly RegExp[] = [
  /(?:https?:\/\/|\bwww\.)\S+/giu,
  /\b(?:v|version\s+|release\s+)\d+(?:\.\d+)+\S*/giu,
  /\b\d+(?:\.\d+){3,}\b/gu,
  /\b\d+\.\d+\.(?!(?:19|20)\d\d\b)\d+\S*/gu,
  /\b\d{3,}\.\d+\.\d+\b/gu,
  /\b(?:every|each|jede[nrsm]?|cada|chaque|tous les|todos los)\s+(?:\w+\s+)?\p{L}+/giu,
  /\b(?:in|on)?\s*the (?:morning|afternoon|evening|night) of\b/giu,
  /\b(?<!(?:on|last|next|this|since|until|till|before|after|from|past|previous)\s)(?:mon|tues?|wed|thurs?|thur|fri|sat|sun)\b(?!\.?,?\s+\d)/giu,
  /(?<![\p{L}\p{N}])(?:mo|di|mi|do|fr|sa|so|lun|mar|mer|mie|jeu|jue|ven|vie|sam|dim|dom)(?![\p{L}\p{N}]|\.?,?\s+\d)/giu,
];

/** A person called April or June is a month only in "in April", "last June", "April 2023". */
const MONTH_BEFORE_NAME = /\b(?:in|during|since|last|early|mid|late|im|seit|en|depuis)[\s-]+$/iu;

/** The question with everything blotted out that only looks like a time; places stay the same. */
function maskMisleading(text: string, people: readonly FoundName[]): string {
  let masked = maskQuoted(text);
  for (const { start, end } of people) {
    const isMonth = MONTH_BEFORE_NAME.test(masked.slice(0, start)) || /^,?\s+\d/u.test(masked.slice(end));
    if (!isMonth) masked = masked.slice(0, start) + 'x'.repeat(end - start) + masked.slice(end);
  }
  for (const pattern of MISLEADING) masked = masked.replaceAll(pattern, (found) => 'x'.repeat(found.length));
  return masked;
}

/** Relative times that the date parser misses in one language or another. Patterns read folded text. */
function findRelative(folded: string, now: WallMs): TimeExpression[] {
  const found: TimeExpression[] = [];
  for (const match of folded.matchAll(CURRENT)) {
    found.push(expressionOf(match, unitSpan(findUnit(match[1] ?? '') ?? 'week', now, 0), false));
  }
  for (const match of folded.matchAll(SPANISH_LAST)) {
    found.push(expressionOf(match, unitSpan(findUnit(match[1] ?? '') ?? 'week', now, -1), false));
  }
  for (const match of folded.matchAll(COUNTED)) {
    const counted = match[1] ?? match[3] ?? '';
    const unit = findUnit(match[2] ?? match[4] ?? '') ?? 'day';
    const isVague = VAGUE_COUNTS.has(counted);
    const count = isVague ? 3 : Number(counted) || (COUNTS.get(counted) ?? 1);
    found.push(expressionOf(match, aroundSpan(unit, earlier(unit, now, count), isVague), false));
  }
  for (const match of folded.matchAll(HALF_YEAR)) {
    found.push(expressionOf(match, aroundSpan('month', earlier('month', now, 6), false), false));
  }
  for (const match of folded.matchAll(SPANISH_LAST_NIGHT)) {
    const from = startOfDay(now) - 6 * HOUR_MS;
    found.push(expressionOf(match, { from, to: from + DAY_MS / 2, precision: 'part-of-day' }, false));
  }
  for (const match of folded.matchAll(OTHER_DAY)) {
    found.push(
      expressionOf(match, { from: startOfDay(now) - 10 * DAY_MS, to: startOfDay(now), precision: 'week' }, false),
    );
  }
  return found;
}

const CURRENT =
  /\b(?:this|diese[nrsm]?|est[ea]|ce|cette)\s+(week|month|quarter|year|woche|monat|quartal|jahr|semana|mes|ano|semaine|mois|annee)\b/gu;
const SPANISH_LAST = /\b(?:(?:la|el)\s+)?(semana|mes|ano|trimestre)\s+pasad[oa]\b/gu;
const SPANISH_LAST_NIGHT = /\banoche\b/gu;
const HALF_YEAR = /\b(?:half a year ago|vor einem halben jahr|hace medio ano|il y a six mois)\b/gu;
const OTHER_DAY = /\b(?:the other day|neulich|el otro dia|l'autre jour)\b/gu;

const COUNTS: ReadonlyMap<string, number> = new Map([
  ...'un dos tres cuatro cinco seis siete ocho nueve diez'.split(' ').map((word, index) => [word, index + 1] as const),
  ...'one two three four five six seven eight nine ten'.split(' ').map((word, index) => [word, index + 1] as const),
]);
const VAGUE_COUNTS = new Set(['unos', 'unas', 'few', 'a few', 'couple', 'a couple of']);
const COUNT = `\\d{1,3}|una?|${[...COUNTS.keys(), ...VAGUE_COUNTS].join('|')}`;

/** "Hace tres semanas", "three weeks back". */
const COUNTED = new RegExp(
  `\\bhace\\s+(${COUNT})\\s+(dias?|semanas?|mes|meses|anos?)\\b|\\b(${COUNT})\\s+(days?|weeks?|months?|years?)\\s+(?:back|earlier)\\b`,
  'gu',
);

/** The same moment so many units earlier. */
function earlier(unit: Unit, moment: WallMs, count: number): WallMs {
  return unitSpan(unit, moment, -count).from + (moment - unitSpan(unit, moment, 0).from);
}
