import { describe, expect, it } from 'vitest';
import { compareWithSeed, forecastCosts, groupCosts } from './cost-report.ts';
import { TRIAL_SESSION, type CallRecord } from './prices.ts';
import { DAY_MS } from '../../model/time.ts';

const NOW_MS = Date.parse('2026-11-15T12:00:00Z');

function call(given: Partial<CallRecord> = {}): CallRecord {
  const base = {
    timeMs: NOW_MS,
    purpose: 'extract',
    provider: 'openai',
    model: 'm',
    tokensIn: 1000,
    tokensOut: 100,
    usd: 0.01,
  };
  return { ...base, ms: 200, outcome: 'ok', session: 's1', isEstimate: false, reason: undefined, ...given };
}

describe('rows', () => {
  const records = [
    call(),
    call({ outcome: 'invalid', ms: 400 }),
    call({ purpose: 'slug', usd: undefined, model: 'local' }),
    call({ purpose: 'route', usd: 0.5, timeMs: NOW_MS - DAY_MS }),
  ];

  it('by purpose, the dearest first', () => {
    expect(groupCosts(records, 'purpose', 'UTC')).toEqual([
      {
        name: 'route',
        calls: 1,
        failed: 0,
        tokensIn: 1000,
        tokensOut: 100,
        usd: 0.5,
        unpricedCalls: 0,
        averageMs: 200,
      },
      {
        name: 'extract',
        calls: 2,
        failed: 1,
        tokensIn: 2000,
        tokensOut: 200,
        usd: 0.02,
        unpricedCalls: 0,
        averageMs: 300,
      },
      { name: 'slug', calls: 1, failed: 0, tokensIn: 1000, tokensOut: 100, usd: 0, unpricedCalls: 1, averageMs: 200 },
    ]);
  });

  it('by model, and by day in order', () => {
    expect(groupCosts(records, 'model', 'UTC').map(({ name }) => name)).toEqual(['m', 'local']);
    expect(groupCosts(records, 'day', 'UTC').map(({ name }) => name)).toEqual(['2026-11-14', '2026-11-15']);
    expect(groupCosts(records, 'day', 'Pacific/Auckland').map(({ name }) => name)).toEqual([
      '2026-11-15',
      '2026-11-16',
    ]);
  });
});

describe('beside what was expected', () => {
  it('extraction counts by session, trials do not', () => {
    const records = [
      call(),
      call(),
      call({ session: 's2', tokensIn: 4000 }),
      call({ session: TRIAL_SESSION, tokensIn: 9e9 }),
    ];
    const [extraction, ...others] = compareWithSeed(records);
    expect(extraction).toEqual({
      what: 'extraction',
      per: 'session',
      expected: { tokensIn: 12_000, tokensOut: 900, usd: 0.004 },
      measured: { count: 2, tokensIn: 3000, tokensOut: 150, usd: 0.015 },
    });
    expect(others.every(({ measured }) => measured === null)).toBe(true);
  });
});

describe('the forecast', () => {
  const price = { input: 1, output: 10 };

  it('goes on like the days there were', () => {
    const records = [
      call({ timeMs: NOW_MS - 10 * DAY_MS, usd: 1, session: 'a' }),
      call({ timeMs: NOW_MS - 5 * DAY_MS, usd: 1, session: 'b' }),
      call({ timeMs: NOW_MS - 60 * DAY_MS, usd: 1000, session: 'old' }),
      call({ timeMs: NOW_MS + DAY_MS, usd: 1000, session: 'from a clock that jumped' }),
    ];
    const forecast = forecastCosts({ records, nowMs: NOW_MS, price, dailyMaxUsd: 1 });
    expect(forecast).toMatchObject({ basisDays: 10, sessionsPerDay: 0.2, usdPerMonth: 6, maxUsdPerMonth: 30 });
    // 1000 tokens in and 100 out a session cost 0.002 dollars.
    expect(forecast.tokensPerSession).toEqual({ in: 1000, out: 100, isMeasured: true });
    expect(forecast.scenarios.map(({ usd }) => usd)).toEqual([0.3, 0.9, 1.8].map((usd) => expect.closeTo(usd)));
  });

  it('starts from what was expected', () => {
    const forecast = forecastCosts({ records: [], nowMs: NOW_MS, price: undefined, dailyMaxUsd: 1 });
    expect(forecast).toMatchObject({
      basisDays: 0,
      usdPerMonth: 0,
      tokensPerSession: { in: 12_000, isMeasured: false },
    });
    expect(forecast.scenarios[0]).toEqual({ usage: 'light', sessionsPerDay: 5, usd: null, expectedUsd: 0.6 });
  });
});
