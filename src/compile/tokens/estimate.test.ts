import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateCounter } from './estimate.ts';
import { SAMPLES } from '../../../test/support/token-samples.ts';

const { count } = estimateCounter;

describe('estimateCounter', () => {
  it.each([
    ['', 0],
    ['the quick brown fox', 5],
    ['infrastructure', 5],
    ['RouteMerger', 4],
    ['2026-03-05', 6],
    ['会議は三時', 7],
    ['a\n\nb', 4],
  ])('%j costs %i', (text, tokens) => {
    expect(count(text)).toBe(tokens);
  });

  it('is between three and five characters a token for prose, and never fewer tokens than a quarter of code', () => {
    const prose =
      'Henrik runs the dispatch floor in Gothenburg, and his people pin a stop before two routes are merged.';
    const code = 'const left = items.filter(({ id }) => !seen.has(id)).map((item) => item.path);';
    expect(prose.length / count(prose)).toBeGreaterThan(3);
    expect(prose.length / count(prose)).toBeLessThan(5);
    expect(count(code)).toBeGreaterThan(code.length / 4);
  });

  it('costs the same line by line as in one piece', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }).map((line) => line.replaceAll(/[\n\r]/gu, ' '))), (lines) => {
        const apart = lines.reduce((sum, line) => sum + count(line), 0) + Math.max(0, lines.length - 1);
        expect(count(lines.join('\n'))).toBe(apart);
      }),
    );
  });

  // Names of many languages in a row are what it misses most.
  it.each(Object.entries(SAMPLES))('counts %s at most an eighth too low by today’s vocabulary', (_, text) => {
    expect(count(text)).toBeGreaterThanOrEqual(countO200k(text) * 0.88);
  });

  it.each(Object.entries(SAMPLES))('counts %s at most a fifth too low by the one before', (_, text) => {
    expect(count(text)).toBeGreaterThanOrEqual(countCl100k(text) * 0.79);
  });

  it('never counts a mixture of everything too low, and English not much too high', () => {
    const everything = Object.values(SAMPLES).join('\n');
    expect(count(everything)).toBeGreaterThanOrEqual(countO200k(everything));
    expect(count(everything)).toBeGreaterThanOrEqual(countCl100k(everything));
    const { prose = '', chat = '' } = SAMPLES;
    expect(count(prose + chat)).toBeLessThan(countO200k(prose + chat) * 1.15);
  });
});
