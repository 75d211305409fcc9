import { expect, it } from 'vitest';
import { runManyProcesses } from './many-processes.ts';

// SPEC WRITE-5
it('keeps everything, and its order, when several processes write at once', { timeout: 600_000 }, async () => {
  const summary = await runManyProcesses({ processes: 6, mutations: 80 });
  expect(summary.problems).toEqual([]);
  expect(summary.mutations).toBe(480);
});
