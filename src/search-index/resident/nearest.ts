import { comparePassages, type DocumentOrder } from '../lexical/select.ts';
import type { Nearby } from '../port.ts';
import type { VectorMatrix } from '../vectors/matrix.ts';
import type { Corpus } from './corpus.ts';

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
