import type { TextWord } from '../text/words.ts';
import type { Likeness } from './features.ts';
import { compareFields, type FieldWord } from './domains.ts';
import type { TopicDetail, TopicProfile } from './profile.ts';
import type { WordVectors } from './word-vectors.ts';

/** A word of a message, once, with what it means and how much it tells. */
export interface WeighedWord {
  readonly word: TextWord;
  readonly vector: Float32Array | undefined;
  readonly weight: number;
  /** How much the message is about it, 0–1. */
  readonly worth: number;
}

/** The most telling words of a longer message are enough, and keep the time bounded. */
const MAX_WORDS = 24;

/** `worths` says how much the message is about each word. */
export function weighWords(words: readonly TextWord[], worths: Float32Array, vectors: WordVectors): WeighedWord[] {
  const byStem = new Map<string, WeighedWord>();
  words.forEach((word, at) => {
    if (!word.isContent) return;
    const found = vectors.find(word.folded);
    const worth = worths[at] ?? 1;
    const weight = (found?.weight ?? 1) * worth;
    if ((byStem.get(word.stem)?.weight ?? -1) >= weight) return;
    byStem.set(word.stem, { word, vector: found?.vector, weight, worth });
  });
  const all = [...byStem.values()];
  if (all.length <= MAX_WORDS) return all;
  const kept = new Set([...all].sort((left, right) => right.weight - left.weight).slice(0, MAX_WORDS));
  return all.filter((word) => kept.has(word));
}

/** How often words stand in topics: what every playbook says tells nothing. */
export class TopicFrequencies {
  readonly #counts = new Map<string, number>();
  readonly #topics: number;

  constructor(profiles: readonly TopicProfile[]) {
    this.#topics = Math.max(1, profiles.length);
    for (const { stems } of profiles) {
      for (const stem of stems.keys()) this.#counts.set(stem, (this.#counts.get(stem) ?? 0) + 1);
    }
  }

  /** 0–1, 1 for a word of one topic alone; the same however many topics there are. */
  rarity(stem: string): number {
    const count = this.#counts.get(stem) ?? 1;
    return Math.log1p(this.#topics / count) / Math.log1p(this.#topics);
  }

  normOf({ stems }: TopicProfile): number {
    let squares = 0;
    for (const [stem, count] of stems) squares += (count * this.rarity(stem)) ** 2;
    return Math.sqrt(squares);
  }
}

/** Likeness below this is what any two words have. */
const CHANCE = 0.2;
/** BM25's usual constant for how soon repetition stops to count. */
const K1 = 1.2;

export function compareWords(
  words: readonly WeighedWord[],
  profile: TopicProfile,
  parts: {
    readonly frequencies: TopicFrequencies;
    readonly meaning: number;
    /** Stems of words that a trigger was set off by. */
    readonly matched: ReadonlySet<string>;
    readonly messagePieces: ReadonlySet<string>;
    /** Length of the topic's vector of word weights. */
    readonly norm: number;
    /** Fields the message belongs to. */
    readonly fields: readonly FieldWord[];
    /** The same without the words that a trigger was set off by. */
    readonly restFields: readonly FieldWord[];
    /** The best agreement of a clause with a line. */
    readonly line: number;
  },
): Likeness {
  const { frequencies, meaning, matched, messagePieces, norm, fields } = parts;
  const detail = profile.detail();
  let covered = 0;
  let total = 0;
  let excess = 0;
  let overlap = 0;
  let shared = 0;
  let product = 0;
  let ownSquares = 0;
  let bm25 = 0;
  for (const { word, vector, weight } of words) {
    const { stem } = word;
    const count = profile.stems.get(stem);
    const near = count === undefined ? nearness(vector, detail) : 1;
    const met = near * near;
    covered += weight * met;
    total += weight;
    excess += weight * Math.max(0, met - CHANCE);
    const value = weight * frequencies.rarity(stem);
    ownSquares += value * value;
    if (count === undefined) continue;
    shared += 1;
    product += value * count * frequencies.rarity(stem);
    bm25 += value * ((count * (K1 + 1)) / (count + K1));
    if (!matched.has(stem)) overlap += value * count;
  }
  const union = words.length + profile.stems.size - shared;
  const { shared: sharedField, foreign: foreignField } = compareFields(fields, profile.fields);
  const rest = parts.matched.size === 0 ? undefined : compareFields(parts.restFields, profile.fields);
  return {
    meaning,
    coverage: total === 0 ? 0 : covered / total,
    support: Math.log1p(excess),
    overlap: Math.log1p(overlap),
    tfIdf: ownSquares === 0 || norm === 0 ? 0 : product / (Math.sqrt(ownSquares) * norm),
    bm25,
    jaccard: union === 0 ? 0 : shared / union,
    nGram: containment(messagePieces, detail.pieces),
    line: parts.line,
    sharedField,
    foreignField,
    restForeign: rest?.foreign ?? foreignField,
  };
}

/** The cosine with the topic's word that is nearest; 0 when none is near. */
function nearness(vector: Float32Array | undefined, { matrix, rows }: TopicDetail): number {
  if (vector === undefined) return 0;
  let best = 0;
  for (let row = 0; row < rows; row += 1) {
    const near = dotRow(vector, matrix, row);
    if (near > best) best = near;
  }
  return best;
}

/** A vector times a row of a matrix. Four sums, because one alone waits for itself at every step. */
export function dotRow(vector: Float32Array, matrix: Float32Array, row: number): number {
  const { length } = vector;
  const start = row * length;
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let at = 0; at < length; at += 4) {
    const from = start + at;
    first += (vector[at] as number) * (matrix[from] as number);
    second += (vector[at + 1] as number) * (matrix[from + 1] as number);
    third += (vector[at + 2] as number) * (matrix[from + 2] as number);
    fourth += (vector[at + 3] as number) * (matrix[from + 3] as number);
  }
  return first + second + third + fourth;
}

function containment(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  if (part.size === 0) return 0;
  let shared = 0;
  for (const piece of part) if (whole.has(piece)) shared += 1;
  return shared / part.size;
}
