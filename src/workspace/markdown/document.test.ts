import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument, serializeDocument } from './document.ts';
import { anyText, tidyText } from './testing/arbitraries.ts';

const IDENTITY_RUNS = 10_000;

function kinds(text: string): string[] {
  return parseDocument(text).blocks.map((block) => block.kind);
}

function sources(text: string): string[] {
  return parseDocument(text).blocks.map((block) => block.raw);
}

// SPEC FILE-1
describe('round trip', () => {
  test('every text is the concatenation of its parts', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(serializeDocument(parseDocument(text))).toBe(text);
      }),
      { numRuns: IDENTITY_RUNS },
    );
  });

  test('what a block is does not depend on the blocks before it', () => {
    fc.assert(
      fc.property(tidyText, (text) => {
        const { blocks } = parseDocument(text);
        for (const [index, block] of blocks.entries()) {
          const rest = blocks.slice(index).map((other) => other.raw);
          expect(parseDocument(`\n${rest.join('')}`).blocks.at(block.kind === 'blank' ? 0 : 1)?.kind).toBe(block.kind);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a large file of any one construct is parsed in one pass', () => {
    for (const line of [
      '- item\n',
      '\n',
      '```\n',
      '- a\n\n\n',
      '<!-- \n',
      '| a |\n|---|\n',
      'text ^id\n',
      '>\n',
      ' '.repeat(50),
    ]) {
      const text = line.repeat(20_000);
      expect(serializeDocument(parseDocument(text))).toBe(text);
    }
  });
});

describe('blocks', () => {
  test('an item owns its lazy and indented lines, nested items are their own', () => {
    expect(sources('- one\n  more\nlazy\n  - nested\n- two\n\n  second paragraph\n\nno longer\n')).toEqual([
      '- one\n  more\nlazy\n',
      '  - nested\n',
      '- two\n\n  second paragraph\n',
      '\n',
      'no longer\n',
    ]);
    expect(parseDocument('- one\n\t- nested').blocks.map((block) => block.level)).toEqual([0, 4]);
  });

  test('a fence inside an item belongs to it, and ends with it', () => {
    expect(sources('- a\n  ```\n  - code\n\n  ```\ntext\n')).toEqual(['- a\n  ```\n  - code\n\n  ```\n', 'text\n']);
    expect(sources('- ```\n  open\ntext\n')).toEqual(['- ```\n  open\n', 'text\n']);
  });

  test('an unterminated fence or comment runs to the end', () => {
    expect(kinds('```js\n# no heading\n\n- no item')).toEqual(['fence']);
    expect(kinds('~~~\n```\n~~~\ntext')).toEqual(['fence', 'paragraph']);
    expect(kinds('<!-- open\n\n# no heading')).toEqual(['html']);
  });

  test('headings, rules, tables and HTML interrupt a paragraph', () => {
    const interrupted = ['text\n# heading\n', 'text\n***\n', 'text\n<!-- c -->\n', 'text\n| a |\n|---|\n'];
    expect(interrupted.map((text) => kinds(text)[1])).toEqual(['heading', 'rule', 'html', 'table']);
  });

  test('prose with a number at the beginning of a line stays prose', () => {
    expect(kinds('born in\n1984. It was\n#hashtag\n-dash')).toEqual(['paragraph']);
    expect(kinds('list:\n1. one\n2. two')).toEqual(['paragraph', 'item', 'item']);
  });

  test('inline tags and autolinks begin a paragraph, block tags HTML', () => {
    const texts = ['<b>bold</b> ^id\n', '<https://example.org>\n', '<details>\ntext\n'];
    expect(texts.map((text) => kinds(text)[0])).toEqual(['paragraph', 'paragraph', 'html']);
  });
});

describe('anchors', () => {
  test('stand at the end of a paragraph or item, never elsewhere', () => {
    const ids = parseDocument(
      '# heading ^h\n\ntext\nmore ^my-note  \n\n- item ^7k2m9x0q4t1za\n\n```\ncode ^c\n```\n',
    ).blocks;
    expect(ids.flatMap((block) => block.id ?? [])).toEqual(['my-note', '7k2m9x0q4t1za']);
  });

  test('need white space before and nothing behind', () => {
    expect(parseDocument('x^2\n\na ^b c\n\n[^1]\n\ne ^f!').blocks.every((block) => block.id === undefined)).toBe(true);
    expect(parseDocument('text\n^own-line').blocks[0]?.id).toBe('own-line');
  });
});

describe('head', () => {
  test('a byte-order mark does not hide the frontmatter', () => {
    const doc = parseDocument('\uFEFF---\r\na: 1\r\n---\r\ntext\r\n');
    expect(doc).toMatchObject({ bom: '\uFEFF', eol: '\r\n', frontmatter: { values: { a: 1 } } });
  });

  test('dates, times and versions stay what was typed', () => {
    const { frontmatter } = parseDocument('---\ndate: 2026-02-16\ntime: 12:30:00\nyes: no\nn: 3\n---\n');
    expect(frontmatter?.values).toEqual({ date: '2026-02-16', time: '12:30:00', yes: 'no', n: 3 });
  });

  test('broken YAML is kept and explained', () => {
    const broken = parseDocument('---\na: [1\nb: 2\n---\ntext\n');
    expect(broken.frontmatter?.values).toBeUndefined();
    expect(broken.frontmatter?.error).toMatch(/\w/);
    expect(parseDocument('---\njust text\n---\n').frontmatter?.error).toMatch(/not a mapping/);
    expect(parseDocument(`---\na: ${'['.repeat(20_000)}\n---\n`).frontmatter?.error).toMatch(/\w/);
  });

  test('an opening line without a closing one is a rule', () => {
    expect(parseDocument('---\na: 1\n')).toMatchObject({ frontmatter: undefined, blocks: [{ kind: 'rule' }, {}] });
  });

  test('a key owns the comments above it and the lines that continue it', () => {
    const { frontmatter } = parseDocument('---\n# top\na:\n- 1\n\n# b\nb: |\n  x\n\n  y\n# end\n---\n');
    expect(frontmatter?.entries).toEqual([
      { key: 'a', raw: '# top\na:\n- 1\n' },
      { key: 'b', raw: '\n# b\nb: |\n  x\n\n  y\n' },
      { key: undefined, raw: '# end\n' },
    ]);
  });
});
