import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Frontier, hashLeaf, hashNode, hashPiece, pathOf, rootFromPath, rootOf } from './merkle.ts';

const leaf = (number: number): string => hashLeaf(Buffer.from([number]));
const leavesOf = (count: number): string[] => Array.from({ length: count }, (_, index) => leaf(index));

describe('a tree', () => {
  it('is the one of RFC 6962', () => {
    const [a = '', b = '', c = '', d = '', e = ''] = leavesOf(5);
    expect(rootOf([a])).toBe(a);
    expect(rootOf([a, b, c])).toBe(hashNode(hashNode(a, b), c));
    expect(rootOf([a, b, c, d, e])).toBe(hashNode(hashNode(hashNode(a, b), hashNode(c, d)), e));
    // The published root of a log with one empty entry, and of an empty log.
    expect(rootOf([hashLeaf()])).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
    expect(rootOf([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('proves every leaf of every size, and no other', () => {
    for (let size = 1; size <= 33; size += 1) {
      const leaves = leavesOf(size);
      const root = rootOf(leaves);
      for (const [index, own] of leaves.entries()) {
        const path = pathOf(leaves, index);
        expect(rootFromPath(own, index, size, path)).toBe(root);
        expect(rootFromPath(leaf(200), index, size, path)).not.toBe(root);
        expect(rootFromPath(own, index, size, [...path, own])).toBeUndefined();
        expect(rootFromPath(own, size, size, path)).toBeUndefined();
      }
    }
  });

  it('grows to the same root, whether kept or picked up again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 40 }), (before, after) => {
        const grown = new Frontier();
        for (const one of leavesOf(before)) grown.add(one);
        const resumed = Frontier.from(JSON.parse(JSON.stringify(grown)) as [string, number][]);
        for (let index = before; index < before + after; index += 1) resumed.add(leaf(index));
        expect(resumed.size).toBe(before + after);
        expect(resumed.root()).toBe(rootOf(Array.from({ length: before + after }, (_, index) => leaf(index))));
      }),
      { numRuns: 40 },
    );
  });

  it('hides a text behind its salt', () => {
    const words = Buffer.from('yes');
    expect(hashPiece('00'.repeat(16), words)).not.toBe(hashPiece('01'.repeat(16), words));
  });
});
