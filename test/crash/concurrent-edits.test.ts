import { expect, it } from 'vitest';
import { repetitions } from '../support/effort.ts';
import { runConcurrentEdits } from './concurrent-edits.ts';

// SPEC WRITE-4
it('keeps every block of an agent and a person at the same file', { timeout: 600_000 }, async () => {
  const runs = repetitions(6, 40);
  const summary = await runConcurrentEdits({ seed: 1, runs });
  expect(summary.problems).toEqual([]);
  expect(summary.agentBlocks).toBeGreaterThan(7 * runs);
  expect(summary.personBlocks).toBeGreaterThan(5 * runs);
  expect(summary.deletions).toBeGreaterThan(runs / 4);
});
