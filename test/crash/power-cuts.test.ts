import { expect, it } from 'vitest';
import { runPowerCuts } from './power-cuts.ts';

it(
  'loses nothing in a power cut, whatever part of the unsynced bytes the disk has got',
  { timeout: 600_000 },
  async () => {
    const summary = await runPowerCuts({ seed: 1, cuts: 40 });
    expect(summary.problems).toEqual([]);
    expect(summary.acknowledged).toBeGreaterThan(100);
  },
);
