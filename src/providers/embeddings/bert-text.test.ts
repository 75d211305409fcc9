import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitWords, UNCASED } from './wordpiece.ts';

describe('splitWords', () => {
  it.each([
    ['Hello, World!', ['hello', ',', 'world', '!']],
    ['foo_bar=$a+`b`', ['foo', '_', 'bar', '=', '$', 'a', '+', '`', 'b', '`']],
    ['naïve Café ÀÉ', ['naive', 'cafe', 'ae']],
    ['İstanbul ΟΔΟΣ', ['istanbul', 'οδοσ']],
    ['漢字 and日本', ['漢', '字', 'and', '日', '本']],
    ['\u{2b820}x \u{2b930}x', ['\u{2b820}x', '\u{2b930}', 'x']],
    ['a\u0000b\u0007c\ufffd', ['abc']],
    ['soft\u00adhyphen zero\u200bwidth \ufeffbom', ['softhyphen', 'zerowidth', 'bom']],
    ['tab\tline\r\nno\u00a0break\u3000wide\u2028end', ['tab', 'line', 'no', 'break', 'wide', 'end']],
    ['“quoted” – 5€', ['“', 'quoted', '”', '–', '5€']],
    ['\ud800lone', ['lone']],
    ['', []],
    [' \n ', []],
  ])('%j', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it('keeps case and accents where the rules say so', () => {
    const cased = { ...UNCASED, lowercase: false, stripAccents: false };
    expect(splitWords('Café AND Tea', cased)).toEqual(['Café', 'AND', 'Tea']);
    expect(splitWords('Plain ASCII', cased)).toEqual(['Plain', 'ASCII']);
  });

  it('gives ASCII text the same words on the fast path and on the slow one', () => {
    const ascii = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(ascii, (text) => {
        // The soft hyphen is dropped, but forces the slow path.
        expect(splitWords(text)).toEqual(splitWords(`${text}\u00ad`));
      }),
    );
  });
});
