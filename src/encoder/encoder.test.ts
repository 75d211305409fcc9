import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { Encoder, WIDTH } from './encoder.ts';
import { writeMadeUpModel } from './testing/made-up-model.ts';

function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

let folder: string;
beforeAll(() => {
  folder = writeMadeUpModel();
});

const TEXTS = [
  [101, 7592, 102],
  [101, 2129, 2079, 2057, 21296, 1029, 102],
  Array.from({ length: 200 }, (_, at) => 1000 + at),
];

describe('the encoder', () => {
  it.each(['relaxed', 'plain'] as const)('gives a text one vector in any company, with the %s kernel', (kernel) => {
    const encoder = Encoder.open(folder, [kernel]);
    expect(encoder.kernel).toBe(kernel);
    const alone = TEXTS.map((text) => encoder.encode([text])[0]);
    expect(encoder.encode(TEXTS)).toEqual(alone);
    expect(
      encoder
        .encode([...TEXTS, ...TEXTS, ...TEXTS].toReversed())
        .toReversed()
        .slice(0, 3),
    ).toEqual(alone);
    for (const vector of alone)
      expect(dot(vector ?? new Float32Array(), vector ?? new Float32Array())).toBeCloseTo(1, 5);
  });

  it('gives nearly the same vectors with either kernel', () => {
    const [relaxed = [], plain = []] = (['relaxed', 'plain'] as const).map((kernel) =>
      Encoder.open(folder, [kernel]).encode(TEXTS),
    );
    for (const [at, vector] of relaxed.entries()) {
      expect(dot(vector, plain[at] ?? new Float32Array(WIDTH))).toBeGreaterThan(0.995);
    }
  });

  it('refuses a text of more tokens than it has places', () => {
    expect(() => Encoder.open(folder).encode([Array.from({ length: 513 }, () => 101)])).toThrow(
      /more than 512 tokens/u,
    );
  });
});

describe('a damaged model', () => {
  const damage = (change: (copy: string) => void): string => {
    const copy = makeTemporaryFolder('mneme-damaged-');
    fs.cpSync(folder, copy, { recursive: true });
    change(copy);
    return copy;
  };

  it.each([
    ['a changed byte', (copy: string) => fs.writeFileSync(path.join(copy, 'vectors.bin'), 'x', { flag: 'r+' })],
    ['a cut file', (copy: string) => fs.truncateSync(path.join(copy, 'vectors.bin'), 1000)],
    ['no weights', (copy: string) => fs.rmSync(path.join(copy, 'vectors.bin'))],
    ['no manifest', (copy: string) => fs.rmSync(path.join(copy, 'model.json'))],
    ['a manifest that is none', (copy: string) => fs.writeFileSync(path.join(copy, 'model.json'), '{"name":1}')],
  ])('is refused with what to do: %s', (_name, change) => {
    expect(() => Encoder.open(damage(change)).encode([[101, 102]])).toThrow(
      expect.objectContaining({ code: 'integrity', hint: expect.stringContaining('static table') as string }) as Error,
    );
  });
});
