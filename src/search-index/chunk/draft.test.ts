import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitText, type SplitLimits } from './draft.ts';

function split(text: string, limits: Partial<SplitLimits> = {}): string[] {
  const all = { maxChars: 40, overlapChars: 0, keepsParagraphs: true, ...limits };
  return splitText(text, all).map((piece) => piece.text);
}

describe('splitText', () => {
  it('leaves a short text alone', () => {
    expect(split('  one thought \n')).toEqual(['one thought']);
  });

  it('prefers the end of a paragraph to the end of a line, a line to a sentence, a sentence to a word', () => {
    const words = 'aaaa bbbb cccc dddd eeee';
    expect(split(`${words}\n\nffff. g\nhhhh iiii jjjj kkkk`)[0]).toBe(words);
    expect(split(`${words}\nffff. gggg hhhh iiii jjjj kkkk`)[0]).toBe(words);
    expect(split(`${words}. ffff gggg hhhh iiii jjjj kkkk`)[0]).toBe(`${words}.`);
    expect(split(`${words} ffff gggg hhhh iiii jjjj kkkk`)[0]).toBe(`${words} ffff gggg hhhh`);
  });

  it('cuts only between words when paragraphs need not be kept', () => {
    expect(split('aaaa bbbb cccc dddd eeee\n\nffff gggg hhhh iiii', { keepsParagraphs: false })[0]).toBe(
      'aaaa bbbb cccc dddd eeee\n\nffff gggg',
    );
  });

  it('repeats the end of a piece at the beginning of the next, from a word on', () => {
    const [first, second] = split('aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj', { overlapChars: 12 });
    expect(first).toBe('aaaa bbbb cccc dddd eeee ffff gggg hhhh');
    expect(second).toBe('gggg hhhh iiii jjjj');
  });

  it('says where a piece stands', () => {
    const pieces = splitText('one one one one one one one\ntwo\n\nthree three three three three\nfour four', {
      maxChars: 40,
      overlapChars: 0,
      keepsParagraphs: true,
    });
    expect(pieces.map(({ linesBefore, linesWithin }) => [linesBefore, linesWithin])).toEqual([
      [0, 1],
      [3, 1],
    ]);
  });

  it('never cuts a character in two', () => {
    for (const piece of split('🥖'.repeat(100), { overlapChars: 7 })) expect(piece.isWellFormed()).toBe(true);
  });

  it('keeps every word, in pieces of at most the length asked for', () => {
    const word = fc.stringMatching(/^[a-z]{1,9}$/);
    const gap = fc.constantFrom(' ', ' ', ' ', '. ', '\n', '\n\n');
    const text = fc.array(fc.tuple(word, gap), { maxLength: 200 }).map((pairs) => pairs.flat().join(''));
    const limits = fc.record({
      maxChars: fc.integer({ min: 20, max: 120 }),
      overlapChars: fc.integer({ min: 0, max: 119 }),
      keepsParagraphs: fc.boolean(),
    });
    fc.assert(
      fc.property(text, limits, (text, limits) => {
        const pieces = splitText(text, limits).map((piece) => piece.text);
        expect(Math.max(0, ...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(limits.maxChars);
        expect(pieces.every((piece) => piece.trim() !== '')).toBe(true);
        const found = new Set(pieces.flatMap((piece) => piece.split(/\s+/)));
        for (const one of text.split(/\s+/).filter((part) => part !== '')) expect(found).toContain(one);
      }),
    );
  });
});
