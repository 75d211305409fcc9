import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../model/config/schema.ts';
import { SOURCES, STORES } from '../../model/provenance.ts';
import { outlookOf, type FadingMemory } from './due.ts';
import { DAY_MS, MINUTE_MS } from '../../model/time.ts';

const config = defaultConfig();
const startMs = Date.UTC(2026, 0, 1);
const times = fc.integer({ min: 0, max: 500 * 24 }).map((hours) => startMs + hours * 3_600_000);

const memories: fc.Arbitrary<FadingMemory> = fc
  .record({
    store: fc.constantFrom(...STORES),
    source: fc.constantFrom(...SOURCES),
    type: fc.constantFrom('note', 'fact', 'task', 'decision'),
    createdMs: fc.option(times, { nil: undefined }),
    importance: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
    isPinned: fc.boolean(),
    use: fc.option(fc.record({ count: fc.integer({ min: 1, max: 30 }), lastMs: times }), { nil: undefined }),
  })
  .map((parts) => ({
    ...parts,
    id: 'aaaaaaaaaaaaa',
    path: 'memory/episodes/2026-01-01.md',
    kind: 'item',
    scope: 'shared',
  }));

// SPEC NIGHT-8
describe('the next time to look at a memory', () => {
  it('is never after a change of its status or its prospects', () => {
    fc.assert(
      fc.property(memories, times, fc.double({ min: 0, max: 1, noNaN: true }), (memory, nowMs, share) => {
        const now = outlookOf(memory, nowMs, config);
        const untilMs = now.nextMs ?? nowMs + 4000 * DAY_MS;
        const between = outlookOf(memory, Math.max(nowMs, Math.floor(nowMs + (untilMs - 1 - nowMs) * share)), config);
        expect([between.status, between.isCandidate]).toEqual([now.status, now.isCandidate]);
      }),
      { numRuns: 300 },
    );
  });

  it('is the time of such a change (to the minute), or the end of the period that is computed', () => {
    fc.assert(
      fc.property(memories, times, (memory, nowMs) => {
        const now = outlookOf(memory, nowMs, config);
        const atMs = now.nextMs ?? nowMs;
        const then = outlookOf(memory, atMs + MINUTE_MS, config);
        const hasChanged = then.status !== now.status || then.isCandidate !== now.isCandidate;
        expect(hasChanged || now.nextMs === undefined || atMs >= nowMs + 399 * DAY_MS).toBe(true);
        expect(now.nextMs ?? nowMs + 1).toBeGreaterThan(nowMs);
      }),
      { numRuns: 300 },
    );
  });
});
