import { expect, it } from 'vitest';
import { runReconstructionKills } from './reconstruct.ts';

// SPEC NIGHT-6
it(
  'a reconstruction, killed at random instants, goes on and leaves what an undisturbed one leaves',
  { timeout: 600_000 },
  async () => {
    const { problems, interrupted } = await runReconstructionKills(3, 5);
    expect(problems).toEqual([]);
    expect(interrupted).toBeGreaterThan(0);
  },
);
