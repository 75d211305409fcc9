import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findWikilinks, relink } from './wikilinks.ts';

const change = {
  leadsThere: (target: string): boolean => /(?:^|\/)person--ada(?:\.md)?$/iu.test(target),
  stem: 'person--ada-lovelace',
  ids: { old: 'person--ada', new: 'person--ada-lovelace' },
};

// SPEC GRAPH-2
describe('links follow a rename', () => {
  test.each([
    ['See [[person--ada]].', 'See [[person--ada-lovelace]].'],
    [
      '[[person--ada|Ada]] and [[Person--Ada#Facts|her facts]]',
      '[[person--ada-lovelace|Ada]] and [[person--ada-lovelace#Facts|her facts]]',
    ],
    ['![[person--ada#^7k2m9x0q4t1za]]', '![[person--ada-lovelace#^7k2m9x0q4t1za]]'],
    ['[[memory/graph/entities/person--ada.md]]', '[[memory/graph/entities/person--ada-lovelace.md]]'],
    [String.raw`| [[person--ada\|Ada]] | x |`, String.raw`| [[person--ada-lovelace\|Ada]] | x |`],
    ['[Ada](../entities/person--ada.md#facts "her")', '[Ada](../entities/person--ada-lovelace.md#facts "her")'],
    ['`[[person--ada]]` is code', '`[[person--ada]]` is code'],
    ['```\n[[person--ada]]\n```\n', '```\n[[person--ada]]\n```\n'],
    ['<!-- [[person--ada]] -->', '<!-- [[person--ada]] -->'],
    ['[[person--adam]] and person--ada in words', '[[person--adam]] and person--ada in words'],
    [
      '---\nmerged_into: person--ada\nrelated: ["[[person--ada]]", person--adam]\n---\n',
      '---\nmerged_into: person--ada-lovelace\nrelated: ["[[person--ada-lovelace]]", person--adam]\n---\n',
    ],
    ['---\nid: person--ada\naliases: [person--ada]\n---\n', '---\nid: person--ada\naliases: [person--ada]\n---\n'],
  ])('%j', (before, after) => {
    expect(relink(before, change)).toBe(after);
  });

  test('what leads elsewhere keeps every byte, and following twice is following once', () => {
    const pieces = fc.constantFrom(
      '[[person--ada]]',
      '[[person--bo|B]]',
      '`x',
      '\n',
      '- item ^a\n',
      '```\n',
      '---\n',
      'text ',
      '<!--',
      '-->',
      '\r\n',
      '[[',
      ']]',
    );
    const texts = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const once = relink(text, change);
        expect(relink(once, change)).toBe(once);
        expect(once.replaceAll('person--ada-lovelace', 'person--ada')).toBe(text);
      }),
    );
  });
});

test('links are found with their line, place and other words', () => {
  const text = '---\nrelated: "[[a]]"\n---\n\n# Title\n\n- one [[b#Facts|Bee]]\n- `[[no]]` ![[folder/c.md]]\n';
  expect(findWikilinks(text)).toEqual([
    { target: 'a', place: '', alias: undefined, isEmbed: false, line: 2 },
    { target: 'b', place: '#Facts', alias: 'Bee', isEmbed: false, line: 7 },
    { target: 'folder/c.md', place: '', alias: undefined, isEmbed: true, line: 8 },
  ]);
});
