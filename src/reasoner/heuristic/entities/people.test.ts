import { expect, it } from 'vitest';
import { loadLexicon } from './lexicon.ts';
import { findPeople } from './people.ts';

async function namesIn(text: string): Promise<readonly string[]> {
  const turns = [{ id: 't1', role: 'user', text, timeMs: 0, trust: 'user' }] as const;
  return findPeople({ session: 's', timeZone: 'UTC', turns }, await loadLexicon()).names;
}

it.each([
  'The Thermostat in the hall broke, and the Router needs a restart.',
  'We heard that the Roomba works again.',
  'So this Gateway knows nothing of it.',
])('findPeople takes a thing with an article for nobody: %j', async (text) => {
  expect(await namesIn(text)).toEqual([]);
});

it.each([
  ['We heard that Xiomara works again.', ['Xiomara']],
  ['I met our neighbour, Oyelaran, and the new boss, Tendai.', ['Oyelaran', 'Tendai']],
])('findPeople finds who acts or is introduced in %j', async (text, names) => {
  expect(await namesIn(text)).toEqual(names);
});
