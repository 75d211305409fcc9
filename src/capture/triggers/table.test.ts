import { describe, expect, it } from 'vitest';
import { detectTriggers } from './detect.ts';
import { LEARNED_TABLES, readPhrases, TABLES, type ExpectedTrigger, type Phrase } from './testing/phrases.ts';
import type { Trigger } from './judge-request.ts';

/** Share of the phrases that may be missed: two requests in one sentence are read as one. */
const MAY_BE_MISSED = 0.03;
/** Share of the phrases with an expected content that may be cut differently. */
const MAY_BE_CUT_OTHERWISE = 0.3;

interface Result {
  readonly phrase: Phrase;
  readonly found: readonly Trigger[];
}

const results = LEARNED_TABLES.map((name) => ({
  name,
  results: readPhrases(name).map((phrase): Result => ({ phrase, found: detectTriggers(phrase.text) })),
}));

function isFound({ phrase: { expected }, found }: Result): boolean {
  const same = (one: ExpectedTrigger, other: Trigger | undefined): boolean =>
    one.kind === other?.kind && one.permanently === other.permanently;
  return found.length === expected.length && expected.every((one, place) => same(one, found[place]));
}

// SPEC LEARN-3
describe.each(results)('the phrases of $name', ({ results: all }) => {
  it('hold no request that is none', () => {
    const traps = all.filter(({ phrase }) => phrase.expected.length === 0);
    expect(traps.filter(({ found }) => found.length > 0).map(({ phrase }) => phrase.text)).toEqual([]);
  });

  it('are found, but for a few', () => {
    const missed = all.filter((result) => !isFound(result));
    expect(missed.length / all.length).toBeLessThan(MAY_BE_MISSED);
  });

  it('say what is meant', () => {
    const pairs = all
      .filter(isFound)
      .flatMap(({ phrase, found }) => phrase.expected.map((one, place) => ({ one, other: found[place] })));
    const written = pairs.filter(({ one }) => one.kind !== 'reflect' && (one.refersBack || one.content !== undefined));
    const wrong = written.filter(
      ({ one, other }) => one.refersBack !== other?.refersBack || (!one.refersBack && one.content !== other.content),
    );
    expect(wrong.length).toBeLessThanOrEqual(written.length * MAY_BE_CUT_OTHERWISE);
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
