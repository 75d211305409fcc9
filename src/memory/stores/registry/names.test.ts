import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldName, partsOfName, tellingWords } from './names.ts';

describe('names as they are compared', () => {
  test.each([
    ['Vera', 'VERA'],
    ['Vera', 'Vera’s'],
    ['James', "James'"],
    ['José Núñez', 'Jose Nunez'],
    ['Strauß', 'Strauss'],
    ['Jean-Luc', 'jean luc'],
    ['the Atlas project', 'Atlas Project'],
    ['“Atlas”', 'atlas'],
    ['Dr. Weber', 'dr weber'],
    ['J.', 'J'],
    ['❤️', '❤'],
  ])('%s is %s', (left, right) => {
    expect(foldName(left)).toBe(foldName(right));
  });

  test.each([
    ['C', 'C++'],
    ['C', 'C#'],
    ['राम', 'रम'],
    ['🙂', '🙃'],
    ['node', 'node.js'],
    ['the', ''],
  ])('%s is not %s', (left, right) => {
    expect(foldName(left)).not.toBe(foldName(right));
  });

  test('every name that is more than space stays one, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = foldName(text);
        expect(once).toBe(once.trim());
        expect(once === '').toBe(text.trim() === '');
      }),
    );
  });

  test('first and last names, without titles and suffixes', () => {
    expect(partsOfName('jonas weber')).toEqual(['jonas', 'weber']);
    expect(partsOfName('dr anna van der berg')).toEqual(['anna', 'berg', 'van der berg']);
    expect(partsOfName('john smith jr')).toEqual(['john', 'smith']);
    expect(partsOfName('cher')).toEqual([]);
  });

  test('common words tell nothing', () => {
    expect([...tellingWords('She works for the Team at Nordwind as accountant')]).toEqual(['nordwind', 'accountant']);
  });
});
