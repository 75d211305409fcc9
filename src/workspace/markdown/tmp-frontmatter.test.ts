import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMnemeError } from '../../model/errors.ts';
import { parseDocument, serializeDocument } from './document.ts';
import { deleteFrontmatterValue, setFrontmatterValue, type FrontmatterValue } from './frontmatter.ts';
import { tidyText, tokenSoup } from './testing/arbitraries.ts';

const RUNS = 25000;

function set(text: string, key: string, value: FrontmatterValue): string {
  return serializeDocument(setFrontmatterValue(parseDocument(text), key, value));
}

function remove(text: string, key: string): string {
  return serializeDocument(deleteFrontmatterValue(parseDocument(text), key));
}

const key = fc.constantFrom(
  'id',
  'tags',
  'date',
  'list',
  'map',
  'text',
  'name',
  'empty',
  'quoted key',
  'fresh',
  '- odd: key',
);
const value = fc.jsonValue({ maxDepth: 2 }).map((json) => json as FrontmatterValue);

describe('setting a key', () => {
  test('changes that key and no byte of the others', () => {
    fc.assert(
      fc.property(tidyText, key, value, (text, name, newValue) => {
        const before = parseDocument(text);
        const after = parseDocument(serializeDocument(setFrontmatterValue(before, name, newValue)));
        expect(after.frontmatter?.values).toEqual({ ...before.frontmatter?.values, [name]: newValue });
        expect(after.blocks).toEqual(before.blocks);
        const others = (doc: typeof before): string[] =>
          (doc.frontmatter?.entries ?? [])
            .filter((entry) => entry.key !== name && entry.key !== undefined)
            .map((entry) => entry.raw);
        expect(others(after)).toEqual(others(before));
      }),
      { numRuns: RUNS },
    );
  });

  test('keeps the manner of writing: quotes, flow, comment, list indentation', () => {
    expect(set('---\na: "x" # why\n---\n', 'a', 'y')).toBe('---\na: "y" # why\n---\n');
    expect(set('---\na: [x,  y] # why\n---\n', 'a', ['z', 'a, b'])).toBe('---\na: [z, "a, b"] # why\n---\n');
    expect(set('---\na:\n- x\nb: 1\n---\n', 'a', ['y', 'z'])).toBe('---\na:\n- y\n- z\nb: 1\n---\n');
    expect(set('---\na: # why\nb: 1\n---\n', 'a', 3)).toBe('---\na: 3 # why\nb: 1\n---\n');
  });

  test('uses the line ends of the file', () => {
    expect(set('---\r\na: 1\r\n---\r\ntext\r\n', 'b', ['x', 'y'])).toBe(
      '---\r\na: 1\r\nb:\r\n  - x\r\n  - y\r\n---\r\ntext\r\n',
    );
  });

  test('an equal value leaves the file alone, however it is written', () => {
    expect(set('---\na:   "x"\n---\n', 'a', 'x')).toBe('---\na:   "x"\n---\n');
  });

  test('makes the frontmatter where there is none', () => {
    expect(set('\uFEFFtext', 'id', 'x')).toBe('\uFEFF---\nid: x\n---\ntext');
    expect(set('---\n\na rule above', 'id', 'x')).toBe('---\nid: x\n---\n---\n\na rule above');
  });

  test('strings that look like something else come back as strings', () => {
    for (const text of [
      '12:30:00',
      '2026-02-16',
      '12e4567890123',
      'true',
      'null',
      '~',
      '- x',
      'a\nb',
      'a\r\nb',
      '',
      ' x ',
    ]) {
      expect(parseDocument(set('---\na: 1\n---\r\n', 'a', text)).frontmatter?.values).toEqual({ a: text });
    }
  });

  test('refuses to touch YAML it cannot read, or cannot change alone', () => {
    for (const text of ['---\na: [1\n---\n', '---\n{a: 1}\n---\n', '---\na: &x 1\nb: *x\n---\n']) {
      expect(() => set(text, 'a', [2])).toThrowError(expect.toSatisfy((error) => isMnemeError(error, 'conflict')));
    }
  });
});

describe('deleting a key', () => {
  test('removes its lines and no other byte', () => {
    fc.assert(
      fc.property(tidyText, key, (text, name) => {
        const before = parseDocument(text);
        const after = parseDocument(remove(text, name));
        const { [name]: _removed, ...rest } = before.frontmatter?.values ?? {};
        expect(after.frontmatter?.values ?? {}).toEqual(rest);
        expect(after.blocks).toEqual(before.blocks);
      }),
      { numRuns: RUNS },
    );
  });

  test('keeps the comments above it', () => {
    expect(remove('---\n# about a\na:\n  - 1\nb: 2\n---\n', 'a')).toBe('---\n# about a\nb: 2\n---\n');
    expect(remove('text', 'a')).toBe('text');
  });

  test('undoes the setting of a new key', () => {
    fc.assert(
      fc.property(tidyText, value, (text, newValue) => {
        fc.pre(text.replace('\uFEFF', '').startsWith('---'));
        expect(remove(set(text, 'fresh', newValue), 'fresh')).toBe(text);
      }),
      { numRuns: RUNS },
    );
  });
});

test('any text between the markers is either edited as intended or refused', () => {
  fc.assert(
    fc.property(tokenSoup, tokenSoup, value, (yaml, name, newValue) => {
      const doc = parseDocument(`---\n${yaml}\n---\n`);
      const before = doc.frontmatter?.values;
      try {
        const after = parseDocument(serializeDocument(setFrontmatterValue(doc, name, newValue)));
        expect(after.frontmatter?.values).toEqual({ ...before, [name]: newValue });
      } catch (error) {
        if (!isMnemeError(error, 'conflict')) throw error;
      }
    }),
    { numRuns: RUNS },
  );
});
