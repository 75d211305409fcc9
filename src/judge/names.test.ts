import { expect, it } from 'vitest';
import { findNames, joinNames, namesMarked, wordsIn } from './names.ts';

const MARKS = {
  b: { begin: 0.9, inside: 0, out: 0.1 },
  i: { begin: 0.1, inside: 0.8, out: 0.1 },
  o: { begin: 0, inside: 0.1, out: 0.9 },
  /** Perhaps the beginning, or perhaps more of a name. */
  B: { begin: 0.4, inside: 0, out: 0.6 },
  I: { begin: 0, inside: 0.4, out: 0.6 },
};

function marked(text: string, marks: string): string[] {
  const chances = [...marks].map((mark) => MARKS[mark as keyof typeof MARKS]);
  return namesMarked(text, wordsIn(text), chances).map(({ name }) => name);
}

it.each<[text: string, marks: string, names: string[]]>([
  ['checkout-api lives on the Hetzner boxes', 'biooobo', ['checkout-api', 'Hetzner']],
  ["Maite's sister Aoife O'Brien", 'boobbi', ['Maite', 'Aoife', "O'Brien"]],
  ['the booking page needs Mollie', 'obiob', ['booking page', 'Mollie']],
  ['svc-entitlements went, mirrors.fans.jp stays', 'oboobio', ['svc-entitlements', 'mirrors.fans.jp']],
  // A name does not run over a comma, and may begin with a word that only goes on.
  ['with Port Erlin, Oslo', 'oiii', ['Port Erlin', 'Oslo']],
  ['the Hetzner boxes', 'oBI', ['Hetzner']],
  ['nothing here', 'oo', []],
])('"%s" marked %s names %j', (text, marks, names) => {
  expect(marked(text, marks)).toEqual(names);
});

it.each<[text: string, name: string, found: string[]]>([
  ['i moved to graz, near graz-west', 'Graz', ['Graz']],
  ['redis2 is up', 'redis', []],
  ['redis2 is up, redis is down', 'redis', ['redis']],
  ['anything', '…', []],
])('in "%s" "%s" is found as %j', (text, name, found) => {
  expect(findNames(text, wordsIn(text), [name]).map((one) => one.name)).toEqual(found);
});

it('keeps the first of two names that overlap or are the same', () => {
  const text = 'Jonas Weidel met jonas weidel and Ada';
  const given = findNames(text, wordsIn(text), ['Weidel', 'Jonas Weidel', 'JONAS WEIDEL', 'Ada']);
  expect(joinNames(given).map(({ name }) => name)).toEqual(['Weidel', 'Ada']);
});
