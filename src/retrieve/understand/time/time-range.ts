import type { FoundName } from '../names.ts';
import type { TimeRange } from '../understanding.ts';
import { foldInPlace } from '../words.ts';
import { hasTimeHint } from './calendar-words.ts';
import { findDates, type DateContext } from './date-parser.ts';
import type { TimeExpression } from './expression.ts';
import { maskMisleading } from './mask.ts';
import { findPeriods } from './periods.ts';
import { findRelative } from './relative.ts';
import { addYears, toInstant, toWall, yearOf, type WallMs } from './wall-clock.ts';
import { DAY_MS } from '../../../model/time.ts';

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
