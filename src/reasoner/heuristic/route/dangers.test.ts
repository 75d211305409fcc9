import { describe, expect, it } from 'vitest';
import { findModelFolder, readModelManifest } from '../../../encoder/model-files.ts';
import { ExampleVectors } from '../../../judge/examples.ts';
import { packagedJudge } from '../../../judge/judge.ts';
import { DANGERS, OTHERS } from './route.ts';

describe('the packaged vectors of dangers', () => {
  it('are those that the model makes of every example', () => {
    const texts = [...DANGERS, ...OTHERS];
    const packaged = new ExampleVectors(findModelFolder(), readModelManifest(findModelFolder())).find(texts) ?? [];
    const made = packagedJudge().vectorsOf(texts);
    const distances = made.map((vector, place) =>
      Math.max(...vector.map((value, at) => Math.abs(value - (packaged[place]?.[at] ?? Number.NaN)))),
    );
    expect(Math.max(...distances)).toBeLessThan(0.001);
  });
});
