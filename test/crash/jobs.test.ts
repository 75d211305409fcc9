import { expect, it } from 'vitest';
import { runJobKills } from './jobs.ts';

it(
  'every job, killed at random instants, is completed by its next run; nothing is lost or done twice',
  { timeout: 600_000 },
  async () => {
    const { problems, interrupted } = await runJobKills(1, 11);
    expect(problems).toEqual([]);
    expect(interrupted).toBeGreaterThan(0);
  },
);
