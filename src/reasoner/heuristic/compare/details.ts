import { stemsOf } from '../text/words.ts';

/** What two statements must agree on to be one: names, figures, days, and whether it is denied. */
export interface Details {
  readonly names: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly dates: ReadonlySet<string>;
  readonly isNegated: boolean;
  /** Figures and names given as what no longer holds: "not 8080", "instead of 24". */
  readonly denied: ReadonlySet<string>;
  /** The words that are none of these. */
  readonly frame: ReadonlySet<string>;
}

const NEGATION = /\b(?:not|no|never|none|nobody|nothing|without|no longer|neither|nor|cannot)\b|n't\b/iu;
const DATE =
  /\b\d{4}-\d\d(?:-\d\d)?\b|\b\d{1,2}(?:st|nd|rd|th)?\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b/giu;
const NO_NAME = new Set(
  'the a an this that these those it he she they we i you my our his her their every each all any no on in at for with from after before when if use ask'.split(
    ' ',
  ),
);
const NUMBER_WORDS: readonly string[] = 'zero one two three four five six seven eight nine ten eleven twelve'.split(
  ' ',
);

const CONTRAST =
  /,? ?\b(?:instead of|rather than|and not|not|no longer)\b (?:in |on |at |the |a |an |by )*[^,;.()]{1,40}/giu;

export function detailsOf(whole: string): Details {
  const contrasts = [...whole.matchAll(CONTRAST)]
    .map(([words]) => words)
    .filter((words) => /\d|\p{Lu}|instead|rather/u.test(words));
  const text = contrasts.reduce((rest, words) => rest.replace(words, ' '), whole);
  const denied = new Set(contrasts.flatMap((words) => words.toLowerCase().match(/\d+(?:[.,:]\d+)*|\p{L}{4,}/gu) ?? []));
  const dates = new Set([...text.matchAll(DATE)].map(([date]) => date.toLowerCase().replace(/s$/u, '')));
  const undated = text.replaceAll(DATE, ' ');
  const numbers = new Set((undated.match(/\d+(?:[.,:]\d+)*/gu) ?? []).map((number) => number.replace(/[.,:]+$/u, '')));
  for (const [value, word] of NUMBER_WORDS.entries())
    if (value > 1 && new RegExp(`\\b${word}\\b`, 'iu').test(undated)) numbers.add(String(value));
  const names = new Set<string>();
  for (const { 0: name, index } of undated.matchAll(/(?<![\p{L}\d])\p{Lu}[\p{L}\d]+/gu)) {
    if (index > 0 && !/[.!?]\s*$/u.test(undated.slice(0, index))) names.add(name.toLowerCase());
  }
  for (const [, code] of undated.matchAll(/`([^`]+)`/gu)) if (code !== undefined) names.add(code.toLowerCase());
  const first = /^\p{Lu}\p{L}+/u.exec(undated)?.[0];
  // A sentence's first word is a name when it is one elsewhere or owns something.
  const isSubject = /^\p{Lu}\p{L}+(?:'s\b| (?:\p{Ll}+[^s]s|is|has|will|decided|agreed|wants)\b)/u.test(undated);
  if (first !== undefined && isSubject && !NO_NAME.has(first.toLowerCase())) names.add(first.toLowerCase());
  const frame = new Set(
    [...stemsOf(undated)].filter((stem) => !/\d/u.test(stem) && ![...names].some((name) => name.startsWith(stem))),
  );
  return { names, numbers, dates, isNegated: NEGATION.test(text), denied, frame };
}
