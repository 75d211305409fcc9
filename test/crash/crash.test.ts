import { describe, expect, it } from 'vitest';
import { runConcurrentEdits } from './concurrent-edits.ts';
import { runKillRounds } from './kill-rounds.ts';
import { runManyProcesses } from './many-processes.ts';
import { runPowerCuts } from './power-cuts.ts';

/** Short forms of `npm run test:crash`; other seeds are its business. */
describe('nothing acknowledged is lost', () => {
  it(
    'when the process is killed at any instant, beside a person with git and an editor',
    { timeout: 180_000 },
    async () => {
      const summary = await runKillRounds({ seed: 1, randomRounds: 25, timesPerStep: 1, roundsPerHome: 14 });
      expect(summary.problems).toEqual([]);
      expect(summary.acknowledged).toBeGreaterThan(100);
      expect(summary.personLines).toBeGreaterThan(10);
    },
  );

  it(
    'when the power goes off, whatever part of the unsynced bytes the disk has got',
    { timeout: 120_000 },
    async () => {
      const summary = await runPowerCuts({ seed: 1, cuts: 40 });
      expect(summary.problems).toEqual([]);
      expect(summary.acknowledged).toBeGreaterThan(100);
    },
  );

  it('when several processes write at once', { timeout: 60_000 }, async () => {
    const summary = await runManyProcesses({ processes: 4, mutations: 40 });
    expect(summary.problems).toEqual([]);
    expect(summary.mutations).toBe(160);
  });

  it('when an agent and a person are at the same file', { timeout: 120_000 }, async () => {
    const summary = await runConcurrentEdits({ seed: 1, runs: 40 });
    expect(summary.problems).toEqual([]);
    expect(summary.agentBlocks).toBeGreaterThan(300);
    expect(summary.personBlocks).toBeGreaterThan(200);
    expect(summary.deletions).toBeGreaterThan(10);
  });
});
