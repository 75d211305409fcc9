import { beforeAll, describe, expect, it } from 'vitest';
import { sample } from '../support/effort.ts';
import { ERASURE_REACH } from './families/erasure-reach.ts';
import { ERASURES, makeErasureWorld, type ErasureWorld } from './families/erasures.ts';

// SPEC HISTORY-4
describe.each([ERASURES])('$title', ({ cases }) => {
  let world: ErasureWorld;
  beforeAll(async () => {
    world = await makeErasureWorld();
  });

  it.each(sample(cases, 3))('$kind: $name', async ({ attempt }) => {
    expect(await attempt(world)).toBeUndefined();
  });
});

describe('an adopted folder', () => {
  it.each(ERASURE_REACH.cases)('$kind: $name', async ({ attempt }) => {
    expect(await attempt(undefined)).toBeUndefined();
  });
});
