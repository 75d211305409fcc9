import { beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS, makeCommandWorld, type CommandWorld } from './families/commands.ts';
import { PRIVATE_PLACES } from './families/private-places.ts';

// SPEC SAFETY-8, SAFETY-9
describe('what is started', () => {
  let world: CommandWorld;
  beforeAll(() => {
    world = makeCommandWorld();
  });

  it.each(COMMANDS.cases)('$kind: $name', async ({ attempt }) => {
    expect(await attempt(world)).toBeUndefined();
  });
});

describe('what is left on a machine that others use too', () => {
  it.each(PRIVATE_PLACES.cases)('$kind: $name', async ({ attempt }) => {
    expect(await attempt(undefined)).toBeUndefined();
  });
});
