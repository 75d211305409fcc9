import { expect, test } from 'vitest';
import { blockLineRanges, blockText, findBlockById, headingText, itemRange, sectionRange } from './blocks.ts';
import { type Block, parseDocument } from './document.ts';

function firstBlock(text: string): Block {
  return parseDocument(text).blocks[0] ?? { kind: 'blank', raw: '', id: undefined, level: 0 };
}

test('the text of a block is what it says', () => {
  expect(blockText(firstBlock('- [ ] call Ana\n  tomorrow ^7k2m9x0q4t1za\n'))).toBe('[ ] call Ana\ntomorrow');
  expect(blockText(firstBlock('  12) deep\r\n'))).toBe('deep');
  expect(blockText(firstBlock('- a\n  ```\n    code\n  ```\n'))).toBe('a\n```\n  code\n```');
  expect(blockText(firstBlock('text ^id'))).toBe('text');
});

test('the words of a heading', () => {
  expect(headingText(firstBlock('##  C# and F#  ##\r\n'))).toBe('C# and F#');
  expect(headingText(firstBlock('#'))).toBe('');
});

test('lines are counted in the file, frontmatter included', () => {
  expect(blockLineRanges(parseDocument('---\na: 1\n---\n# h\n\n- a\n  b\nlast'))).toEqual([
    { startLine: 4, endLine: 4 },
    { startLine: 5, endLine: 5 },
    { startLine: 6, endLine: 8 },
  ]);
});

test('a section reaches to the next heading that is not deeper', () => {
  const doc = parseDocument('# T\n## A\na\n### Sub\nb\n## B\nc\n');
  expect(sectionRange(doc, 'A')).toEqual({ start: 1, end: 5 });
  expect(sectionRange(doc, 'sub')).toEqual({ start: 3, end: 5 });
  expect(sectionRange(doc, 0)).toEqual({ start: 0, end: 7 });
  expect(sectionRange(doc, '# A')).toBeUndefined();
  expect(sectionRange(doc, 'missing')).toBeUndefined();
});

test('blocks are found by anchor, bullets with what hangs below them', () => {
  const doc = parseDocument('- a ^x\n  - b\n\n  - c\n- d\n');
  expect(findBlockById(doc, 'x')).toBe(0);
  expect(findBlockById(doc, 'y')).toBeUndefined();
  expect(itemRange(doc, 0)).toEqual({ start: 0, end: 4 });
});
