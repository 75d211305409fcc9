import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeBitmap, setRange } from '../resident/bitmap.ts';
import { Corpus } from '../resident/corpus.ts';
import type { PostingReader } from './postings.ts';
import { LexicalSearch } from './search.ts';
import { countWindows, type WindowShape } from './windows.ts';

interface Collection {
  readonly corpus: Corpus;
  readonly documents: readonly (readonly string[][])[];
  readonly readPostings: PostingReader;
}

/** Documents as lists of passages as lists of terms, numbered from 0 with a gap between documents. */
function collect(documents: readonly (readonly string[][])[]): Collection {
  const passages: (string[] | undefined)[] = [];
  const corpus = new Corpus();
  for (const [number, document] of documents.entries()) {
    passages.push(undefined);
    const lengths = Uint16Array.from(document, (terms) => terms.length);
    corpus.addDocument(number + 1, passages.length, lengths, 0);
    passages.push(...document);
  }
  const readPostings: PostingReader = (term, into) => {
    for (const [passage, terms] of passages.entries()) {
      const frequency = terms?.filter((one) => one === term).length ?? 0;
      if (frequency > 0) into.push(passage, frequency);
    }
  };
  return { corpus, documents, readPostings };
}

/** BM25 over windows, written down the slow and obvious way. */
function scoreSlowly({ documents }: Collection, shape: WindowShape, terms: readonly string[]): number[] {
  const windows = documents.flatMap((document, number) =>
    Array.from({ length: countWindows(document.length, shape) }, (_, index) => {
      const first = index * shape.stride;
      return { number, first, words: document.slice(first, first + shape.size).flat() };
    }),
  );
  const average = Math.max(1, windows.reduce((sum, { words }) => sum + words.length, 0) / windows.length);
  const scores = windows.map(({ words }) => {
    let score = 0;
    for (const term of terms) {
      const frequency = words.filter((word) => word === term).length;
      const holding = windows.filter((window) => window.words.includes(term)).length;
      const rarity = Math.log(1 + (windows.length - holding + 0.5) / (holding + 0.5));
      score += (rarity * frequency * 2.2) / (frequency + 1.2 * (0.25 + (0.75 * words.length) / average));
    }
    return score;
  });
  return documents.flatMap((document, number) => [
    0,
    ...document.map((_, passage) =>
      Math.max(
        ...windows.map((window, index) => {
          const isInside = window.number === number && window.first <= passage && passage < window.first + shape.size;
          return isInside ? (scores[index] ?? 0) : 0;
        }),
      ),
    ),
  ]);
}

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const collection = fc
  .array(fc.array(fc.array(word, { maxLength: 6 }), { minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 4 })
  .map(collect);

describe('LexicalSearch', () => {
  const search = new LexicalSearch();

  it.each([
    { size: 1, stride: 1 },
    { size: 3, stride: 1 },
    { size: 6, stride: 2 },
    { size: 4, stride: 4 },
  ])('is BM25 over windows of %j', (shape) => {
    fc.assert(
      fc.property(
        collection,
        fc.uniqueArray(word, { maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        (documents, words, limit) => {
          const allowed = makeBitmap(documents.corpus.capacity);
          setRange(allowed, 0, documents.corpus.capacity);
          const terms = words.map((term) => ({ term, weight: 1 }));
          const hits = search.find(
            { ...documents, allowed, order: (a, b) => a - b },
            { terms, shapes: [shape], limit },
          );
          const expected = scoreSlowly(documents, shape, words);
          for (const [index, passage] of hits.passages.entries()) {
            expect(hits.scores[0]?.[index]).toBeCloseTo(expected[passage] ?? 0, 4);
          }
          // The passages found are the best ones: none that was left out has more than any of them.
          const found = new Set(hits.passages);
          const positive = expected.filter((score) => score > 0).length;
          expect(found.size).toBe(Math.min(limit, positive));
          const worst = Math.min(...hits.passages.values().map((passage) => expected[passage] ?? 0));
          const best = Math.max(0, ...expected.filter((_, passage) => !found.has(passage)));
          expect(best).toBeLessThanOrEqual(worst + 1e-4);
        },
      ),
      { numRuns: 200 },
    );
  });
});
