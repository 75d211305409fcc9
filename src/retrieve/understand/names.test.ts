import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance } from '../../model/edit-distance.ts';
import { createAliasTable, findNames } from './names.ts';
import { splitWords } from './words.ts';

describe('editDistance', () => {
  it.each([
    ['kitten', 'sitting', 3],
    ['postgres', 'postgrse', 1],
    ['same', 'same', 0],
    ['', 'ab', 2],
  ])('%s to %s', (one, other, expected) => {
    expect(editDistance(one, other, 5)).toBe(expected);
  });

  it('is the same in both directions and never above its limit by more than one', () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(word, word, fc.nat({ max: 3 }), (one, other, limit) => {
        const distance = editDistance(one, other, limit);
        expect(distance).toBe(editDistance(other, one, limit));
        expect(distance).toBeLessThanOrEqual(limit + 1);
        expect(distance === 0).toBe(one === other);
      }),
    );
  });
});

describe('findNames', () => {
  const letters = fc.constantFrom(...'bcdfgklmnprtvxz');
  const word = fc.array(letters, { minLength: 9, maxLength: 14 }).map((parts) => parts.join(''));

  it('finds a long name with one letter replaced anywhere', () => {
    fc.assert(
      fc.property(word, fc.nat({ max: 8 }), (name, place) => {
        const table = createAliasTable([{ id: 'x', name, aliases: [], type: 't', edges: [] }]);
        const typo = `${name.slice(0, place)}q${name.slice(place + 1)}`;
        const text = `where is ${typo}?`;
        expect(findNames(table, text, splitWords(text))).toMatchObject([{ ids: ['x'], start: 9, edits: 1 }]);
      }),
    );
  });

  it('gives every entity of the same name', () => {
    const same = (id: string) => ({ id, name: 'Delphi', aliases: [], type: 't', edges: [] });
    const table = createAliasTable([same('a'), same('b')]);
    expect(findNames(table, 'delphi', splitWords('delphi'))[0]?.ids).toEqual(['a', 'b']);
  });
});
