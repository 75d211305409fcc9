import { expect, it } from 'vitest';
import { runConcurrentEdits } from './concurrent-edits.ts';

it('keeps every block of an agent and a person at the same file', { timeout: 600_000 }, async () => {
  const summary = await runConcurrentEdits({ seed: 1, runs: 40 });
  expect(summary.problems).toEqual([]);
  expect(summary.agentBlocks).toBeGreaterThan(300);
  expect(summary.personBlocks).toBeGreaterThan(200);
  expect(summary.deletions).toBeGreaterThan(10);
});
