import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChange, linesOf, splitLines } from './change-files.ts';

const path = 'a.md';
const words = fc.array(fc.constantFrom('a', 'b', 'ab', '\n', ' ', 'ü')).map((parts) => parts.join(''));

describe('a change of a file', () => {
  it('creates only what is not there', () => {
    expect(applyChange({ kind: 'create', path, text: 'x' }, undefined)).toBe('x');
    expect(() => applyChange({ kind: 'create', path, text: 'x' }, 'y')).toThrow(/already/u);
  });

  it('replaces a text that stands there once', () => {
    expect(applyChange({ kind: 'replace', path, find: 'b', with: '$&' }, 'abc')).toBe('a$&c');
    expect(() => applyChange({ kind: 'replace', path, find: 'x', with: '' }, 'abc')).toThrow(/is not in/u);
    expect(() => applyChange({ kind: 'replace', path, find: 'aa', with: '' }, 'aaa')).toThrow(/more than once/u);
  });

  it.each([
    [0, 'x\na\nb\n'],
    [1, 'a\nx\nb\n'],
    [2, 'a\nb\nx\n'],
  ])('inserts after line %i', (line, after) => {
    expect(applyChange({ kind: 'insert', path, line, text: 'x\n' }, 'a\nb\n')).toBe(after);
    expect(applyChange({ kind: 'insert', path, line, text: 'x' }, 'a\nb')).toBe(after.slice(0, -1));
  });

  it('refuses what is not there', () => {
    expect(() => applyChange({ kind: 'insert', path, line: 3, text: 'x' }, 'a\nb\n')).toThrow(/2 lines/u);
    expect(() => applyChange({ kind: 'delete', path }, undefined)).toThrow(/There is no a\.md/u);
    expect(applyChange({ kind: 'delete', path }, 'x')).toBeUndefined();
  });

  it('keeps every other line when one is inserted', () => {
    fc.assert(
      fc.property(words, fc.nat(20), (text, line) => {
        const lines = splitLines(text);
        const at = Math.min(line, lines.length);
        const after = applyChange({ kind: 'insert', path, line: at, text: 'NEW' }, text) ?? '';
        expect(splitLines(after)).toEqual(lines.toSpliced(at, 0, 'NEW'));
      }),
    );
  });

  it('finds every place of a text, by its line', () => {
    fc.assert(
      fc.property(words, fc.constantFrom('a', 'ab', '\n'), (text, find) => {
        const found = linesOf(text, find);
        expect(found.length > 0).toBe(text.includes(find));
        expect(found.every((line) => line >= 1 && line <= text.split('\n').length)).toBe(true);
      }),
    );
  });
});
