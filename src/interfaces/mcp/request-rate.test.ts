import { describe, expect, it } from 'vitest';
import { RequestRate } from './call-queue.ts';

describe('RequestRate', () => {
  it('lets a minute’s worth through at once, and then one by one', () => {
    let nowMs = 1_000_000;
    const rate = new RequestRate(6, { now: () => nowMs });
    expect(Array.from({ length: 6 }, () => rate.take('a'))).toEqual(Array.from({ length: 6 }, () => undefined));
    expect(rate.take('a')).toBe(10);
    nowMs += 4000;
    expect(rate.take('a')).toBe(6);
    nowMs += 6000;
    expect(rate.take('a')).toBeUndefined();
    expect(rate.take('a')).toBe(10);
  });

  it('counts each client by itself', () => {
    const rate = new RequestRate(1, { now: () => 0 });
    expect([rate.take('a'), rate.take('b'), rate.take('a')]).toEqual([undefined, undefined, 60]);
  });

  it('saves up no more than a minute, and survives a clock that is set back', () => {
    let nowMs = 10_000_000;
    const rate = new RequestRate(2, { now: () => nowMs });
    rate.take('a');
    nowMs += 3_600_000;
    expect([rate.take('a'), rate.take('a'), rate.take('a')]).toEqual([undefined, undefined, 30]);
    nowMs -= 3_600_000;
    expect(rate.take('a')).toBe(30);
    nowMs += 30_000;
    expect(rate.take('a')).toBeUndefined();
  });

  it('of 0 is no limit', () => {
    const rate = new RequestRate(0, { now: () => 0 });
    expect(Array.from({ length: 1000 }, () => rate.take('a')).every((wait) => wait === undefined)).toBe(true);
  });
});
