import { describe, expect, it } from 'vitest';
import { accessFactor, temporalFactor } from './rank.ts';
import type { TimeRange } from './understand/understanding.ts';
import { DAY_MS } from '../model/time.ts';

const nowMs = Date.UTC(2026, 4, 20);
const settings = { nowMs, halfLifeDays: 7 };
const plain = { intent: 'general', timeRange: undefined, isAboutThePast: false } as const;
const may: TimeRange = {
  sinceMs: Date.UTC(2025, 4, 1),
  untilMs: Date.UTC(2025, 5, 1),
  phrase: 'in May 2025',
  precision: 'month',
};

describe('temporalFactor', () => {
  it('halves with every half-life when the latest is asked for', () => {
    const latest = { ...plain, intent: 'latest' } as const;
    expect(temporalFactor(nowMs, latest, settings)).toBe(1);
    expect(temporalFactor(nowMs - 7 * DAY_MS, latest, settings)).toBeCloseTo(0.5);
    expect(temporalFactor(nowMs - 9999 * DAY_MS, latest, settings)).toBe(0.1);
  });

  it('puts the newer of two equals first for a plain question, and hardly more', () => {
    const young = temporalFactor(nowMs, plain, settings);
    const old = temporalFactor(nowMs - 400 * DAY_MS, plain, settings);
    expect(young).toBeGreaterThan(old);
    expect(young - old).toBeLessThan(0.2);
  });

  it('does not punish age when the question is about the past', () => {
    const past = { ...plain, isAboutThePast: true };
    expect(temporalFactor(nowMs, past, settings)).toBe(temporalFactor(nowMs - 400 * DAY_MS, past, settings));
  });

  it('is full inside the time asked about and fades with the distance from it', () => {
    const asked = { ...plain, timeRange: may };
    expect(temporalFactor(Date.UTC(2025, 4, 8), asked, settings)).toBe(1);
    const near = temporalFactor(Date.UTC(2025, 5, 10), asked, settings);
    expect(near).toBeLessThan(1);
    expect(temporalFactor(Date.UTC(2025, 10, 10), asked, settings)).toBeLessThan(near);
    expect(temporalFactor(undefined, asked, settings)).toBe(0.1);
  });

  it('takes an open range as far as it goes', () => {
    const since = { ...plain, timeRange: { ...may, untilMs: undefined } };
    expect(temporalFactor(nowMs, since, settings)).toBe(1);
    expect(temporalFactor(Date.UTC(2025, 3, 1), since, settings)).toBeLessThan(1);
  });
});

describe('accessFactor', () => {
  it('grows with use and with how lately, and is neutral without', () => {
    expect(accessFactor(undefined, nowMs)).toBe(0.5);
    const once = accessFactor({ count: 1, lastMs: nowMs - 60 * DAY_MS }, nowMs);
    const often = accessFactor({ count: 20, lastMs: nowMs - 60 * DAY_MS }, nowMs);
    const lately = accessFactor({ count: 20, lastMs: nowMs }, nowMs);
    expect([0.5 < once, once < often, often < lately, lately <= 1]).toEqual([true, true, true, true]);
  });
});
