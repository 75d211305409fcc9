import { contentWords, stemOf } from '../text/words.ts';

/** The features by which two statements are compared: words, names, figures, days, and what no longer holds. */
export interface Details {
  /** The words that carry content, figures and days left out, in order and once each. */
  readonly words: readonly string[];
  /** Of every word its stem, at the same place. */
  readonly stems: readonly string[];
  readonly names: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly dates: DatesSaid;
  /** Figures, days and words given as what no longer holds: "not 8080", "instead of 24". */
  readonly denied: ReadonlySet<string>;
}

/** "12 V, not 5 V", "instead of 24"; "is not switched to Redis" denies the whole statement and is none. */
const CONTRAST =
  /(?:[,;(] ?(?:and |but )?(?:not|no longer)\b|\band not\b|\b(?:instead of|rather than|unlike)\b) (?:in |on |at |the |a |an |by )*[^,;.()]{1,40}/giu;
const OF_VALUE = /\d|\p{Lu}|instead|rather|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/u;
/** "moves from 20 March to 27 March": the first value is past. */
const MOVED =
  /\b(?:mov|chang|switch|shift|goe?s|went|put off|postpon|ris|rose|rais|lower|drop|fell|fall|renam)\p{L}*\b[^,;.]{0,30}?\bfrom ([^,;.]{1,40}?) (?=to\b)/giu;

/** In half of all statements; whoever shares only these shares nothing. */
const SAID_OF_ALL = new Set(['user', 'agent', 'assistant', 'wants', 'wanted', 'prefers', 'should']);

/** `user` is what the person is called whose memory it is: in half of all statements, too. */
export function detailsOf(whole: string, user?: string): Details {
  const [own] = (user ?? '').toLowerCase().split(' ');
  const contrasts = [...whole.matchAll(CONTRAST)].map(([words]) => words).filter((words) => OF_VALUE.test(words));
  const moved = [...whole.matchAll(MOVED)].flatMap(([, words]) => words ?? []);
  const past = [...contrasts, ...moved];
  const text = past.reduce((rest, words) => rest.replace(words, ' '), whole);
  const { dates, rest } = datesIn(text);
  const { numbers, words: undated } = numbersIn(rest);
  const words = contentWords(undated).filter((word) => !SAID_OF_ALL.has(word) && word.replace(/'s$/u, '') !== own);
  return {
    words,
    stems: words.map(stemOf),
    names: namesIn(rest),
    numbers,
    dates,
    denied: deniedIn(past.join('. ')),
  };
}

const NO_NAME = new Set(
  'the a an this that these those it he she they we i you my our his her their every each all any no on in at for with from after before when if use ask'.split(
    ' ',
  ),
);
/** A sentence's first word is a name when it owns something, does something or has a surname. */
const FIRST_NAME =
  /^(?<name>\p{Lu}\p{L}+)(?:['’]s\b| \p{Lu}\p{Ll}| (?:\p{Ll}+[^s]s|is|has|will|can|cannot|may|decided|agreed)\b)/u;

/** A capital inside a sentence, or code. */
function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  const first = FIRST_NAME.exec(text)?.groups?.['name']?.toLowerCase();
  if (first !== undefined && !NO_NAME.has(first)) names.add(stemOf(first));
  for (const { 0: name, index } of text.matchAll(/(?<![\p{L}\d])\p{Lu}[\p{L}\d]+/gu)) {
    if (index > 0 && !/[.!?:]\s*$/u.test(text.slice(0, index))) names.add(stemOf(name.toLowerCase()));
  }
  for (const [, code] of text.matchAll(/`([^`]+)`/gu)) if (code !== undefined) names.add(code.toLowerCase());
  return names;
}

function deniedIn(text: string): Set<string> {
  const { dates, rest } = datesIn(text);
  const { numbers, words } = numbersIn(rest);
  const named = contentWords(words).filter((word) => word.length >= 4);
  return new Set([...dates.days, ...dates.weekdays, ...dates.months, ...numbers, ...named.map(stemOf)]);
}

/** Days as a statement names them, whichever way they are written. */
interface DatesSaid {
  /** `03-16`. */
  readonly days: ReadonlySet<string>;
  /** `03`, also of every day. */
  readonly months: ReadonlySet<string>;
  /** `tue`. */
  readonly weekdays: ReadonlySet<string>;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = `(?<month>${MONTHS.filter((month) => month !== 'may').join('|')})\\p{L}*|(?<may>May)`;
const ISO = /\b\d{4}-(?<month>\d\d)(?:-(?<day>\d\d))?\b/gu;
const DAY_FIRST = new RegExp(`\\b(?<day>\\d{1,2})(?:st|nd|rd|th)?\\.? (?:of )?(?:${MONTH})\\b`, 'giu');
const MONTH_FIRST = new RegExp(`\\b(?:${MONTH})\\.? (?<day>\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])\\b`, 'giu');
/** "may" alone is a verb more often than a month; with a capital and after a preposition it is not. */
const MONTH_ALONE =
  /\b(?<month>january|february|march|april|june|july|august|september|october|november|december)\b|\b(?:in|from|until|since|by|of|before|after) (?<may>May)\b/giu;
const WEEKDAY = /\b(?<weekday>mon|tues|wednes|thurs|fri|satur|sun)days?\b/giu;

/** The days of a text, and the text without them. */
export function datesIn(text: string): { readonly dates: DatesSaid; readonly rest: string } {
  const days = new Set<string>();
  const months = new Set<string>();
  const weekdays = new Set<string>();
  const note = (groups: Readonly<Record<string, string | undefined>>): void => {
    const { day, weekday } = groups;
    const month = monthNumber(groups['month'] ?? groups['may']);
    if (month !== undefined) months.add(month);
    if (month !== undefined && day !== undefined) days.add(`${month}-${day.padStart(2, '0')}`);
    if (weekday !== undefined) weekdays.add(weekday.toLowerCase().slice(0, 3));
  };
  let rest = text;
  for (const pattern of [ISO, DAY_FIRST, MONTH_FIRST, MONTH_ALONE, WEEKDAY]) {
    for (const { 0: words, groups = {} } of rest.matchAll(pattern)) {
      // "it may 3 times": without its capital it is a verb.
      if (groups['may'] === 'may') continue;
      note(groups);
      rest = rest.replace(words, ' ');
    }
  }
  return { dates: { days, months, weekdays }, rest };
}

function monthNumber(name: string | undefined): string | undefined {
  if (name === undefined || /^\d/u.test(name)) return name;
  const index = MONTHS.indexOf(name.toLowerCase().slice(0, 3));
  return index === -1 ? undefined : String(index + 1).padStart(2, '0');
}

const SMALL = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const TEENS = 'thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');

/** The number a word stands for; "one" and "first" are left out, because they seldom count anything. */
const COUNTS: ReadonlyMap<string, string> = new Map([
  ...SMALL.flatMap((word, value): [string, string][] => (value < 2 ? [] : [[word, String(value)]])),
  ...TEENS.map((word, index): [string, string] => [word, String(index + 13)]),
  ...TENS.flatMap((word, index): [string, string][] => [
    [word, String((index + 2) * 10)],
    [word.replace(/y$/u, 'ieth'), String((index + 2) * 10)],
  ]),
  ...ORDINALS.flatMap((word, index): [string, string][] => (index < 2 ? [] : [[word, String(index + 1)]])),
]);
/** Figures of different units are different figures: 12 V and 12 seconds. */
const UNITS: readonly (readonly [string, RegExp])[] = [
  ['v', /^v(?:olts?)?$/u],
  ['s', /^s(?:ec(?:ond)?s?)?$/u],
  ['min', /^min(?:ute)?s?$/u],
  ['h', /^h(?:ours?|rs?)?$/u],
  ['day', /^days?$/u],
  ['week', /^weeks?$/u],
  ['month', /^months?$/u],
  ['year', /^years?$/u],
  ['ms', /^(?:ms|milliseconds?)$/u],
  ['%', /^(?:%|per ?cent)$/u],
  ['eur', /^(?:euros?|eur|€)$/u],
  ['usd', /^(?:dollars?|usd)$/u],
  ['kg', /^(?:kg|kilos?)$/u],
  ['g', /^(?:g|grams?)$/u],
  ['mg', /^mg$/u],
  ['ml', /^ml$/u],
  ['l', /^(?:l|lit(?:re|er)s?)$/u],
  ['km', /^km$/u],
  ['m', /^(?:m|met(?:re|er)s?)$/u],
  ['gb', /^gb$/u],
  ['mb', /^mb$/u],
];
const FIGURE = /(?<![\p{L}\d])\d+(?:[.,:]\d+)*(?:st|nd|rd|th|k)?(?![\p{L}\d])/giu;
const AFTER = /^[\s-]*(%|€|\p{L}+)/u;

/** The figures of a text, however they are written (`12 v`, `40`), and the text without them. */
export function numbersIn(text: string): { readonly numbers: ReadonlySet<string>; readonly words: string } {
  const numbers = new Set<string>();
  const note = (value: string, rest: string): string => {
    const unit = unitOf(rest);
    numbers.add(unit === undefined ? value : `${value} ${unit}`);
    return ' ';
  };
  const words = text
    .replaceAll(FIGURE, (figure, at: number) => note(plain(figure.toLowerCase()), text.slice(at + figure.length)))
    .replaceAll(/\p{L}+/gu, (word, at: number, whole: string) => {
      const count = COUNTS.get(word.toLowerCase());
      return count === undefined ? word : note(count, whole.slice(at + word.length));
    });
  return { numbers, words };
}

function unitOf(rest: string): string | undefined {
  const word = AFTER.exec(rest)?.[1]?.toLowerCase();
  return word === undefined ? undefined : UNITS.find(([, pattern]) => pattern.test(word))?.[0];
}

export function isSameNumber(one: string, other: string): boolean {
  const [value, unit] = one.split(' ');
  const [otherValue, otherUnit] = other.split(' ');
  return value === otherValue && (unit === undefined || otherUnit === undefined || unit === otherUnit);
}

/** `10:00` is ten, `5,000` and `5k` are five thousand, `40th` is forty. */
function plain(figure: string): string {
  const bare = figure
    .replace(/(?:st|nd|rd|th)$/u, '')
    .replace(/:00$/u, '')
    .replaceAll(/,(?=\d{3}(?!\d))/gu, '');
  return bare.endsWith('k') ? `${bare.slice(0, -1)}000` : bare;
}
