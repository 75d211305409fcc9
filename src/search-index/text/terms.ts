import { stemmer } from 'stemmer';

/** A longer run of characters is a hash or a token, not a word anybody searches for; its beginning is enough. */
const MAX_TERM_LENGTH = 40;

const WORDS = /[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)*/gu;

/** The same for plain English, in a third of the time. */
const ASCII_WORDS = /[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*/g;
const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Scripts that are written without spaces: every two neighbouring characters become a term. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

const CASE_CHANGE = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|_/gu;

/** The terms of a text in order, stop words left out: what is indexed, and what a question is turned into. */
export function extractTerms(text: string): string[] {
  const terms: string[] = [];
  for (const word of splitWords(text)) for (const term of termsOfWord(word)) terms.push(term);
  return terms;
}

/** The words that a text's terms are made of, one by one. */
export function splitWords(text: string): readonly string[] {
  if (!BEYOND_ASCII.test(text)) return text.match(ASCII_WORDS) ?? [];
  return text.normalize('NFKC').match(WORDS) ?? [];
}

/** Beyond it everything is forgotten at once: what is still in use comes back at the price of one look-up each. */
const MAX_CACHED_WORDS = 30_000;
const termsByWord = new Map<string, readonly string[]>();

function remember(words: Map<string, readonly string[]>, word: string, terms: readonly string[]): void {
  // Runs of scripts without spaces are sentences and do not come back.
  if (word.length > MAX_TERM_LENGTH) return;
  if (words.size >= MAX_CACHED_WORDS) words.clear();
  words.set(word, terms);
}

/** Shorter pieces of a text are copies already. */
const SHORTEST_PIECE = 13;

/** A piece of a text is a view of it in V8: to keep the piece would be to keep the whole text. */
function detach(word: string): string {
  return word.length < SHORTEST_PIECE ? word : Buffer.from(word, 'utf16le').toString('utf16le');
}

/** Remembered: a text's words have mostly been seen before. */
export function termsOfWord(word: string): readonly string[] {
  const known = termsByWord.get(word);
  if (known !== undefined) return known;
  const own = detach(word);
  const terms: string[] = [];
  if (UNSPACED.test(own)) addPairs(terms, own);
  else addWord(terms, own);
  remember(termsByWord, own, terms);
  return terms;
}

/** The terms of a question; one that consists of stop words keeps them rather than asking for nothing. */
export function extractQueryTerms(text: string): string[] {
  const terms = extractTerms(text);
  if (terms.length > 0) return terms;
  return [...text.normalize('NFKC').toLowerCase().matchAll(WORDS)].map(([word]) => normalTerm(word));
}

const queryTermsByWord = new Map<string, readonly string[]>();

/** `extractQueryTerms` of one word, remembered: every word of every hit is compared with the question. */
export function queryTermsOfWord(word: string): readonly string[] {
  let terms = queryTermsByWord.get(word);
  if (terms === undefined) {
    const own = detach(word);
    terms = extractQueryTerms(own);
    remember(queryTermsByWord, own, terms);
  }
  return terms;
}

/** An identifier is found by its whole name and by its parts: `RouteMerger`, `route_merger`, `merger`. */
function addWord(terms: string[], word: string): void {
  const lower = word.toLowerCase();
  if (!STOP_WORDS.has(lower)) terms.push(normalTerm(lower));
  const parts = word.split(CASE_CHANGE).filter((part) => part !== '');
  if (parts.length < 2) return;
  for (const part of parts) {
    const lowerPart = part.toLowerCase();
    if (lowerPart.length > 1 && !STOP_WORDS.has(lowerPart)) terms.push(normalTerm(lowerPart));
  }
}

function addPairs(terms: string[], run: string): void {
  const characters = [...run];
  if (characters.length === 1) terms.push(run);
  for (let index = 0; index + 1 < characters.length; index += 1) {
    terms.push(`${characters[index] ?? ''}${characters[index + 1] ?? ''}`);
  }
}

const PLAIN = /^[a-z]+$/u;

/** Accents removed and, for words of the Latin alphabet, the ending too. */
function normalTerm(word: string): string {
  if (PLAIN.test(word)) return stemmer(word.slice(0, MAX_TERM_LENGTH));
  const plain = word
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .slice(0, MAX_TERM_LENGTH);
  return PLAIN.test(plain) ? stemmer(plain) : plain;
}

/** Words that tell nothing apart. A question made of nothing else is searched with them all the same. */
const ENGLISH =
  'a about above after again all also am an and any are as at be because been before being below between both but by can ' +
  'could did do does doing down during each few for from further had has have having he her here hers him his how i if in ' +
  'into is it its just me more most my no nor not of off on once only or other our ours out over own same she should so some ' +
  'such than that the their theirs them then there these they this those through to too under until up us very was we were ' +
  'what when where which while who whom whose why will with would you your yours';

/** The rest of contractions once the apostrophe has split them. */
const FRAGMENTS = 's t d ll m re ve don isn aren wasn weren didn doesn hadn hasn haven couldn wouldn shouldn won';

export const STOP_WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${FRAGMENTS}`.split(' '));
