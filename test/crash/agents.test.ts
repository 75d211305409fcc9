import { expect, it } from 'vitest';
import { runAgents } from './agents.ts';

it(
  'loses nothing, keeps nothing twice and marks every conflict while agents propose',
  { timeout: 300_000 },
  async () => {
    const summary = await runAgents({ agents: 2, each: 5 });
    expect(summary.problems).toEqual([]);
    expect(summary).toMatchObject({ proposals: 10, conflicts: 1, lost: 0, appliedTwice: 0, unmarked: 0 });
  },
);
