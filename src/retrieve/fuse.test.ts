import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuse, normalize } from './fuse.ts';

const weighted = { method: 'weighted' } as const;
const rrf = { method: 'rrf', k: 60 } as const;
const of = (...values: number[]): Float32Array => Float32Array.from(values);
const rounded = (values: Float32Array): number[] => [...values].map((value) => Math.round(value * 1000) / 1000);

describe('normalize', () => {
  it('stretches what there is over 0 to 1 and takes the unknown for nothing', () => {
    expect(rounded(normalize(of(2, 4, 3)))).toEqual([0, 1, 0.5]);
    expect(rounded(normalize(of(2, Number.NaN, 4)))).toEqual([0, 0, 1]);
  });

  it('cannot tell equal values apart, but can tell something from nothing', () => {
    expect(rounded(normalize(of(3, 3)))).toEqual([1, 1]);
    expect(rounded(normalize(of(0, 0)))).toEqual([0, 0]);
  });

  it('does not blow small differences up', () => {
    expect(rounded(normalize(of(0.8, 0.75), 0.25))).toEqual([1, 0.8]);
    expect(rounded(normalize(of(3, 4, 0), 4))).toEqual([0.75, 1, 0]);
  });
});

describe('fuse', () => {
  it('weighs the signals', () => {
    const signals = [
      { values: of(0, 10), weight: 3 },
      { values: of(1, 0), weight: 1 },
    ];
    expect(rounded(fuse(signals, weighted))).toEqual([0.25, 0.75]);
  });

  it('by ranks sees only the order', () => {
    const near = fuse([{ values: of(1, 2, 3), weight: 1 }], rrf);
    const far = fuse([{ values: of(1, 2, 300), weight: 1 }], rrf);
    expect(rounded(near)).toEqual(rounded(far));
    expect((near[2] ?? 0) > (near[1] ?? 0)).toBe(true);
  });

  it('gives equal ranks to equal values and none to nothing', () => {
    const [first, second, nothing] = fuse([{ values: of(5, 5, 0), weight: 1 }], rrf);
    expect(first).toBe(second);
    expect(nothing).toBe(0);
  });

  it('stays between 0 and 1 for any signals', () => {
    const values = fc.array(fc.float({ noNaN: false, noDefaultInfinity: true }), { minLength: 4, maxLength: 4 });
    const signal = fc.record({
      values: values.map((list) => Float32Array.from(list)),
      weight: fc.integer({ min: 0, max: 9 }),
    });
    fc.assert(
      fc.property(
        fc.array(signal, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(weighted, rrf),
        (signals, fusion) => {
          for (const score of fuse(signals, fusion)) {
            expect(score).toBeGreaterThanOrEqual(0);
            expect(score).toBeLessThanOrEqual(1.000001);
          }
        },
      ),
    );
  });
});
