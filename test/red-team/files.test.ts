import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOMBS } from './families/bombs.ts';
import { CLONES, makeCloneWorld, type CloneWorld } from './families/clones.ts';
import { COPIED, makeCopiedWorld, type CopiedWorld } from './families/copied-repository.ts';
import { LINKS } from './families/links.ts';
import { PATHS } from './families/paths.ts';
import { makeWorld, type World } from './world.ts';

// SPEC SAFETY-1, SAFETY-2, SAFETY-7, SAFETY-10
describe('what is given to a home', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.server.close());

  describe.each([PATHS, LINKS, BOMBS])('$title', ({ cases }) => {
    it.each(cases)('$kind: $name', async ({ attempt }) => {
      expect(await attempt(world)).toBeUndefined();
    });
  });
});

describe('a folder that was taken over', () => {
  let world: CloneWorld;
  beforeAll(async () => {
    world = await makeCloneWorld();
  });
  afterAll(() => world.mneme.close());

  it.each(CLONES.cases)('$kind: $name', async ({ attempt }) => {
    expect(await attempt(world)).toBeUndefined();
  });
});

describe('a repository that was copied', () => {
  let world: CopiedWorld;
  beforeAll(async () => {
    world = await makeCopiedWorld();
  });

  it.each(COPIED.cases)('$kind: $name', async ({ attempt }) => {
    expect(await attempt(world)).toBeUndefined();
  });
});
