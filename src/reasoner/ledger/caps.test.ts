import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../../model/config/schema.ts';
import { NOW_MS, startHarness, type Harness } from '../model/testing/harness.ts';
import { PriceTable } from './prices.ts';

let harness: Harness;
afterEach(() => harness.close());

const says = JSON.stringify({ slug: 'tile-cache' });
const PRICED = { prices_usd_per_million: { 'claude-haiku-5-5': { input: 1000, output: 1000 } } };

/** Nothing asks for short names any more; the port still knows how. */
function capOfSlug(usd: number): Config['reasoner']['purpose_daily_max_usd'] {
  return { slug: usd } as Config['reasoner']['purpose_daily_max_usd'];
}

describe('daily caps', () => {
  it.each<[string, Partial<Config['reasoner']>, string]>([
    ['calls', { daily_max_calls: 2 }, "the day's 2 calls are used up (reasoner.daily_max_calls)"],
    ['tokens', { daily_max_tokens: 600 }, "the day's 600 tokens are used up (reasoner.daily_max_tokens)"],
    ['dollars', { daily_max_usd: 0.5, ...PRICED }, "the day's 0.5 US dollars are used up (reasoner.daily_max_usd)"],
    [
      'dollars of a purpose',
      { purpose_daily_max_usd: capOfSlug(0.5), daily_max_usd: 100, ...PRICED },
      "the day's 0.5 US dollars for slug are used up (reasoner.purpose_daily_max_usd)",
    ],
  ])('%s: past it the heuristic answers and says so', async (_name, settings, reason) => {
    harness = await startHarness(() => says, { settings, parts: { cacheDays: 0 } });
    const answers = [];
    for (let count = 0; count < 8; count += 1)
      answers.push(await harness.reasoner.ask('slug', { text: `text ${count}` }));
    const asked = harness.server.requests.length;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(8);
    expect(answers.slice(0, asked).map(({ by }) => by)).toEqual(answers.slice(0, asked).map(() => 'claude-haiku-5-5'));
    expect(answers[asked]?.notes).toEqual([
      `claude-haiku-5-5 could not name it: ${reason}. heuristic@test answered instead.`,
    ]);
  });

  it('of one purpose do not stop another', async () => {
    const route = JSON.stringify({
      store: 'core',
      kind: '',
      entities: [],
      relations: [],
      tags: [],
      confidence: 'low',
      is_core_worthy: false,
      summary: 'x',
    });
    harness = await startHarness(({ messages }) => (messages[0]?.text.includes('now') ? route : says), {
      settings: { purpose_daily_max_usd: capOfSlug(0) },
    });
    expect((await harness.reasoner.ask('slug', { text: 'x' })).by).toBe('heuristic@test');
    const input = { text: 'x', timeMs: NOW_MS, timeZone: 'UTC' };
    expect(await harness.reasoner.ask('route', input)).toMatchObject({ by: 'claude-haiku-5-5', notes: [] });
  });

  it('nothing to spend means that even a model without a price is not asked', async () => {
    harness = await startHarness(() => says, { provider: 'openai-compatible', settings: { daily_max_usd: 0 } });
    expect((await harness.reasoner.ask('slug', { text: 'x' })).by).toBe('heuristic@test');
    const free = await startHarness(() => says, {
      provider: 'openai-compatible',
      settings: { daily_max_usd: 0, prices_usd_per_million: { 'local-model': { input: 0, output: 0 } } },
    });
    expect((await free.reasoner.ask('slug', { text: 'x' })).by).toBe('local-model');
    await free.close();
  });

  it('count what other processes spent', async () => {
    harness = await startHarness(() => says, { settings: { daily_max_calls: 2 }, parts: { cacheDays: 0 } });
    const other = await startHarness(() => says, {
      home: harness.home,
      settings: { daily_max_calls: 2 },
      parts: { cacheDays: 0 },
    });
    await harness.reasoner.ask('slug', { text: 'x' });
    await other.reasoner.ask('slug', { text: 'x' });
    expect((await harness.reasoner.ask('slug', { text: 'x' })).by).toBe('heuristic@test');
    await other.close();
  });

  it('count calls that are under way, so that many at once stay below', async () => {
    harness = await startHarness(() => says, { settings: { daily_max_calls: 3 }, parts: { cacheDays: 0 } });
    const all = Array.from({ length: 10 }, (_, index) => harness.reasoner.ask('slug', { text: `text ${index}` }));
    const answers = await Promise.all(all);
    expect(answers.filter(({ by }) => by === 'claude-haiku-5-5')).toHaveLength(3);
    expect(harness.server.requests).toHaveLength(3);
  });
});

describe('prices', () => {
  const prices = new PriceTable({ 'my-model': { input: 1, output: 2 }, 'claude-opus-5': { input: 7, output: 7 } });

  it.each([
    ['claude-haiku-4-5-20251001', 6],
    ['anthropic/claude-haiku-4-5', 6],
    ['gpt-5-mini-2025-08-07', 2.25],
    ['my-model', 3],
    ['claude-opus-5', 14],
  ])('a million tokens each way with %s', (model, usd) => {
    expect(prices.cost(model, { tokensIn: 1_000_000, tokensOut: 1_000_000 }, NOW_MS)).toBeCloseTo(usd);
  });

  it('long prompts and announced changes', () => {
    const at = (day: string): number => Date.parse(day);
    expect(prices.find('claude-haiku-5-5', NOW_MS, 100_000)).toEqual({ input: 0.1, output: 0.5 });
    expect(prices.find('claude-haiku-5-5', NOW_MS, 100_001)).toEqual({ input: 0.5, output: 2.5 });
    expect(prices.find('gemini-3.8-flash', at('2026-12-31'))).toEqual({ input: 0.75, output: 3.75 });
    expect(prices.find('gemini-3.8-flash', at('2027-01-01'))).toEqual({ input: 1.5, output: 7.5 });
    expect(prices.cost('local', { tokensIn: 5, tokensOut: 5 }, NOW_MS)).toBeUndefined();
  });
});
