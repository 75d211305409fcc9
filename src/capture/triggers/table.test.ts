import { describe, expect, it } from 'vitest';
import { detectTriggers } from './detect.ts';
import { readPhrases, type Phrase } from './testing/phrases.ts';

const TABLES = ['en', 'de', 'es', 'fr', 'blind', 'blind-2', 'blind-3'];

function found({ text, expected }: Phrase): readonly unknown[] {
  return detectTriggers(text).map(({ kind, permanently, refersBack, content }, index) => ({
    kind,
    permanently,
    refersBack,
    content: expected[index]?.content === undefined && !refersBack ? undefined : content,
  }));
}

describe.each(TABLES)('the phrases of %s', (name) => {
  it.each(readPhrases(name).map((phrase) => [phrase.text, phrase] as const))('%s', (_, phrase) => {
    expect(found(phrase)).toEqual(phrase.expected);
  });
});

describe('the table itself', () => {
  const phrases = TABLES.slice(0, 4).map(readPhrases);

  it('is large enough in every language, and half of it are traps', () => {
    expect(phrases.map(({ length }) => length)).toSatisfy((sizes: readonly number[]) =>
      sizes.every((size) => size >= 60),
    );
    const all = phrases.flat();
    const traps = all.filter(({ expected }) => expected.length === 0);
    expect(all.length).toBeGreaterThanOrEqual(360);
    expect(traps.length * 2).toBeGreaterThanOrEqual(all.length);
  });

  it('says no phrase twice', () => {
    const texts = TABLES.flatMap(readPhrases).map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
  });
});
