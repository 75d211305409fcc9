import { describe, expect, it } from 'vitest';
import { erasedTexts } from './reach.ts';

describe('the words of a memory that are erased', () => {
  it('are told without box, date and strike, as they were said elsewhere', () => {
    expect(erasedTexts(['[ ] Buy new strings'])).toEqual(['[ ] Buy new strings', 'Buy new strings']);
    expect(erasedTexts(['2026-02-14: Sell the cello.'])).toEqual(['2026-02-14: Sell the cello.', 'Sell the cello.']);
    expect(erasedTexts(['~~I live in Munich~~ (until 2026-03)'])).toContain('I live in Munich');
  });

  it('are erased line by line too, where a line is long enough to be it', () => {
    const texts = erasedTexts(['short\nthe heron stands on Quillfeather lane']);
    expect(texts).toEqual(['short\nthe heron stands on Quillfeather lane', 'the heron stands on Quillfeather lane']);
  });

  it('go the longest first, each once', () => {
    expect(erasedTexts(['We use OAuth.', 'We use OAuth.\n\nAnd nothing else.', ' We use OAuth. '])).toEqual([
      'We use OAuth.\n\nAnd nothing else.',
      'We use OAuth.',
    ]);
  });

  it('are neither a word nor a link, which stand elsewhere and mean something else', () => {
    expect(erasedTexts(['Otto', '', '  ', 'knows [[person--kim]]', '~~works-at [[organization--x]]~~'])).toEqual([]);
    expect(erasedTexts(['met [[person--kim]] at the fair'])).toEqual(['met [[person--kim]] at the fair']);
  });
});
