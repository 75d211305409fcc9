import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dot } from '../../providers/embeddings/port.ts';
import { PlainScanner } from './kernel/simd-scanner.ts';
import { VectorMatrix, VECTORS_PER_PAGE } from './matrix.ts';
import { bitmapOf, randomVector, seededNumbers, setVectors } from './testing/pages.ts';

/** Passages in a few pages with gaps between them, some with the zero vector, some equal to others. */
const collections = fc.record({
  dimensions: fc.oneof(
    fc.integer({ min: 8, max: 48 }),
    fc.constantFrom(100, 128, 255, 256, 300, 384, 385, 768, 1000, 1024),
  ),
  // The default size would hardly ever give more passages than the limit takes.
  passages: fc.uniqueArray(fc.integer({ min: 0, max: 5 * VECTORS_PER_PAGE - 1 }), {
    minLength: 1,
    maxLength: 80,
    size: 'max',
  }),
  limit: fc.integer({ min: 1, max: 30 }),
  seed: fc.integer(),
  share: fc.constantFrom(0, 0.1, 0.5, 1),
});

/** Rounds the query so much that scores alone would rank wrongly. */
class CoarseScanner extends PlainScanner {
  override readonly highestQueryCode = 3;
}

interface Collection {
  readonly dimensions: number;
  readonly passages: readonly number[];
  readonly seed: number;
  readonly share: number;
}

function vectorsOf({ dimensions, passages, seed }: Collection): {
  readonly vectors: Map<number, Float32Array>;
  readonly query: Float32Array;
} {
  const next = seededNumbers(seed);
  const vectors = new Map<number, Float32Array>();
  let last = randomVector(next, dimensions);
  for (const passage of passages) {
    const chance = next();
    if (chance > 0.2) last = randomVector(next, dimensions);
    vectors.set(passage, chance < -0.8 ? new Float32Array(dimensions) : last);
  }
  return { vectors, query: randomVector(next, dimensions) };
}

/** Every vector as the matrix keeps it, ranked by the definition. */
function naiveNearest(matrix: VectorMatrix, query: Float32Array, passages: readonly number[], limit: number): number[] {
  return passages
    .map((passage) => ({ passage, similarity: matrix.similarities(query, [passage])[0] ?? Number.NaN }))
    .filter(({ similarity }) => !Number.isNaN(similarity))
    .sort((left, right) => right.similarity - left.similarity || left.passage - right.passage)
    .slice(0, limit)
    .map(({ passage }) => passage);
}

describe('findNearest', () => {
  it('ranks exactly as the products of the query with every stored vector do', () => {
    fc.assert(
      fc.property(collections, (collection) => {
        const { vectors, query } = vectorsOf(collection);
        const matrix = new VectorMatrix(collection.dimensions);
        setVectors(matrix, vectors);
        const nearest = matrix.findNearest(query, collection.limit, undefined);
        const expected = naiveNearest(matrix, query, collection.passages, collection.limit);
        expect(nearest.map(({ passage }) => passage)).toEqual(expected);
        expect(nearest.map(({ similarity }) => similarity)).toEqual([...matrix.similarities(query, expected)]);
      }),
    );
  });

  it('ranks exactly even where the scan itself is coarse', () => {
    fc.assert(
      fc.property(collections, (collection) => {
        const { vectors, query } = vectorsOf(collection);
        const matrix = new VectorMatrix(collection.dimensions, new CoarseScanner(collection.dimensions));
        setVectors(matrix, vectors);
        const nearest = matrix.findNearest(query, collection.limit, undefined);
        const expected = naiveNearest(matrix, query, collection.passages, collection.limit);
        expect(nearest.map(({ passage }) => passage)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it('comes close to the floats', () => {
    fc.assert(
      fc.property(collections, (collection) => {
        const { vectors, query } = vectorsOf(collection);
        const matrix = new VectorMatrix(collection.dimensions);
        setVectors(matrix, vectors);
        for (const { passage, similarity } of matrix.findNearest(query, 80, undefined)) {
          const vector = vectors.get(passage) ?? query;
          const lengths = Math.sqrt(dot(vector, vector) * dot(query, query));
          expect(Math.abs(similarity - dot(vector, query))).toBeLessThan(0.012 * lengths);
        }
      }),
    );
  });

  it('finds only what the filter lets through', () => {
    fc.assert(
      fc.property(collections, (collection) => {
        const { vectors, query } = vectorsOf(collection);
        const matrix = new VectorMatrix(collection.dimensions);
        setVectors(matrix, vectors);
        const allowed = collection.passages.slice(0, Math.round(collection.passages.length * collection.share));
        const nearest = matrix.findNearest(query, collection.limit, bitmapOf(allowed));
        expect(nearest.map(({ passage }) => passage)).toEqual(naiveNearest(matrix, query, allowed, collection.limit));
      }),
    );
  });

  it('answers alike without SIMD', () => {
    fc.assert(
      fc.property(collections, (collection) => {
        const { vectors, query } = vectorsOf(collection);
        const simd = new VectorMatrix(collection.dimensions);
        const plain = new VectorMatrix(collection.dimensions, new PlainScanner(collection.dimensions));
        expect([simd.kind, plain.kind]).toEqual(['simd', 'plain']);
        setVectors(simd, vectors);
        setVectors(plain, vectors);
        const allowed = bitmapOf(collection.passages.slice(1));
        for (const filter of [undefined, allowed]) {
          expect(plain.findNearest(query, collection.limit, filter)).toEqual(
            simd.findNearest(query, collection.limit, filter),
          );
        }
        expect(plain.similarities(query, collection.passages)).toEqual(simd.similarities(query, collection.passages));
        for (const passage of collection.passages) expect(plain.vector(passage)).toEqual(simd.vector(passage));
      }),
      { numRuns: 40 },
    );
  });

  it('orders equal vectors by passage number, whatever order the pages came in', () => {
    const matrix = new VectorMatrix(16);
    const vector = randomVector(seededNumbers(1), 16);
    setVectors(matrix, new Map([3000, 5, 1500, 2, 4000].map((passage) => [passage, vector])));
    expect(matrix.findNearest(vector, 4, undefined).map(({ passage }) => passage)).toEqual([2, 5, 1500, 3000]);
  });

  it('finds vectors that point away when there are no others', () => {
    const matrix = new VectorMatrix(8);
    const vector = randomVector(seededNumbers(2), 8);
    setVectors(matrix, new Map([[700, vector.map((value) => -value)]]));
    const [only] = matrix.findNearest(vector, 3, undefined);
    expect(only?.passage).toBe(700);
    expect(only?.similarity).toBeLessThan(0);
  });

  it('finds nothing near the zero vector, in an empty matrix, or with limit 0', () => {
    const matrix = new VectorMatrix(8);
    const vector = randomVector(seededNumbers(2), 8);
    expect(matrix.findNearest(vector, 5, undefined)).toEqual([]);
    setVectors(matrix, new Map([[1, vector]]));
    expect(matrix.findNearest(new Float32Array(8), 5, undefined)).toEqual([]);
    expect(matrix.findNearest(vector, 0, undefined)).toEqual([]);
    expect(matrix.findNearest(vector, 5, new Uint8Array())).toEqual([]);
    expect(matrix.findNearest(vector, 5, undefined)).toHaveLength(1);
  });

  it('refuses a query of another length', () => {
    expect(() => new VectorMatrix(8).findNearest(new Float32Array(9), 5, undefined)).toThrow('9 dimensions');
    expect(() => new VectorMatrix(8).similarities(new Float32Array(7), [1])).toThrow('7 dimensions');
  });
});

describe('pages', () => {
  it('follows a random history of pages set, replaced and dropped', () => {
    const change = fc.record({ page: fc.integer({ min: 0, max: 6 }), drop: fc.boolean(), seed: fc.integer() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), fc.constantFrom(8, 20), (changes, dimensions) => {
        const matrix = new VectorMatrix(dimensions);
        const kept = new Map<number, Map<number, Float32Array>>();
        for (const { page, drop, seed } of changes) {
          kept.delete(page);
          if (drop) {
            matrix.dropPage(page);
            continue;
          }
          const next = seededNumbers(seed);
          const rows = [0, 7, 8, 1023].filter(() => next() > -0.5);
          if (rows.length === 0) rows.push(512);
          const vectors = new Map(rows.map((row) => [page * VECTORS_PER_PAGE + row, randomVector(next, dimensions)]));
          setVectors(matrix, vectors);
          kept.set(page, vectors);
        }
        expect(matrix.pages.sort((left, right) => left - right)).toEqual([...kept.keys()].sort((a, b) => a - b));
        const query = randomVector(seededNumbers(4), dimensions);
        const passages = [...kept.values()].flatMap((vectors) => [...vectors.keys()]);
        const found = matrix.findNearest(query, 100, undefined).map(({ passage }) => passage);
        expect(found.sort((left, right) => left - right)).toEqual(passages.sort((left, right) => left - right));
        for (const vectors of kept.values()) {
          for (const [passage, vector] of vectors) {
            expect(matrix.similarities(vector, [passage])[0]).toBeCloseTo(dot(vector, vector), 1);
          }
        }
      }),
    );
  });

  it('says which pages are present', () => {
    const matrix = new VectorMatrix(8);
    setVectors(matrix, new Map([[2 * VECTORS_PER_PAGE, randomVector(seededNumbers(1), 8)]]));
    expect([matrix.hasPage(2), matrix.hasPage(0)]).toEqual([true, false]);
    matrix.dropPage(2);
    expect(matrix.hasPage(2)).toBe(false);
  });

  it('refuses pages of the wrong size and broken scales', () => {
    const matrix = new VectorMatrix(8);
    const codes = new Uint8Array(8 * VECTORS_PER_PAGE);
    expect(() => matrix.setPage(0, codes.subarray(1), new Float32Array(VECTORS_PER_PAGE))).toThrow('8191 codes');
    expect(() => matrix.setPage(0, codes, new Float32Array(3))).toThrow('3 scales');
    for (const scale of [Number.NaN, -1, Infinity]) {
      const scales = new Float32Array(VECTORS_PER_PAGE);
      scales[9] = scale;
      expect(() => matrix.setPage(0, codes, scales)).toThrow(`${scale} for a scale`);
    }
    expect(matrix.pages).toEqual([]);
  });
});

describe('vector and similarities', () => {
  it('give back what was stored, and say what is missing', () => {
    const matrix = new VectorMatrix(50);
    const vector = randomVector(seededNumbers(6), 50);
    setVectors(
      matrix,
      new Map([
        [1030, vector],
        [1031, new Float32Array(50)],
      ]),
    );
    const stored = matrix.vector(1030) ?? new Float32Array();
    expect(stored).toHaveLength(50);
    stored.forEach((value, index) => expect(value).toBeCloseTo(vector[index] ?? Number.NaN, 1));
    expect(dot(stored, vector)).toBeCloseTo(matrix.similarities(vector, [1030])[0] ?? Number.NaN, 3);
    expect([matrix.vector(1031), matrix.vector(1029), matrix.vector(5)]).toEqual([undefined, undefined, undefined]);
    expect([...matrix.similarities(vector, [5, 1030, 1031])].map(Number.isNaN)).toEqual([true, false, true]);
  });
});
