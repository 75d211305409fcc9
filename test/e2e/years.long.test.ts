import path from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/home.ts';
import { runYears } from '../../bench/years/run.ts';

// SPEC NIGHT-7
it(
  'weeks with a memory and nobody who decides: nothing is lost, hidden or over its cap',
  { timeout: 300_000 },
  async () => {
    const home = path.join(makeTemporaryFolder('mneme-years-'), 'home');
    const few = { months: 1, weeks: 1, sessionsPerWeek: 5, facts: 4 };
    const lived = await runYears({ home, ...few, seed: 3, approver: 'never' });
    expect(lived).toMatchObject({ coreOverCap: 0, importantRecall: 1, hidden: 0, approved: 0 });
    expect(lived['holds']).toMatchObject({ core: true, important: true, nothingHidden: true, noTrouble: true });
  },
);
