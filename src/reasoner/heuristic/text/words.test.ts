import { assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spoken } from './words.ts';

const SENTENCE = 'It rained over the harbour. ';

describe('the spoken part of a long message', () => {
  it('is all of a short one', () => {
    expect(spoken('I live in Munich')).toBe('I live in Munich');
  });

  it('ends and begins with whole sentences, wherever the cut falls', () => {
    assert(
      property(integer({ min: 0, max: 60 }), (shift) => {
        const kept = spoken(`${'x'.repeat(shift)} ${SENTENCE.repeat(400)}`);
        const sentences = kept.split(/(?<=\.)\s+/u).filter((part) => part !== '');
        const [first = '', ...others] = sentences;
        expect(first.endsWith(SENTENCE.trim())).toBe(true);
        expect(new Set(others)).toEqual(new Set([SENTENCE.trim()]));
      }),
    );
  });

  it('is nothing of a text without an end', () => {
    expect(spoken('I live in Munich'.repeat(1000)).trim()).toBe('');
  });
});
