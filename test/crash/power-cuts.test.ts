import { expect, it } from 'vitest';
import { repetitions } from '../support/effort.ts';
import { runPowerCuts } from './power-cuts.ts';

// SPEC WRITE-3
it(
  'loses nothing in a power cut, whatever part of the unsynced bytes the disk has got',
  { timeout: 600_000 },
  async () => {
    const cuts = repetitions(10, 40);
    const summary = await runPowerCuts({ seed: 1, cuts });
    expect(summary.problems).toEqual([]);
    expect(summary.acknowledged).toBeGreaterThan(2 * cuts);
  },
);
