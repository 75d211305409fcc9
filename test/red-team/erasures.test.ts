import { beforeAll, describe, expect, it } from 'vitest';
import { ERASURES, makeErasureWorld, type ErasureWorld } from './families/erasures.ts';

describe.each([ERASURES])('$title', ({ cases }) => {
  let world: ErasureWorld;
  beforeAll(async () => {
    world = await makeErasureWorld();
  });

  it.each(cases)('$kind: $name', async ({ attempt }) => {
    expect(await attempt(world)).toBeUndefined();
  });
});
