import { expect, it } from 'vitest';
import { repetitions } from '../support/effort.ts';
import { runAgents } from './agents.ts';

// SPEC SCOPE-1
it(
  'loses nothing, keeps nothing twice and marks every conflict while agents propose',
  { timeout: 300_000 },
  async () => {
    const each = repetitions(2, 5);
    const summary = await runAgents({ agents: 2, each });
    expect(summary.problems).toEqual([]);
    expect(summary).toMatchObject({ proposals: 2 * each, conflicts: 1, lost: 0, appliedTwice: 0, unmarked: 0 });
  },
);
