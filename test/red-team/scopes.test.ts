import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from './families/scopes.ts';
import { closeScopeWorld, makeScopeWorld, type ScopeWorld } from './families/scopes/world.ts';

// SPEC SAFETY-1, SCOPE-3, SCOPE-6
describe('who sees what', () => {
  let world: ScopeWorld;
  beforeAll(async () => {
    world = await makeScopeWorld();
  });
  afterAll(() => closeScopeWorld(world));

  it.each(SCOPES.cases)('$kind: $name', async ({ attempt }) => {
    expect(await attempt(world)).toBeUndefined();
  });
});
