import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isHeard, PASTED } from './families/pasted.ts';
import { readSet } from './families/pasted/sets.ts';
import { makeWorld, type World } from './world.ts';

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

  it.each(['dev', 'blind'] as const)('leaves the user’s own requests around it heard: %s', (name) => {
    const { ownWords } = readSet(name);
    const heard = ownWords.filter(isHeard);
    expect(heard.length / ownWords.length).toBeGreaterThanOrEqual(0.95);
  });
});
