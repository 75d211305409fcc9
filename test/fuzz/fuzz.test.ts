import { describe, expect, it } from 'vitest';
import { repetitions } from '../support/effort.ts';
import { fuzz } from './run.ts';
import { TARGETS } from './targets.ts';

/** Of the fastest targets; `npm run test:fuzz` takes more, with a seed of its own. */
const INPUTS = repetitions(300, 3000);

// SPEC SAFETY-11
describe('what reads the words of others', () => {
  it.each(TARGETS)(
    'refuses or takes damaged and hostile input, and goes on: $name',
    async (target) => {
      const { findings } = await fuzz(target, Math.ceil(INPUTS * target.share), 24);
      expect(findings).toEqual([]);
    },
    120_000,
  );
});
