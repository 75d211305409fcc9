import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MCP_PERSON } from './families/mcp-person.ts';
import { PROVENANCE } from './families/provenance.ts';
import { REVIEWERS } from './families/reviewers.ts';
import { SECRETS } from './families/secrets.ts';
import { makeWorld, type World } from './world.ts';

// SPEC FILE-5, SAFETY-1, TRUST-7, TRUST-9
describe('what a home is told', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.server.close());

  describe.each([SECRETS, PROVENANCE, REVIEWERS, MCP_PERSON])('$title', ({ cases }) => {
    it.each(cases)('$kind: $name', async ({ attempt }) => {
      expect(await attempt(world)).toBeUndefined();
    });
  });
});
