import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isItemId } from '../../model/ids.ts';
import { type Block, parseDocument, serializeDocument } from './document.ts';
import { removeBlock, replaceBlock, withAnchor } from './edit.ts';
import { derivedId, findDuplicateAnchors, followIds, itemIds } from './identity.ts';
import { anyText } from './testing/arbitraries.ts';

const PATH = 'memory/a.md';

function idsOf(text: string): (string | undefined)[] {
  return itemIds(PATH, parseDocument(text));
}

function follow(before: string, after: string, beforeIds = idsOf(before)): (string | undefined)[] {
  return followIds({ path: PATH, before: parseDocument(before), beforeIds, after: parseDocument(after) });
}

describe('ids', () => {
  test('every item of memory has one, and none has another’s', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const doc = parseDocument(text);
        const ids = itemIds(PATH, doc);
        const named = ids.filter((id) => id !== undefined);
        expect(new Set(named).size).toBe(named.length);
        const hasId = (block: Block): boolean => ['paragraph', 'item', 'fence', 'table'].includes(block.kind);
        expect(ids.map((id) => id !== undefined)).toEqual(doc.blocks.map(hasId));
      }),
      { numRuns: 1500 },
    );
  });

  test('depend on path, words and occurrence, not on white space, bullet or anchor', () => {
    const block = (text: string): Block =>
      parseDocument(text).blocks[0] ?? { kind: 'blank', raw: '', id: undefined, level: 0 };
    const id = derivedId(PATH, block('- some words'), 0);
    expect(isItemId(id)).toBe(true);
    expect(derivedId(PATH, block('  * some\n    words ^x\r\n'), 0)).toBe(id);
    expect(derivedId('other.md', block('- some words'), 0)).not.toBe(id);
    expect(derivedId(PATH, block('- Some words'), 0)).not.toBe(id);
    expect(derivedId(PATH, block('- some words'), 1)).not.toBe(id);
  });

  test('writing a derived id as an anchor changes no id, not even of equal blocks', () => {
    const text = '- same\n- same\n- same\n';
    const ids = idsOf(text);
    for (const [index, id] of ids.entries()) {
      const doc = parseDocument(text);
      const anchored = replaceBlock(doc, index, withAnchor(doc.blocks[index]?.raw ?? '', id ?? ''));
      expect(itemIds(PATH, anchored)).toEqual(ids);
    }
  });

  test('of a copied anchor the first block keeps the id, and the copy is reported', () => {
    const doc = parseDocument('- a ^x\n- b\n- c ^x\n');
    expect(itemIds(PATH, doc)[0]).toBe('x');
    expect(itemIds(PATH, doc)[2]).not.toBe('x');
    expect(findDuplicateAnchors(doc)).toEqual([{ id: 'x', blocks: [0, 2] }]);
  });
});

describe('following ids across a revision', () => {
  test('an unchanged text keeps all ids, whatever they were', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const ids = idsOf(text).map((id, index) => (id === undefined ? undefined : `followed-${index}`));
        const anchors = parseDocument(text).blocks.map((block) => block.id);
        const expected = ids.map((id, index) => anchors[index] ?? id);
        const hasDuplicates = findDuplicateAnchors(parseDocument(text)).length > 0;
        fc.pre(!hasDuplicates);
        expect(follow(text, text, ids)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('a small edit, a move and a new neighbour leave an id where it belongs', () => {
    const before = '- we deploy on Fridays\n- tea, not coffee\n- the cat is called Momo\n';
    const [deploy, tea, cat] = idsOf(before);
    const after = '- new line here\n- we deploy on Thursdays\n- the cat is called Momo\n- tea, not coffee\n';
    const ids = follow(before, after);
    expect(ids.slice(1)).toEqual([deploy, cat, tea]);
    expect([deploy, tea, cat]).not.toContain(ids[0]);
  });

  test('a rewritten block gets a new id', () => {
    expect(follow('- we deploy on Fridays\n', '- the cat is called Momo\n')).not.toEqual(
      idsOf('- we deploy on Fridays\n'),
    );
  });

  test('an anchor wins, and of two equal ones the older', () => {
    expect(follow('- one\n- two ^x\n', '- copy ^x\n- one\n- two ^x\n')[2]).toBe('x');
    expect(follow('- one\n', '- one ^x\n')).toEqual(['x']);
  });

  test('a removed block passes its id to nobody', () => {
    const before = '- alpha one\n- beta two\n- gamma three\n';
    const after = serializeDocument(removeBlock(parseDocument(before), 1));
    const [alpha, , gamma] = idsOf(before);
    expect(follow(before, after)).toEqual([alpha, gamma]);
  });
});
