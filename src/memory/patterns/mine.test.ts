import { describe, expect, it } from 'vitest';
import { makeYear, permuteTimes } from '../../../bench/patterns/synthetic.ts';
import { minePatterns } from './mine.ts';
import { type Occurrence } from './occurrence.ts';
import { binomialTail, keepBelowFalseRate, wilson } from './statistics.ts';
import { DAY_MS, HOUR_MS } from '../../model/time.ts';

const START_MS = Date.UTC(2026, 0, 5);

function at(day: number, hour: number, ...labels: string[]): Occurrence {
  const timeMs = START_MS + day * DAY_MS + hour * HOUR_MS;
  return {
    id: `${day}-${hour}-${labels.join()}`,
    timeMs,
    weekday: day % 7,
    hour,
    dayOfMonth: new Date(timeMs).getUTCDate(),
    labels,
  };
}

/** Something unremarkable on every day, at changing hours. */
function everyday(days: number): Occurrence[] {
  return Array.from({ length: days }, (_none, day) => at(day, 8 + ((day * 5) % 12), 'mail'));
}

// SPEC TRUST-3
describe('trust', () => {
  it('is the lowest of what shows a pattern', () => {
    const mondays = Array.from({ length: 30 }, (_none, week) => at(week * 7, 9, 'review'));
    const trustOf = (given: readonly Occurrence[]): unknown =>
      minePatterns([...everyday(210), ...given]).find(({ key }) => key.startsWith('weekday review'))?.trust;
    expect(trustOf(mondays)).toBe('agent');
    const [first, ...others] = mondays;
    expect(trustOf(first === undefined ? [] : [{ ...first, trust: 'import' }, ...others])).toBe('import');
  });
});

describe('planted patterns', () => {
  it('are found, and nearly nothing in the same years with their times dealt out anew', () => {
    let planted = 0;
    let found = 0;
    let byChance = 0;
    for (let seed = 100; seed < 106; seed += 1) {
      const year = makeYear(seed);
      const keys = minePatterns(year.occurrences).map(({ key }) => key);
      planted += year.planted.length;
      found += year.planted.filter((each) => keys.some((key) => each.isFoundAs(key))).length;
      byChance += minePatterns(permuteTimes(year.occurrences, seed)).filter(
        ({ shape }) => shape.kind !== 'preference',
      ).length;
    }
    expect(found / planted).toBeGreaterThanOrEqual(0.9);
    expect(byChance / (byChance + found)).toBeLessThan(0.05);
  });
});

describe('a pattern', () => {
  it('needs support: four Tuesdays are none', () => {
    const tuesdays = Array.from({ length: 4 }, (_none, week) => at(week * 7 + 1, 10, 'standup'));
    expect(minePatterns([...everyday(60), ...tuesdays])).toEqual([]);
  });

  it('is surer the more often it held', () => {
    const weeks = (count: number): Occurrence[] =>
      Array.from({ length: count }, (_none, week) => at(week * 7 + 1, 8 + (week % 9), 'standup'));
    const confidenceAfter = (count: number): number =>
      minePatterns([...everyday(400), ...weeks(count)]).find(({ key }) => key === 'weekday standup 1')?.confidence ?? 0;
    expect(confidenceAfter(12)).toBeGreaterThan(0.5);
    expect(confidenceAfter(50)).toBeGreaterThan(confidenceAfter(12));
  });

  it('is retired when it stops holding', () => {
    const before = Array.from({ length: 40 }, (_none, week) => at(week * 7 + 1, 8 + (week % 9), 'run'));
    const after = Array.from({ length: 14 }, (_none, week) => at((40 + week) * 7 + 4, 8 + (week % 9), 'run'));
    const pattern = minePatterns([...everyday(380), ...before, ...after]).find(({ key }) => key === 'weekday run 1');
    expect(pattern?.isRetired).toBe(true);
  });

  it('is told once for two names of one thing', () => {
    const both = Array.from({ length: 30 }, (_none, week) => at(week * 7 + 2, 9 + (week % 7), 'gym', 'training'));
    const found = minePatterns([...everyday(220), ...both]).filter(({ shape }) => shape.kind === 'weekday');
    expect(found).toHaveLength(1);
  });

  it('is the same whatever the order things are given in', () => {
    const { occurrences } = makeYear(3);
    expect(minePatterns([...occurrences].reverse())).toEqual(minePatterns(occurrences));
  });

  it('is none in nothing', () => {
    expect(minePatterns([])).toEqual([]);
  });
});

describe('the figures behind', () => {
  it('are the binomial tail', () => {
    expect(binomialTail(0, 10, 0.3)).toBe(1);
    expect(binomialTail(2, 2, 0.5)).toBeCloseTo(0.25, 10);
    expect(binomialTail(8, 10, 0.5)).toBeCloseTo(56 / 1024, 10);
    expect(binomialTail(500, 500, 0.5)).toBeLessThan(1e-100);
  });

  it('are Wilson bounds', () => {
    expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
    expect(wilson(9, 10).low).toBeCloseTo(0.596, 3);
    expect(wilson(90, 100).low).toBeGreaterThan(wilson(9, 10).low);
  });

  it('keep only what stands out of all that was tried', () => {
    const found = [0.0001, 0.004, 0.5].map((chance) => ({ chance }));
    expect(keepBelowFalseRate(found, 10, 0.05)).toEqual([{ chance: 0.0001 }, { chance: 0.004 }]);
    expect(keepBelowFalseRate(found, 1000, 0.05)).toEqual([]);
  });
});
