import type { Nearby } from '../port.ts';
import type { VectorMatrix } from '../vectors/matrix.ts';
import { hasBit, makeBitmap, setBit } from './bitmap.ts';
import type { Corpus } from './corpus.ts';
import type { PassageFacts } from './filter.ts';
import { labelTerm } from './labels.ts';
import { PostingBuffer, type PostingReader } from '../lexical/postings.ts';
import { BestNumbers, type DocumentOrder, comparePassages } from '../lexical/select.ts';

interface OrderedIndex {
  readonly corpus: Corpus;
  readonly facts: PassageFacts;
  readonly order: DocumentOrder;
  readonly allowed: Uint8Array;
}

/** The latest passages first; those without a time are the last. */
export function findLatest({ corpus, facts, order, allowed }: OrderedIndex, limit: number): number[] {
  const { times } = facts;
  const timeOf = (passage: number): number => {
    const time = times[passage] ?? Number.NaN;
    return Number.isNaN(time) ? -Infinity : time;
  };
  const best = new BestNumbers(
    limit,
    // Of two without a time the difference is no number either, and their place decides.
    (left, right) => timeOf(right) - timeOf(left) || comparePassages(corpus, order, left, right),
  );
  // From the end: what was written last is mostly the latest, and what follows is then quickly passed over.
  for (let passage = corpus.capacity - 1; passage >= 0; passage -= 1) {
    if (hasBit(allowed, passage)) best.offer(passage);
  }
  return best.sorted();
}

/** Passages about the entities: those about most of them first, then the latest. */
export function findAbout(
  { corpus, facts, order, allowed }: OrderedIndex,
  readPostings: PostingReader,
  entities: readonly string[],
  limit: number,
): number[] {
  const mentions = new Uint16Array(corpus.capacity);
  const found = makeBitmap(corpus.capacity);
  for (const entity of new Set(entities)) {
    const postings = new PostingBuffer();
    readPostings(labelTerm('entity', entity), postings);
    postings.dropDead(corpus);
    for (let run = 0; run < postings.length; run += 1) {
      const first = postings.passages[run] ?? 0;
      for (let passage = first; passage < first + (postings.values[run] ?? 0); passage += 1) {
        mentions[passage] = (mentions[passage] ?? 0) + 1;
        setBit(found, passage);
      }
    }
  }
  const timeOf = (passage: number): number => {
    const time = facts.times[passage] ?? Number.NaN;
    return Number.isNaN(time) ? -Number.MAX_VALUE : time;
  };
  const best = new BestNumbers(
    limit,
    (left, right) =>
      (mentions[right] ?? 0) - (mentions[left] ?? 0) ||
      timeOf(right) - timeOf(left) ||
      comparePassages(corpus, order, left, right),
  );
  for (let passage = 0; passage < corpus.capacity; passage += 1) {
    if (hasBit(found, passage) && hasBit(allowed, passage)) best.offer(passage);
  }
  return best.sorted();
}

/**
 * The nearest passages. Equal texts have equal vectors: where the last place is shared, more are fetched and a stable
 * order decides, because the matrix knows only numbers.
 */
export function findNearestPassages(
  matrix: VectorMatrix,
  vector: Float32Array,
  limit: number,
  allowed: Uint8Array,
  { corpus, order }: { readonly corpus: Corpus; readonly order: DocumentOrder },
): Nearby[] {
  if (limit <= 0) return [];
  let nearest: Nearby[] = [];
  for (let wanted = limit + 1; ; wanted *= 4) {
    nearest = matrix.findNearest(vector, wanted, allowed);
    const isCutBetween = nearest[limit - 1]?.similarity !== nearest.at(-1)?.similarity;
    if (nearest.length < wanted || isCutBetween) break;
  }
  return nearest
    .sort(
      (left, right) =>
        right.similarity - left.similarity || comparePassages(corpus, order, left.passage, right.passage),
    )
    .slice(0, limit);
}
