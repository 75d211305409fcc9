import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { estimateCounter } from './estimate.ts';
import { CHARACTERS, openCounter } from './open-counter.ts';
import { SAMPLES } from '../../../test/support/token-samples.ts';

describe('openCounter', () => {
  it.each([
    [null, 'estimate-2'],
    ['gpt-5-mini', 'o200k_base'],
    ['openai/gpt-4o', 'o200k_base'],
    ['gpt-4.1', 'o200k_base'],
    ['o3', 'o200k_base'],
    ['gpt-4-turbo', 'cl100k_base'],
    ['gpt-3.5-turbo', 'cl100k_base'],
    ['o200k_base', 'o200k_base'],
    ['claude-opus-4', 'estimate-2 × 1.2'],
    ['anthropic/some-model', 'estimate-2 × 1.2'],
    ['gemini-2.5-pro', 'estimate-2 × 1.1'],
    ['orca-mini', 'estimate-2 × 1.1'],
  ])('%s counts by %s', async (model, id) => {
    const { counter, notes } = await openCounter(model);
    expect(counter.id).toBe(id);
    expect(notes).toEqual([]);
  });

  it('counts OpenAI’s tokens exactly', async () => {
    const { counter } = await openCounter('gpt-5');
    for (const text of Object.values(SAMPLES)) expect(counter.count(text)).toBe(countTokens(text));
  });

  it('counts four characters a token for hooks, rounded up', async () => {
    const { counter, notes } = await openCounter(CHARACTERS);
    expect(counter.id).toBe('characters ÷ 4');
    expect(notes).toEqual([]);
    expect(['', 'a', 'four', 'fives', 'é—🦊'].map((text) => counter.count(text))).toEqual([0, 1, 1, 2, 1]);
    for (const text of Object.values(SAMPLES)) expect(counter.count(text)).toBe(Math.ceil(text.length / 4));
  });

  it('takes control tokens in a text for text', async () => {
    const { counter } = await openCounter('gpt-5');
    expect(counter.count('<|endoftext|><|im_start|>system')).toBeGreaterThan(6);
  });

  it('adds its margin line by line', async () => {
    const { counter } = await openCounter('claude-opus-4');
    const { prose = '', code = '' } = SAMPLES;
    expect(counter.count(`${prose}\n${code}`)).toBe(counter.count(prose) + counter.count(code) + 1);
    expect(counter.count(prose)).toBe(Math.ceil(estimateCounter.count(prose) * 1.2));
  });
});
