import { queryTermsOfWord, UNSPACED } from '../../search-index/text/terms.ts';

/** Start and exclusive end. */
export type TextRange = readonly [number, number];

export interface Match {
  readonly start: number;
  readonly end: number;
  /** The matched word: one word found three times counts less than three words. */
  readonly key: string;
  readonly weight: number;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:_[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
const BEYOND_ASCII = /[\u0080-\uffff]/;
const MAX_MATCHES = 2000;
const PHRASE_WEIGHT = 3;

/** Where the terms and phrases stand, in order of their beginnings. A word matches when the index would say so. */
export function findMatches(text: string, terms: WeighedTerms, phrases: readonly string[]): Match[] {
  const found = phrases.flatMap((phrase) => findPhrase(text, phrase));
  const keys = keyFinderOf(terms);
  if (BEYOND_ASCII.test(text)) addWords(found, text, keys);
  else addAsciiWords(found, text, keys);
  return found.sort((one, other) => one.start - other.start || other.end - one.end);
}

type Key = Pick<Match, 'key' | 'weight'>;

interface KeyFinder {
  readonly find: (word: string) => Key | undefined;
  /** By the codes of two small letters: whether a term of the question may begin with them. */
  readonly beginnings: Uint8Array;
}

type WeighedTerms = readonly { readonly term: string; readonly weight: number }[];

/** Of each question, for as long as its terms are in use: its hits have most of their words in common. */
const keyFinders = new WeakMap<WeighedTerms, KeyFinder>();

function keyFinderOf(terms: WeighedTerms): KeyFinder {
  let keys = keyFinders.get(terms);
  if (keys === undefined) {
    keys = createKeyFinder(new Map(terms.map(({ term, weight }) => [term, weight])));
    keyFinders.set(terms, keys);
  }
  return keys;
}

/** Words repeat: each is brought into the index's form once. */
function createKeyFinder(weights: ReadonlyMap<string, number>): KeyFinder {
  const known = new Map<string, Key | undefined>();
  const beginnings = new Uint8Array(128 * 128);
  for (const term of weights.keys()) addBeginning(beginnings, term);
  const find = (word: string): Key | undefined => {
    const before = known.get(word);
    if (before !== undefined || known.has(word)) return before;
    const term = queryTermsOfWord(word).find((candidate) => weights.has(candidate));
    const key = term === undefined ? undefined : { key: term, weight: weights.get(term) ?? 0 };
    known.set(word, key);
    return key;
  };
  return { find, beginnings };
}

const LETTER_I = 105;
const LETTER_Y = 121;

/** An ending may leave one letter of a word, and may turn a `y` into an `i`; nothing else becomes of the first two. */
function addBeginning(beginnings: Uint8Array, term: string): void {
  const row = term.charCodeAt(0) * 128;
  const second = term.charCodeAt(1);
  if (term.length < 2) beginnings.fill(1, row, row + 128);
  else beginnings[row + second] = 1;
  if (second === LETTER_I) beginnings[row + LETTER_Y] = 1;
}

function addWords(found: Match[], text: string, keys: KeyFinder): void {
  for (const match of text.matchAll(WORD)) {
    if (found.length >= MAX_MATCHES) return;
    const [word] = match;
    if (UNSPACED.test(word)) addPairs(found, word, match.index, keys);
    else addWord(found, word, match.index, keys);
  }
}

/** As `addWords`, letter by letter: a pattern makes an object of every word, and that is most of what it costs. */
function addAsciiWords(found: Match[], text: string, keys: KeyFinder): void {
  const { length } = text;
  for (let at = 0; at < length && found.length < MAX_MATCHES; at += 1) {
    const initial = text.charCodeAt(at);
    if (!isLetterOrDigit(initial)) continue;
    const start = at;
    at += 1;
    while (isSmallLetter(text.charCodeAt(at))) at += 1;
    const isPlain = !isLetterOrDigit(text.charCodeAt(at)) && !isInnerUnderscore(text, at);
    // The ending of a plain word changes in the index, its beginning hardly does; most words are told apart by it.
    if (isPlain && at > start + 1 && isLetter(initial) && !mayBegin(keys, initial, text.charCodeAt(start + 1)))
      continue;
    while (isLetterOrDigit(text.charCodeAt(at)) || isInnerUnderscore(text, at)) at += 1;
    addWord(found, text.slice(start, at), start, keys);
  }
}

function mayBegin({ beginnings }: KeyFinder, first: number, second: number): boolean {
  return beginnings[(first | SMALL) * 128 + second] === 1;
}

const UNDERSCORE = 95;
/** The bit that small letters have and capitals do not. */
const SMALL = 32;

function isInnerUnderscore(text: string, at: number): boolean {
  return (
    text.charCodeAt(at) === UNDERSCORE &&
    isLetterOrDigit(text.charCodeAt(at - 1)) &&
    isLetterOrDigit(text.charCodeAt(at + 1))
  );
}

function isSmallLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isLetter(code: number): boolean {
  return isSmallLetter(code | SMALL);
}

/** Of ASCII; past the end of a text there is none. */
function isLetterOrDigit(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 57);
}

function addWord(found: Match[], word: string, start: number, keys: KeyFinder): void {
  const key = keys.find(word);
  if (key !== undefined) found.push({ start, end: start + word.length, ...key });
}

/** Scripts without spaces are indexed by pairs of neighbouring characters; overlapping pairs join in the highlight. */
function addPairs(found: Match[], run: string, runStart: number, keys: KeyFinder): void {
  const characters = [...run];
  let start = runStart;
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1] ?? '';
    const pair = character + next;
    const key = keys.find(pair);
    if (key !== undefined) found.push({ start, end: start + pair.length, ...key });
    start += character.length;
  }
}

/** Ignores case and white space. */
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
