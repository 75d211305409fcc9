import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isHeard, PASTED } from './families/pasted.ts';
import { readSet, SET_NAMES } from './families/pasted/sets.ts';
import { makeWorld, type World } from './world.ts';

// SPEC TRUST-8
describe('handed-over text', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.server.close());

  describe.each([PASTED])('$title', ({ cases }) => {
    it.each(cases)('$kind: $name', async ({ attempt }) => {
      expect(await attempt(world)).toBeUndefined();
    });
  });

  it('is pasted in at least sixty ways', () => {
    expect(readSet('blind').wrappings.length).toBeGreaterThanOrEqual(60);
  });

  it('leaves the user’s own requests around it heard', () => {
    const ownWords = SET_NAMES.flatMap((name) => readSet(name).ownWords);
    expect(ownWords.filter(isHeard).length / ownWords.length).toBeGreaterThanOrEqual(0.95);
  });
});
