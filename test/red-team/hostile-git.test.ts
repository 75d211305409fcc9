import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sample } from '../support/effort.ts';
import { HOSTILE_GIT, makeHostileGitWorld, type HostileGitWorld } from './families/hostile-git.ts';

// SPEC SAFETY-1, SAFETY-7
describe('a repository from elsewhere', () => {
  let world: HostileGitWorld;
  beforeAll(async () => {
    world = await makeHostileGitWorld();
  });
  afterAll(() => void world.server.close());

  // Most of the time is spent waiting for the disk.
  it.concurrent.each(sample(HOSTILE_GIT.cases, 4))('$kind: $name', async ({ attempt }) => {
    expect(await attempt(world)).toBeUndefined();
  });
});
