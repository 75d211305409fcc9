import { type Embedder, dot } from '../../../providers/embeddings/port.ts';
import { openStaticEmbedder } from '../../../providers/embeddings/static.ts';
import type { Details } from './details.ts';

/** Always the same table, whichever embedder a home uses, so that a verdict does not depend on that. */
let table: Embedder | undefined;

/** Words that have nothing to do with each other are this alike. */
const UNRELATED = 0.35;
/** In a language the table does not know, likeness of its pieces says nothing. */
const MIN_LANGUAGE_FIT = 0.5;

interface Said {
  readonly text: string;
  readonly details: Details;
}

/** The share of the shorter statement's words found in the other, 0 to 1; similar ones count in part. */
export async function coverageOf(known: Said, incoming: Said): Promise<number> {
  table ??= openStaticEmbedder();
  const sides = [known.details, incoming.details];
  const vectors = await table.embed(
    sides.flatMap(({ words }) => words),
    'document',
  );
  const fit = table.languageFit?.(`${known.text} ${incoming.text}`) ?? 1;
  const near = fit >= MIN_LANGUAGE_FIT;
  const [one, other] = [
    { stems: known.details.stems, vectors: near ? vectors.slice(0, known.details.words.length) : [] },
    { stems: incoming.details.stems, vectors: near ? vectors.slice(known.details.words.length) : [] },
  ];
  return one.stems.length <= other.stems.length ? cover(one, other) : cover(other, one);
}

interface Worded {
  readonly stems: readonly string[];
  readonly vectors: readonly Float32Array[];
}

function cover(one: Worded, other: Worded): number {
  if (one.stems.length === 0) return 0;
  const same = new Set(other.stems);
  const found = one.stems.map((stem, index) =>
    same.has(stem) || other.stems.some((each) => areOfOneRoot(stem, each))
      ? 1
      : nearest(one.vectors[index], other.vectors),
  );
  return found.reduce((sum, each) => sum + each, 0) / found.length;
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

function nearest(word: Float32Array | undefined, others: readonly Float32Array[]): number {
  if (word === undefined) return 0;
  let best = 0;
  for (const other of others) best = Math.max(best, dot(word, other));
  return Math.max(0, (best - UNRELATED) / (1 - UNRELATED));
}
