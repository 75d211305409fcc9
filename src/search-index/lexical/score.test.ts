import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Corpus } from './corpus.ts';
import { scoreWindows, type PostingReader } from './score.ts';
import { countWindows, type WindowShape } from './windows.ts';

interface Collection {
  readonly corpus: Corpus;
  readonly documents: readonly (readonly string[][])[];
  readonly readPostings: PostingReader;
}

/** Documents as lists of passages as lists of terms, numbered from 0 with a gap between documents. */
function collect(documents: readonly (readonly string[][])[]): Collection {
  const passages: (string[] | undefined)[] = [];
  const spans = documents.map((document) => {
    passages.push(undefined);
    const first = passages.length;
    passages.push(...document);
    return { first, count: document.length };
  });
  const lengths = Uint16Array.from(passages, (terms) => terms?.length ?? 0);
  const readPostings: PostingReader = (term, visit) => {
    for (const [passage, terms] of passages.entries()) {
      const frequency = terms?.filter((one) => one === term).length ?? 0;
      if (frequency > 0) visit(passage, frequency);
    }
  };
  return { corpus: new Corpus(passages.length, spans, lengths), documents, readPostings };
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

describe('scoreWindows', () => {
  it.each([
    { size: 1, stride: 1 },
    { size: 3, stride: 1 },
    { size: 6, stride: 2 },
    { size: 4, stride: 4 },
  ])('is BM25 over windows of %j', (shape) => {
    fc.assert(
      fc.property(collection, fc.uniqueArray(word, { maxLength: 4 }), (documents, terms) => {
        const query = terms.map((term) => ({ term, weight: 1 }));
        const scores = scoreWindows(documents.corpus, shape, query, documents.readPostings);
        const expected = scoreSlowly(documents, shape, terms);
        expect(scores).toHaveLength(expected.length);
        for (const [passage, score] of expected.entries()) expect(scores[passage]).toBeCloseTo(score, 4);
      }),
      { numRuns: 200 },
    );
  });
});
