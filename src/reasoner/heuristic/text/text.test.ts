import { franc } from 'franc-min';
import { describe, expect, it } from 'vitest';
import { splitSentences } from './sentences.ts';
import { withoutMarked } from '../../../judge/handed-over/marked.ts';
import { guessLanguage, tidy } from '../clauses/utterance.ts';
import { contentWords, stemOf, wordsOf } from './words.ts';

const texts = (text: string): string[] => splitSentences(text).map((sentence) => sentence.text);

describe('own words', () => {
  it.each([
    ['a fence', 'before\n```\nwe decided\n```\nafter', 'before\n\nafter'],
    ['an open fence', 'before\n```\nwe decided', 'before\n'],
    ['a quotation', '> we decided\nno', 'no'],
    ['a log line', '2026-03-02 08:14:07 pump on\nok', 'ok'],
    ['a stack trace', 'broken\n    at run (index.ts:3)', 'broken'],
    ['a mail with headers', 'fwd:\nFrom: x\nSubject: y\nwe decided', 'fwd:'],
    ['a mail with a salutation', 'see\nDear all,\nwe decided\nBest regards\nTom\nfunny', 'see\nfunny'],
  ])('leave out %s', (_name, text, expected) => {
    expect(withoutMarked(text)).toBe(expected);
  });

  it('keep inline code, which names things', () => {
    expect(withoutMarked('run `just test`')).toBe('run `just test`');
  });
});

describe('sentences', () => {
  it('end at stops and line breaks, not inside numbers, names and abbreviations', () => {
    expect(texts('use v2.0. ask jonas w. for it, e.g. tomorrow! ok? yes please do\nnext')).toEqual([
      'use v2.0.',
      'ask jonas w. for it, e.g. tomorrow!',
      'ok?',
      'yes please do',
      'next',
    ]);
  });

  it('end in a smile', () => {
    expect(texts('not him :) Pages cannot redirect 🙂 We use Zola')).toEqual([
      'not him :)',
      'Pages cannot redirect 🙂',
      'We use Zola',
    ]);
  });

  it('take fragments to what stands before', () => {
    expect(texts('it was sweet paprika. from szeged. smoked is spanish')).toEqual([
      'it was sweet paprika, from szeged.',
      'smoked is spanish',
    ]);
  });

  it('know lists and questions', () => {
    expect(splitSentences('2) is it on?')).toEqual([
      { text: 'is it on?', isAsked: true, isListed: true, line: 0, number: 2 },
    ]);
  });
});

describe('words', () => {
  it('write out hurried contractions and leave identifiers alone', () => {
    expect(tidy('dont, Im sure its lets.ts')).toBe("don't, I'm sure its lets.ts");
  });

  it('find content and stems', () => {
    expect(contentWords('we cache the Tiles in redis:6379')).toEqual(['cache', 'tiles', 'redis:6379']);
    expect(new Set(['caches', 'cached', 'caching'].map(stemOf)).size).toBe(1);
  });

  it.each([
    ['ich wohne jetzt in Hamburg und das ist gut', 'de'],
    ['prefiero el tren que sale por la mañana', 'es'],
    ['je préfère le train pour aller avec vous', 'fr'],
    ['we use the old one', 'en'],
    ['redis, postgres', 'en'],
    ['Wczoraj wieczorem byliśmy u babci na obiedzie, potem poszliśmy wszyscy na długi spacer nad rzeką', 'other'],
  ])('tell the language of %s', (text, language) => {
    expect(guessLanguage(text, wordsOf(text), franc)).toBe(language);
  });
});
