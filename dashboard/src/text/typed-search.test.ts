import { describe, expect, it } from 'vitest';
import { completeTyped, dayBefore, lastTyped, optionFor, parseTyped } from './typed-search.ts';

describe('a search as typed', () => {
  it('takes the filters out of the words, also those with blanks in quotation marks', () => {
    expect(parseTyped('kind:facts tide person:"Jonas Pell" before:2026-06 times')).toEqual({
      words: 'tide times',
      filters: [
        { key: 'kind', value: 'facts' },
        { key: 'person', value: 'Jonas Pell' },
        { key: 'before', value: '2026-06' },
      ],
    });
  });

  it('leaves other words with a colon and a word that merely ends like a key as they are', () => {
    expect(parseTyped('see https://a.example mankind:x')).toEqual({
      words: 'see https://a.example mankind:x',
      filters: [],
    });
  });

  it('knows the filter that is being typed, and puts the picked value in its place', () => {
    expect(lastTyped('tide person:jo')).toEqual({ key: 'person', value: 'jo' });
    expect(lastTyped('person:jo tide')).toBeUndefined();
    expect(completeTyped('tide person:jo', 'person', 'Jonas Pell')).toBe('tide person:"Jonas Pell" ');
  });

  it('finds what a value means by its beginning and by the name a reader sees', () => {
    const stores = ['core', 'episodic', 'semantic'];
    expect(['core', 'facts', 'fac', 'journal', 'x', ''].map((value) => optionFor(value, stores))).toEqual([
      'core',
      'semantic',
      'semantic',
      'episodic',
      undefined,
      undefined,
    ]);
  });

  it('ends the day before a day, a month or a year', () => {
    expect(['2026-06-02', '2026-06', '2026', 'yesterday'].map(dayBefore)).toEqual([
      '2026-06-01',
      '2026-05-31',
      '2025-12-31',
      'yesterday',
    ]);
  });
});
