import { beforeAll, expect, it } from 'vitest';
import { playSituations, type Played } from './play.ts';

let played: readonly Played[];

beforeAll(async () => {
  played = await playSituations();
});

/** What a model is told, whichever part of the answer carries it. */
function wordsOf(shown: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(shown);
}

it('every situation is answered in words that say what happened', () => {
  const answers = played.map(({ shown }) => wordsOf(shown));
  expect(played).toHaveLength(30);
  expect(answers.filter((answer) => answer.length < 30)).toEqual([]);
  // Nothing that only a person at a command line could do, and no word of a schema's library.
  expect(answers.filter((answer) => /`?mneme \w|Invalid input|undefined/u.test(answer))).toEqual([]);
  const waiting = played.filter(({ right }) => /not (?:saved|changed|forgotten) yet/u.test(right));
  expect(waiting.length).toBeGreaterThan(3);
  for (const { shown } of waiting) expect(wordsOf(shown)).toMatch(/NOT \w+ yet|Nothing is forgotten yet/u);
});

it('what was asked for before is not filed a second time', () => {
  expect(played[2]?.shown).toMatchObject({ outcome: 'already-open' });
  expect(played[3]?.shown).toMatchObject({ outcome: 'rejected-before' });
});
