import { expect, it } from 'vitest';
import { isLongRun } from '../support/effort.ts';
import { runJobKills } from './jobs.ts';

/** Jobs that write what people would miss; the long run takes all jobs. */
const ONLY = isLongRun ? [] : ['extract', 'daily', 'archive', 'backup'];

// SPEC JOB-2
it(
  'every job, killed at random instants, is completed by its next run; nothing is lost or done twice',
  { timeout: 600_000 },
  async () => {
    const { problems, interrupted } = await runJobKills(1, 11, ONLY);
    expect(problems).toEqual([]);
    expect(interrupted).toBeGreaterThan(0);
  },
);
