import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeModels } from './fuse.ts';

const NONE = Number.NaN;

function merge(without: readonly number[], ...byModel: readonly (readonly number[])[]): number[] {
  return [
    ...mergeModels(
      Float64Array.from(without),
      byModel.map((scores) => Float64Array.from(scores)),
    ),
  ];
}

const WORDS = [0.1, 0.2, 0.3, 0.4];
const STATIC = [0.5, 0.6, 0.7, 0.8];

describe('mergeModels', () => {
  it('scores by words alone without a model, and where no model knows a passage', () => {
    expect(merge(WORDS)).toEqual(WORDS);
    expect(merge(WORDS, [0.5, NONE, 0.7, NONE])).toEqual([0.5, 0.2, 0.7, 0.4]);
  });

  it('scores by the first model where the better one knows nothing', () => {
    expect(merge(WORDS, STATIC, [NONE, NONE, NONE, NONE])).toEqual(STATIC);
  });

  it('orders by the better model where it knows everything', () => {
    expect(merge(WORDS, STATIC, [9, 7, 8, 6])).toEqual([0.8, 0.6, 0.7, 0.5]);
  });

  it('moves what the better model knows within its own places only', () => {
    expect(merge(WORDS, STATIC, [9, NONE, NONE, 6])).toEqual([0.8, 0.6, 0.7, 0.5]);
    expect(merge(WORDS, STATIC, [NONE, 1, NONE, NONE])).toEqual(STATIC);
  });

  it('lets the best of several models have the last word', () => {
    expect(merge(WORDS, STATIC, [4, 3, 2, 1], [NONE, NONE, 1, 2])).toEqual([0.8, 0.7, 0.5, 0.6]);
  });

  it('keeps the scores of the known and of the unknown, and the better model’s order among the known', () => {
    const passage = fc.tuple(fc.nat(100), fc.option(fc.nat(1000), { nil: NONE }));
    fc.assert(
      fc.property(fc.array(passage, { maxLength: 40 }), (passages) => {
        const scores = passages.map(([score]) => score);
        const better = passages.map(([, score]) => score);
        const merged = merge(scores, scores, better);
        const isKnown = (_: number, at: number): boolean => !Number.isNaN(better[at]);
        const sorted = (values: number[]): number[] => values.toSorted((left, right) => left - right);
        expect(sorted(merged.filter(isKnown))).toEqual(sorted(scores.filter(isKnown)));
        for (const [at, score] of merged.entries()) {
          expect(isKnown(0, at) || score === scores[at]).toBe(true);
          for (const [other, value] of better.entries()) {
            const isBetter = (better[at] ?? NONE) > value;
            expect(isBetter && score < (merged[other] ?? NONE)).toBe(false);
          }
        }
      }),
    );
  });
});
