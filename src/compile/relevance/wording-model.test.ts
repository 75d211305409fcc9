import { describe, expect, it } from 'vitest';
import { TRAIT_SLOTS } from './traits.ts';
import { parseModel, serializeModel, SUBJECT_MATTERS, weighOwnThings, type WordingModel } from './wording-model.ts';

function modelWith(slot: number, weights: readonly number[]): WordingModel {
  const table = new Int8Array(TRAIT_SLOTS * SUBJECT_MATTERS.length);
  table.set(weights, slot * SUBJECT_MATTERS.length);
  return { step: 0.5, starts: [0, 0, 0, 0], table };
}

describe('weighOwnThings', () => {
  it('weighs own things against all else together', () => {
    expect(weighOwnThings(new Map(), modelWith(7, []))).toBeCloseTo(-Math.log(3));
    expect(weighOwnThings(new Map([[7, 1]]), modelWith(7, [4, 0, 0, 0]))).toBeCloseTo(2 - Math.log(3));
    expect(weighOwnThings(new Map([[7, 0.5]]), modelWith(7, [0, 0, 8, 0]))).toBeCloseTo(-Math.log(2 + Math.exp(2)));
  });

  it('is never surer than a few thousand prompts allow', () => {
    expect(weighOwnThings(new Map([[7, 1]]), modelWith(7, [127, 0, 0, 0]))).toBe(4);
    expect(weighOwnThings(new Map([[7, 1]]), modelWith(7, [-127, 0, 0, 0]))).toBe(-4);
  });
});

describe('parseModel', () => {
  it('reads what was written', () => {
    const model = modelWith(65, [-3, 0, 127, -127]);
    expect(parseModel(serializeModel(model))).toEqual(model);
  });

  it('refuses a table of another length', () => {
    expect(() => parseModel(new Uint8Array(100))).toThrow('100 bytes');
  });
});
