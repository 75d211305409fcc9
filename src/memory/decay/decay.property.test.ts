import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { defaultConfig } from '../../model/config/schema.ts';
import { SOURCES, STORES } from '../../model/provenance.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { AccessLog } from './access-log.ts';
import { parseCheckpoint, serializeCheckpoint } from './checkpoint.ts';
import { createFader } from './fading.ts';
import { fallsBelowMs, relevanceOf, statusOf, type Fading, FADING } from './relevance.ts';
import { mergeUses, totalUses, type Use, type UsesByDevice } from './use-log.ts';
import { DAY_MS, HOUR_MS } from '../../model/time.ts';

const { decay } = defaultConfig();
const startMs = Date.UTC(2026, 0, 1);

const times = fc.integer({ min: 0, max: 1000 }).map((days) => startMs + days * DAY_MS);
const memories: fc.Arbitrary<Fading> = fc.record({
  store: fc.constantFrom(...STORES),
  source: fc.constantFrom(...SOURCES),
  createdMs: times,
  accesses: fc.nat({ max: 200 }),
  lastAccessMs: fc.option(times, { nil: undefined }),
  isPinned: fc.boolean(),
});

const use: fc.Arbitrary<Use> = fc.record({ count: fc.integer({ min: 1, max: 50 }), lastMs: times });
const accounts: fc.Arbitrary<UsesByDevice> = fc
  .dictionary(fc.constantFrom('here', 'there', 'phone'), fc.dictionary(fc.stringMatching(/^[a-z][a-z -]{0,8}$/u), use))
  .map((devices) => new Map(Object.entries(devices).map(([name, uses]) => [name, new Map(Object.entries(uses))])));

const plain = (account: UsesByDevice): unknown =>
  [...account]
    .filter(([, uses]) => uses.size > 0)
    .map(([device, uses]) => [device, [...uses].toSorted(byName)])
    .toSorted(byName as never);
function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

// SPEC FADE-1
describe('relevance', () => {
  it('is between 0 and 1, and never rises while time passes', () => {
    fc.assert(
      fc.property(memories, times, times, (memory, one, other) => {
        const [earlier, later] = [Math.min(one, other), Math.max(one, other)];
        const [before, after] = [earlier, later].map((nowMs) => relevanceOf(memory, nowMs, decay));
        expect(after).toBeLessThanOrEqual(before ?? 0);
        expect(after).toBeGreaterThanOrEqual(0);
        expect(before).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('rises with every use, or stays at 1', () => {
    fc.assert(
      fc.property(memories, times, (memory, nowMs) => {
        const used = { ...memory, accesses: memory.accesses + 1, lastAccessMs: nowMs };
        const before = relevanceOf(memory, nowMs, decay);
        expect(relevanceOf(used, nowMs, decay)).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  it('falls below a limit when it is said to', () => {
    fc.assert(
      fc.property(memories, fc.constantFrom(FADING.activeMin, FADING.fadingMin, FADING.dormantMin), (memory, limit) => {
        const atMs = fallsBelowMs(memory, limit, decay);
        fc.pre(atMs !== undefined);
        expect(relevanceOf(memory, atMs + 1000, decay)).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it('never rises without a use, however the clock jumps', () => {
    // Time passes, and the clock is wrong by an hour, a day, a month, or right again.
    const offsets = fc.constantFrom(0, -HOUR_MS, HOUR_MS, -DAY_MS, 30 * DAY_MS);
    const passed = fc.constantFrom(0, 1, HOUR_MS, DAY_MS, 7 * DAY_MS);
    const jumps = fc.array(fc.tuple(passed, offsets), { maxLength: 12 });
    fc.assert(
      fc.property(jumps, fc.boolean(), (steps, isNewProcess) => {
        const folder = makeTemporaryFolder();
        const open = (): AccessLog => new AccessLog(nodeFileSystem, folder, 'here', path.join(folder, 'scores.json'));
        let access = open();
        let trueMs = startMs + 40 * DAY_MS;
        let before = 1;
        const fact = { id: 'a', source: 'conversation', timeMs: startMs, tags: [], document: { store: 'semantic' } };
        for (const [passedMs, offsetMs] of steps) {
          trueMs += passedMs;
          const fadedBy = access.fadingNow(trueMs + offsetMs);
          const { relevance } = createFader(access.readUses(), fadedBy, decay)(fact as never);
          expect(relevance).toBeLessThanOrEqual(before);
          before = relevance;
          if (!isNewProcess) continue;
          const text = serializeCheckpoint(access.makeCheckpoint(fadedBy));
          nodeFileSystem.write(path.join(folder, 'scores.json'), Buffer.from(text));
          access = open();
        }
      }),
      { numRuns: 40 },
    );
  });

  it('does not stay faded when a clock was wrong by years', () => {
    const access = new AccessLog(nodeFileSystem, makeTemporaryFolder(), 'here');
    access.recordUses('reply', startMs + 3650 * DAY_MS, ['a']);
    expect(access.fadingNow(startMs)).toBe(startMs);
  });
});

describe('what devices counted', () => {
  it('merges in any order and any number of times to the same', () => {
    fc.assert(
      fc.property(accounts, accounts, accounts, (a, b, c) => {
        const one = mergeUses(mergeUses(a, b), c);
        expect(plain(mergeUses(c, mergeUses(b, a)))).toEqual(plain(one));
        expect(plain(mergeUses(one, b))).toEqual(plain(one));
        const totals = [one, mergeUses(mergeUses(c, a), b)].map((all) => [...totalUses(all)].toSorted(byName));
        expect(totals[1]).toEqual(totals[0]);
      }),
    );
  });

  it('is the same after it was written down and read', () => {
    fc.assert(
      fc.property(accounts, fc.option(times, { nil: undefined }), (uses, updatedMs) => {
        const text = serializeCheckpoint({ updatedMs, uses });
        const read = parseCheckpoint(text);
        expect(read?.updatedMs).toBe(updatedMs);
        expect(plain(read?.uses ?? new Map())).toEqual(plain(uses));
        expect(serializeCheckpoint(read ?? { updatedMs: undefined, uses: new Map() })).toBe(text);
      }),
    );
  });

  it('passes over broken lines and refuses nothing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseCheckpoint(text)).toBeUndefined();
      }),
    );
    const broken =
      '{"version":1,"entries":{"a here":{"count":2,"last":"2026-01-01T00:00:00.000Z"},"b here":{"count":-1},"c":{}}}';
    expect([...(parseCheckpoint(broken)?.uses.get('here') ?? [])].map(([id]) => id)).toEqual(['a']);
  });
});

it('has a status for every relevance, in order', () => {
  const order = ['active', 'fading', 'dormant', 'faint'];
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
      const [high, low] = [Math.max(a, b), Math.min(a, b)].map((value) => order.indexOf(statusOf(value)));
      expect(high).toBeLessThanOrEqual(low ?? 0);
    }),
  );
});
