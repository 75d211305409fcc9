import { contentWords, stemOf } from '../text/words.ts';
import { datesIn, type DatesSaid } from './dates-said.ts';
import { numbersIn } from './numbers-said.ts';

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
