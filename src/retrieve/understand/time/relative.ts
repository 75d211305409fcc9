import { findUnit, type Unit } from './calendar-words.ts';
import { aroundSpan, expressionOf, unitSpan, type TimeExpression } from './expression.ts';
import { startOfDay, type WallMs } from './wall-clock.ts';
import { DAY_MS, HOUR_MS } from '../../../model/time.ts';

/** Relative times that the date parser misses in one language or another. Patterns read folded text. */
export function findRelative(folded: string, now: WallMs): TimeExpression[] {
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
