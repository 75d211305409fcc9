import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sample } from '../support/effort.ts';
import { FENCES } from './families/fences.ts';
import { HOSTILE_FOLDERS, makeFolderWorld, type FolderWorld } from './families/hostile-folders.ts';
import { OBEYED_FILES } from './families/obeyed-files.ts';
import { makeWorld, type World } from './world.ts';

describe('a quotation', () => {
  it.each(FENCES.cases)('$kind: $name', async ({ attempt }) => {
    expect(await attempt(undefined)).toBeUndefined();
  });
});

describe('a file that other programs obey', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.server.close());

  it.each(OBEYED_FILES.cases)('$kind: $name', async ({ attempt }) => {
    expect(await attempt(world)).toBeUndefined();
  });
});

// SPEC CONTEXT-2
describe('a folder from elsewhere', () => {
  let world: FolderWorld;
  beforeAll(async () => {
    world = await makeFolderWorld();
  });

  // Most of the time is spent waiting for programs.
  it.concurrent.each(sample(HOSTILE_FOLDERS.cases, 2))('$kind: $name', async ({ attempt }) => {
    expect(await attempt(world)).toBeUndefined();
  });
});
