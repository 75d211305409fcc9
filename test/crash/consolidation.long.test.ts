import { expect, it } from 'vitest';
import { runConsolidationKills } from './consolidation.ts';

// SPEC NIGHT-2
it(
  'consolidation, killed at random instants, leaves in the end what an undisturbed run leaves',
  { timeout: 600_000 },
  async () => {
    const { problems, interrupted } = await runConsolidationKills(2, 7);
    expect(problems).toEqual([]);
    expect(interrupted).toBeGreaterThan(0);
  },
);
