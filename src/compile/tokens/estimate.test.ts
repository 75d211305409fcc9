import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateCounter } from './tokens.ts';

const { count } = estimateCounter;

describe('estimateCounter', () => {
  it.each([
    ['', 0],
    ['the quick brown fox', 4],
    ['infrastructure', 3],
    ['RouteMerger', 3],
    ['2026-03-05', 6],
    ['会議は三時', 5],
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
});
