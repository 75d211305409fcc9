import fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalWords, sameWords } from './same-words.ts';

function readTable(name: string): string[][] {
  const file = path.resolve(import.meta.dirname, '../../test/fixtures', name);
  return fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
}

// SPEC LEARN-6
describe('two statements', () => {
  it.each(readTable('repetitions.tsv'))('are one in the same words: %s / %s', (one = '', other = '') => {
    expect(canonicalWords(one)).toBe(canonicalWords(other));
  });

  it.each(readTable('look-alikes.tsv'))('stay two although they look alike: %s / %s', (one = '', other = '') => {
    expect(canonicalWords(one)).not.toBe(canonicalWords(other));
  });

  it('stay two when they say opposites', () => {
    const equated = readTable('opposites.tsv').filter(([, one = '', other = '']) => sameWords(one, other));
    expect(equated).toEqual([]);
  });

  it('are compared as they are when they hold no words', () => {
    expect(sameWords('The', '')).toBe(false);
    expect(sameWords('?!', '…')).toBe(false);
    expect(sameWords('👍', '👎')).toBe(false);
  });
});

/** Words that neither count, nor are articles, nor change with their case. */
const WORDS = [
  'anna',
  'ben',
  'reports',
  'to',
  'from',
  'before',
  'after',
  'not',
  'and',
  'on',
  'off',
  '7',
  '25',
  '-5',
  'a+',
];
const aWord = fc.constantFrom(...WORDS);
const aText = fc.array(aWord, { minLength: 1, maxLength: 8 });
const anyText = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(...WORDS, 'A', 'a', 'the', 'few', 'one', 'No', 'hundred', 'US', 'Will', '"', ',', '.', '!', '–'),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(' ')),
);

/** The same words with another case, other spaces, punctuation and articles. */
function spelledOtherwise(words: readonly string[]): fc.Arbitrary<string> {
  const spell = fc.tuple(fc.constantFrom('', 'the ', 'The ', '"'), fc.boolean(), fc.constantFrom('', ',', ';'));
  return fc.array(spell, { minLength: words.length, maxLength: words.length }).map((ways) =>
    ways
      .map(([before, isUpper, after], index) => {
        const word = words[index] ?? '';
        return `${before}${isUpper ? word.toUpperCase() : word}${after}`;
      })
      .join('  '),
  );
}

describe('the form in which statements are compared', () => {
  it('reads any run of number words in one pass', () => {
    const runs = ['hundred ', 'one hundred thousand and ', 'million thousand hundred '].map((words) =>
      words.repeat(3000),
    );
    expect(new Set(runs.map(canonicalWords)).size).toBe(3);
    expect(canonicalWords('two hundred thousand five hundred and six')).toBe('200506');
  });

  it('has itself as its form', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const form = canonicalWords(text);
        expect(canonicalWords(form)).toBe(form);
      }),
    );
  });

  it('is the same however the words are spelled', () => {
    const spelled = aText.chain((words) => fc.tuple(fc.constant(words), spelledOtherwise(words)));
    fc.assert(
      fc.property(spelled, ([words, text]) => {
        expect(canonicalWords(text)).toBe(canonicalWords(words.join(' ')));
      }),
    );
  });

  it('differs wherever the words or their order differ', () => {
    const pair = fc
      .tuple(aText, aText)
      .chain(([one, other]) =>
        fc.tuple(fc.constant([one, other] as const), spelledOtherwise(one), spelledOtherwise(other)),
      );
    fc.assert(
      fc.property(pair, ([[one, other], left, right]) => {
        expect(sameWords(left, right)).toBe(one.join(' ') === other.join(' '));
      }),
    );
  });
});
