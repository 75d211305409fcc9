import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLAIN_SENSES } from '../testing/topics.ts';
import { roleOf } from './focus.ts';
import { ReadMessage } from './message.ts';

const read = (text: string): ReadMessage => new ReadMessage({ text, role: 'user' }, PLAIN_SENSES);

/** What the clause that holds a word does in its message. */
function roleOfWord(text: string, word: string): string {
  const { clauses } = read(text);
  return roleOf(
    clauses,
    clauses.findIndex((clause) => clause.text.includes(word)),
  );
}

describe('what a message is about', () => {
  it.each([
    ['This has nothing to do with the harvest. Where is the ladder?', 'harvest', 'dismissed'],
    ['No harvest talk today please. Where is the ladder?', 'harvest', 'dismissed'],
    ['The harvest is sorted, thanks. Where is the ladder?', 'harvest', 'dismissed'],
    ['My library card is overdue, what does that cost?', 'overdue', 'told'],
    ['I’m at the harvest, so quickly: where is the ladder?', 'harvest', 'aside'],
    ['I saw the harvest. Anyway, where is the ladder?', 'harvest', 'before-turn'],
    ['The harvest was wet. How do I dry it?', 'harvest', 'told'],
    ['The harvest was wet. How do I dry it?', 'dry', 'point'],
    ['Plan the harvest, please.', 'harvest', 'point'],
  ])('%s: %s is %s', (text, word, role) => {
    expect(roleOfWord(text, word)).toBe(role);
  });

  it('weighs every word of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const { words, worths } = read(text);
        expect(worths).toHaveLength(words.length);
        expect(worths.every((worth) => worth > 0 && worth <= 1)).toBe(true);
      }),
    );
  });
});
