import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockText } from './blocks.ts';
import { type Block, type MarkdownDocument, parseDocument, serializeDocument } from './document.ts';
import {
  appendBlock,
  appendToSection,
  canCarryAnchor,
  insertBlocks,
  removeBlock,
  replaceBlock,
  withAnchor,
  withoutAnchor,
} from './edit.ts';
import { scanBlocks } from './scan.ts';
import { anchorId, anyText, blockSource, tidyText } from './testing/arbitraries.ts';

const RUNS = 1500;

function edit(text: string, change: (doc: MarkdownDocument) => MarkdownDocument): string {
  return serializeDocument(change(parseDocument(text)));
}

function join(blocks: readonly Block[]): string {
  return blocks.map((block) => block.raw).join('');
}

/** White space at the seams may change; what blocks say may not. */
function keepsBytesAround(after: string, left: string, right: string): boolean {
  return after.startsWith(left.trimEnd()) && after.endsWith(right.trimStart());
}

describe('replacing a block', () => {
  test('leaves the bytes around it and shows when parsed again', () => {
    fc.assert(
      fc.property(tidyText, blockSource, fc.nat(), (text, source, seed) => {
        const doc = parseDocument(text);
        fc.pre(doc.blocks.length > 0);
        const index = seed % doc.blocks.length;
        const replaced = serializeDocument(replaceBlock(doc, index, source));
        const left = text.slice(0, text.length - join(doc.blocks.slice(index)).length);
        expect(keepsBytesAround(replaced, left, join(doc.blocks.slice(index + 1)))).toBe(true);
        const wanted = scanBlocks(source).map(blockText);
        const found = parseDocument(replaced).blocks.map((block) => blockText(block).replaceAll('\r\n', '\n'));
        for (const part of wanted) expect(found).toContain(part);
      }),
      { numRuns: RUNS },
    );
  });

  test('never throws, and never loses the bytes around it, whatever the texts are', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.nat(), (text, source, seed) => {
        const doc = parseDocument(text);
        fc.pre(doc.blocks.length > 0);
        const index = seed % doc.blocks.length;
        const left = text.slice(0, text.length - join(doc.blocks.slice(index)).length);
        const replaced = serializeDocument(replaceBlock(doc, index, source));
        expect(keepsBytesAround(replaced, left, join(doc.blocks.slice(index + 1)))).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test('keeps neighbours apart', () => {
    expect(edit('a\n# b\nc\n', (doc) => replaceBlock(doc, 1, 'text'))).toBe('a\n\ntext\n\nc\n');
    expect(edit('a\n\nb\n\nc', (doc) => replaceBlock(doc, 2, '```\nopen'))).toBe('a\n\n```\nopen\n```\n\nc');
    expect(edit('- a\n- b', (doc) => replaceBlock(doc, 1, '- c\n'))).toBe('- a\n- c');
    expect(edit('- a ^x\n', (doc) => appendBlock(doc, '    code'))).toBe('- a ^x\n\n<!-- -->\n\n    code\n');
  });
});

describe('removing a block', () => {
  test('takes one of the blank lines around it', () => {
    expect(edit('a\n\nb\n\nc\n', (doc) => removeBlock(doc, 2))).toBe('a\n\nc\n');
    expect(edit('# a\n\nb\n', (doc) => removeBlock(doc, 0))).toBe('b\n');
    expect(edit('a\n\nb\n', (doc) => removeBlock(doc, 2))).toBe('a\n');
    expect(edit('- a\n- b\n- c\n', (doc) => removeBlock(doc, 1))).toBe('- a\n- c\n');
    expect(edit('a\n# b\nc\n', (doc) => removeBlock(doc, 1))).toBe('a\n\nc\n');
  });

  test('never turns a rule into frontmatter', () => {
    const text = edit('# t\n---\na: 1\n\n---\n', (doc) => removeBlock(doc, 0));
    expect(parseDocument(text).frontmatter).toBeUndefined();
    expect(text).toBe('\n---\na: 1\n\n---\n');
  });
});

describe('inserting', () => {
  test('anywhere leaves all blocks in place and adds the new ones', () => {
    fc.assert(
      fc.property(tidyText, fc.array(blockSource, { minLength: 1, maxLength: 3 }), fc.nat(), (text, raws, seed) => {
        const doc = parseDocument(text);
        const index = seed % (doc.blocks.length + 1);
        const left = text.slice(0, text.length - join(doc.blocks.slice(index)).length);
        const inserted = serializeDocument(insertBlocks(doc, index, raws));
        expect(keepsBytesAround(inserted, left, join(doc.blocks.slice(index)))).toBe(true);
        const lines = inserted.replace('\uFEFF', '').split(/\r?\n/);
        for (const line of raws.flatMap((raw) => raw.split('\n'))) expect(lines).toContain(line);
      }),
      { numRuns: RUNS },
    );
  });

  test('appending separates properly and ends the file with a line end', () => {
    expect(edit('', (doc) => appendBlock(doc, 'a'))).toBe('a\n');
    expect(edit('a', (doc) => appendBlock(doc, 'b'))).toBe('a\n\nb\n');
    expect(edit('- a\r\n', (doc) => appendBlock(doc, '- b\n'))).toBe('- a\r\n- b\r\n');
    expect(edit('- a\n', (doc) => appendBlock(doc, 'text'))).toBe('- a\n\ntext\n');
    expect(edit('---\na: 1\n---', (doc) => appendBlock(doc, 'text'))).toBe('---\na: 1\n---\ntext\n');
    expect(edit('<!-- open', (doc) => appendBlock(doc, 'text'))).toBe('<!-- open\n-->\n\ntext\n');
  });

  test('appending to a section goes before its sub-headings, and makes the section if need be', () => {
    const text = '# A\n\n## Facts\n\n- x\n\n### Old\n\n- y\n\n## B\n';
    expect(edit(text, (doc) => appendToSection(doc, 'facts', '- z'))).toBe(text.replace('- x\n', '- x\n- z\n'));
    expect(edit(text, (doc) => appendToSection(doc, 'B', '- z'))).toBe(`${text}\n- z\n`);
    expect(edit(text, (doc) => appendToSection(doc, '# Facts', '- z'))).toBe(`${text}\n# Facts\n\n- z\n`);
  });
});

describe('anchors', () => {
  test('added and removed leave the source as it was', () => {
    fc.assert(
      fc.property(blockSource, anchorId, fc.constantFrom('', '\n', '\r\n'), (source, id, eol) => {
        const raw = withoutAnchor(source.replaceAll('\n', eol || '\n')) + eol;
        const anchored = withAnchor(raw, id);
        const block = scanBlocks(anchored).at(-1);
        expect(block?.id).toBe(block !== undefined && canCarryAnchor(block) ? id : undefined);
        expect(withoutAnchor(anchored)).toBe(raw);
      }),
      { numRuns: RUNS },
    );
  });

  test('replace one another, and find a place behind a fence', () => {
    expect(withAnchor('- a ^old\n', 'new')).toBe('- a ^new\n');
    expect(withAnchor('- a\n  ```\n  b\n  ```\n', 'id')).toBe('- a\n  ```\n  b\n  ```\n  ^id\n');
    expect(withAnchor('# heading\n', 'id')).toBe('# heading\n');
    expect(withAnchor('text', 'not an id')).toBe('text');
  });

  test('survive edits elsewhere', () => {
    fc.assert(
      fc.property(tidyText, blockSource, (text, source) => {
        const doc = parseDocument(text);
        const ids = (of: MarkdownDocument): string[] => of.blocks.flatMap((block) => block.id ?? []);
        expect(ids(appendBlock(doc, source)).slice(0, ids(doc).length)).toEqual(ids(doc));
      }),
      { numRuns: 500 },
    );
  });
});
