import type { Embedder } from '../../../providers/embeddings/port.ts';
import { openStaticEmbedder } from '../../../providers/embeddings/static.ts';
import { dot } from '../../../providers/embeddings/vector.ts';
import { loadLexicon, type Lexicon } from '../entities/lexicon.ts';
import type { Details } from './details.ts';

/** How far the words of one statement are found in another, each 0 to 1. */
interface Coverage {
  /** Of all words, with near ones counting in part. */
  readonly byMeaning: number;
  /** Of all words, only the same ones. */
  readonly byWord: number;
  /** The word that is found least. */
  readonly weakest: number;
  /** Words for things – not for doings or qualities – that the other does not use, however near in meaning. */
  readonly ownThings: number;
}

/** The coverage of the statement with fewer words. */
export interface Alignment extends Coverage {
  /** Of both texts as a whole, −1 to 1. */
  readonly likeness: number;
}

/**
 * What the comparison was fitted with: always the same table, whichever embedder a home uses, so that a verdict does not
 * depend on that. Read when two statements are first compared.
 */
let table: Embedder | undefined;

/** Words that have nothing to do with each other are this alike. */
const UNRELATED = 0.35;
/** In a language the table does not know, likeness of its pieces says nothing. */
const MIN_LANGUAGE_FIT = 0.5;

export async function align(
  known: { readonly text: string; readonly details: Details },
  incoming: { readonly text: string; readonly details: Details },
): Promise<Alignment> {
  table ??= openStaticEmbedder();
  const lexicon = await loadLexicon();
  const [one, other] = [known.details, incoming.details];
  const vectors = await table.embed([known.text, incoming.text, ...one.words, ...other.words], 'document');
  const [first, second, ...words] = vectors;
  const fit = table.languageFit?.(`${known.text} ${incoming.text}`) ?? 1;
  const near = fit >= MIN_LANGUAGE_FIT;
  const ofKnown = { ...one, vectors: near ? words.slice(0, one.words.length) : [] };
  const ofIncoming = { ...other, vectors: near ? words.slice(one.words.length) : [] };
  const isKnownShorter = one.words.length <= other.words.length;
  return {
    likeness: first === undefined || second === undefined ? 0 : dot(first, second),
    ...(isKnownShorter ? cover(ofKnown, ofIncoming, lexicon) : cover(ofIncoming, ofKnown, lexicon)),
  };
}

interface Worded {
  readonly words: readonly string[];
  readonly stems: readonly string[];
  readonly vectors: readonly Float32Array[];
}

function cover(one: Worded, other: Worded, lexicon: Lexicon): Coverage {
  const same = new Set(other.stems);
  const isSame = one.stems.map((stem) => same.has(stem) || other.stems.some((each) => areOfOneRoot(stem, each)));
  const found = one.stems.map((_stem, index) =>
    isSame[index] === true ? 1 : nearest(one.vectors[index], other.vectors),
  );
  if (found.length === 0) return { byMeaning: 0, byWord: 0, weakest: 0, ownThings: 0 };
  return {
    byMeaning: found.reduce((sum, each) => sum + each, 0) / found.length,
    byWord: isSame.filter(Boolean).length / found.length,
    weakest: Math.min(...found),
    ownThings: one.words.filter((word, index) => isSame[index] !== true && isThing(word, lexicon)).length,
  };
}

/** "allergic" and "allergy", "cellist" and "cello". */
const ROOT_LENGTH = 4;
const MAX_ENDING = 4;

function areOfOneRoot(one: string, other: string): boolean {
  if (one.length < ROOT_LENGTH || other.length < ROOT_LENGTH) return false;
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return shared >= ROOT_LENGTH && Math.max(one.length, other.length) - shared <= Math.min(MAX_ENDING, shared / 2);
}

const NO_THING =
  /^(?:Infinitive|PresentTense|PastTense|Gerund|Participle|Modal|Copula|Adjective|Comparable|Adverb|Preposition|Determiner|Conjunction|Pronoun|Negative)$/u;

function isThing(word: string, lexicon: Lexicon): boolean {
  const classes = lexicon.classesOf(word);
  return !classes.some((name) => NO_THING.test(name)) && !/(?:ing|ed|ly)$/u.test(word);
}

function nearest(word: Float32Array | undefined, others: readonly Float32Array[]): number {
  if (word === undefined) return 0;
  let best = 0;
  for (const other of others) best = Math.max(best, dot(word, other));
  return Math.max(0, (best - UNRELATED) / (1 - UNRELATED));
}
