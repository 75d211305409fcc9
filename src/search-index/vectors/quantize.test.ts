import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dot } from '../../providers/embeddings/port.ts';
import { quantize, quantizeQuery, rotate, rotateBack } from './quantize.ts';
import { randomVector, seededNumbers } from './testing/pages.ts';

const vectors = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 600, size: 'max' })
  .map((values) => Float32Array.from(values));

function largest(values: Float32Array): number {
  return values.reduce((best, value) => Math.max(best, Math.abs(value)), 0);
}

describe('rotate', () => {
  it('is undone by rotateBack', () => {
    fc.assert(
      fc.property(vectors, (vector) => {
        const back = rotateBack(rotate(vector));
        vector.forEach((value, index) => expect(back[index]).toBeCloseTo(value, 4));
      }),
    );
  });

  it('keeps the angle between vectors', () => {
    const next = seededNumbers(5);
    for (const dimensions of [1, 3, 100, 384, 1023]) {
      const [left, right] = [randomVector(next, dimensions), randomVector(next, dimensions)];
      expect(dot(rotate(left), rotate(right))).toBeCloseTo(dot(left, right), 3);
    }
  });

  it('spreads a dimension that stands out', () => {
    const vector = new Float32Array(384);
    vector[99] = 1;
    expect(largest(rotate(vector))).toBeCloseTo(1 / 16, 5);
  });

  it('has not changed since the first codes were stored', () => {
    const turned = rotate(Float32Array.from({ length: 11 }, (_, index) => index + 1));
    const scaled = turned.map((value, index) => Math.round(value * Math.sqrt(index < 8 ? 8 : index < 10 ? 2 : 1)));
    expect([...scaled]).toMatchInlineSnapshot(`
      [
        4,
        -36,
        0,
        8,
        0,
        16,
        0,
        0,
        1,
        -19,
        -11,
      ]
    `);
  });
});

describe('quantize', () => {
  it('comes back within half a step of the turned vector', () => {
    fc.assert(
      fc.property(vectors, (vector) => {
        const { codes, scale } = quantize(vector);
        const turned = rotate(vector);
        const step = largest(turned) / 127;
        // The scale may differ a little from the step that made the codes, by as much as brings the whole closer.
        const allowed = step * 0.51 + 127 * Math.abs(scale - step);
        turned.forEach((value, index) => {
          expect(Math.abs(value - (codes[index] ?? 0) * scale)).toBeLessThanOrEqual(allowed);
        });
        expect(Math.abs(scale - step)).toBeLessThanOrEqual(step);
      }),
    );
  });

  it('gives the opposite vector opposite codes and the same scale', () => {
    const vector = randomVector(seededNumbers(3), 100);
    const { codes, scale } = quantize(vector);
    const opposite = quantize(vector.map((value) => -value));
    expect([...opposite.codes].map((code) => -code || 0)).toEqual([...codes]);
    expect(opposite.scale).toBe(scale);
  });

  it('gives the zero vector scale 0', () => {
    expect(quantize(new Float32Array(8))).toEqual({ codes: new Int8Array(8), scale: 0 });
  });

  it.each([Number.NaN, Infinity, -Infinity])('refuses a vector with %s', (value) => {
    expect(() => quantize(Float32Array.of(0.5, value))).toThrow('not numbers');
    expect(() => quantizeQuery(Float32Array.of(0.5, value), 127)).toThrow('not numbers');
  });
});

describe('quantizeQuery', () => {
  it('uses the whole range and says how much rounding took', () => {
    const query = randomVector(seededNumbers(9), 64);
    const quantized = quantizeQuery(query, 1000);
    expect(largest(Float32Array.from(quantized?.codes ?? []))).toBe(1000);
    expect(quantized?.roundingLength).toBeGreaterThan(0);
    expect(quantized?.roundingLength).toBeLessThanOrEqual(Math.sqrt(64) / 2);
    expect(quantizeQuery(new Float32Array(64), 1000)).toBeUndefined();
  });
});
