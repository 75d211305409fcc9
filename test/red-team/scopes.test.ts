import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeScopeWorld, makeScopeWorld, SCOPES, type ScopeWorld } from './families/scopes.ts';

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
