import { beforeAll, describe, expect, it } from 'vitest';
import { makeHostileHomes, type HostileHomes } from '../support/hostile-homes.ts';
import { RECORDED } from './families/recorded-paths.ts';

// SPEC SAFETY-2, SAFETY-6
describe('a home or a backup from elsewhere', () => {
  let homes: HostileHomes;
  beforeAll(async () => {
    homes = await makeHostileHomes();
  });

  it.each(RECORDED.cases)('$kind: $name', async ({ attempt }) => {
    expect(await attempt(homes)).toBeUndefined();
  });
});
