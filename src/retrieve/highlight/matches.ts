import { queryTermsOfWord, UNSPACED } from '../../search-index/text/terms.ts';

/** Start and exclusive end. */
export type TextRange = readonly [number, number];

export interface Match {
  readonly start: number;
  readonly end: number;
  /** What matched: a word found three times tells less than three words. */
  readonly key: string;
  readonly weight: number;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:_[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
const MAX_MATCHES = 2000;
const PHRASE_WEIGHT = 3;

/** Where the terms and phrases stand, in order of their beginnings. A word matches when the index would say so. */
export function findMatches(
  text: string,
  terms: readonly { readonly term: string; readonly weight: number }[],
  phrases: readonly string[],
): Match[] {
  const weights = new Map(terms.map(({ term, weight }) => [term, weight]));
  const found = phrases.flatMap((phrase) => findPhrase(text, phrase));
  const findKey = createKeyFinder(weights);
  for (const match of text.matchAll(WORD)) {
    if (found.length >= MAX_MATCHES) break;
    const [word] = match;
    if (UNSPACED.test(word)) addPairs(found, word, match.index, findKey);
    else addWord(found, word, match.index, findKey);
  }
  return found.sort((one, other) => one.start - other.start || other.end - one.end);
}

type KeyFinder = (word: string) => Pick<Match, 'key' | 'weight'> | undefined;

/** A text repeats its words: each is brought into the index's form once. */
function createKeyFinder(weights: ReadonlyMap<string, number>): KeyFinder {
  const known = new Map<string, ReturnType<KeyFinder>>();
  return (word) => {
    if (known.has(word)) return known.get(word);
    const term = queryTermsOfWord(word).find((candidate) => weights.has(candidate));
    const key = term === undefined ? undefined : { key: term, weight: weights.get(term) ?? 0 };
    known.set(word, key);
    return key;
  };
}

function addWord(found: Match[], word: string, start: number, findKey: KeyFinder): void {
  const key = findKey(word);
  if (key !== undefined) found.push({ start, end: start + word.length, ...key });
}

/** Scripts without spaces are indexed by pairs of neighbouring characters; overlapping pairs join in the highlight. */
function addPairs(found: Match[], run: string, runStart: number, findKey: KeyFinder): void {
  const characters = [...run];
  let start = runStart;
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1] ?? '';
    const pair = character + next;
    const key = findKey(pair);
    if (key !== undefined) found.push({ start, end: start + pair.length, ...key });
    start += character.length;
  }
}

/** Whatever the case and however the blanks fall. */
function findPhrase(text: string, phrase: string): Match[] {
  const words = phrase
    .trim()
    .split(/\s+/u)
    .map((word) => escapePattern(word));
  if (words.join('') === '') return [];
  const pattern = new RegExp(words.join(String.raw`\s+`), 'giu');
  return [...text.matchAll(pattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    key: `"${phrase}"`,
    weight: PHRASE_WEIGHT,
  }));
}

function escapePattern(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
