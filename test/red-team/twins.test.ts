import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TWINS } from './families/twins.ts';
import { closeTwins, makeTwins, type TwinWorld } from './families/twins/world.ts';

// SPEC CONTEXT-1, SCOPE-3, SCOPE-7
describe('twin homes', () => {
  let world: TwinWorld;
  beforeAll(async () => {
    world = await makeTwins();
  }, 120_000);
  afterAll(() => closeTwins(world));

  it.each(TWINS.cases)(
    '$kind: $name',
    async ({ attempt }) => {
      expect(await attempt(world)).toBeUndefined();
    },
    120_000,
  );
});
