import { expect, it } from 'vitest';
import { repetitions } from '../support/effort.ts';
import { runKillRounds } from './kill-rounds.ts';

// SPEC WRITE-1, WRITE-2
/** The short form of `npm run test:crash`; other seeds are its business. */
it(
  'loses nothing when killed at any instant, beside a person with git and an editor',
  { timeout: 600_000 },
  async () => {
    const summary = await runKillRounds({
      seed: 1,
      randomRounds: repetitions(1, 4),
      stepsApart: repetitions(6, 1),
      timesPerStep: 1,
      roundsPerHome: 14,
    });
    expect(summary.problems).toEqual([]);
    expect(summary.acknowledged).toBeGreaterThan(repetitions(15, 100));
    expect(summary.personLines).toBeGreaterThan(repetitions(1, 10));
  },
);
