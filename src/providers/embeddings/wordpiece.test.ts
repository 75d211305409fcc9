import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPieceArrays, PieceIndex } from './piece-index.ts';
import { findTableFolder, TokenTable } from './token-table.ts';
import { WordPiece, splitWords } from './wordpiece.ts';

const { pieces } = new TokenTable(findTableFolder());
const bert = new WordPiece(pieces);

function spell(text: string): string[] {
  return bert.encode(text).map((id) => pieces.pieceOf(id));
}

/** The definition, as slow as it is plain. */
function spellSlowly(word: string, known: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (let start = 0; start < word.length;) {
    let end = word.length;
    const piece = (): string => (start === 0 ? '' : '##') + word.slice(start, end);
    while (end > start && !known.has(piece())) end--;
    if (end === start) return ['[UNK]'];
    found.push(piece());
    start = end;
  }
  return found;
}

describe('WordPiece', () => {
  // Expected pieces were taken from @huggingface/tokenizers with the same tokenizer.json.
  it.each([
    ['Unaffable embeddings', ['una', '##ffa', '##ble', 'em', '##bed', '##ding', '##s']],
    ["don't", ['don', "'", 't']],
    ['日本語', ['日', '本', '語']],
    ['한', ['ᄒ', '##ᅡ', '##ᆫ']],
    ['[CLS] x[SEP][mask]', ['[CLS]', 'x', '[SEP]', '[', 'mask', ']']],
    ['😀 ok', ['[UNK]', 'ok']],
    ['a'.repeat(101), ['[UNK]']],
    ['x\u0000y', ['x', '##y']],
  ])('%j', (text, expected) => {
    expect(spell(text)).toEqual(expected);
  });

  it('counts the characters of a long word, not its UTF-16 units', () => {
    const wide = new WordPiece(new PieceIndex(buildPieceArrays(['[UNK]', '𝔘', '##𝔘'])), { specialTokens: [] });
    expect(wide.encode('𝔘'.repeat(100))).toHaveLength(100);
    expect(wide.encode('𝔘'.repeat(101))).toEqual([0]);
  });

  it('cuts to a number of tokens', () => {
    expect(bert.encode('one two three four', 2)).toEqual(bert.encode('one two'));
    expect(bert.encode('unaffable', 2)).toEqual(bert.encode('unaffable').slice(0, 2));
  });

  it('finds the same pieces as the plain definition', () => {
    const known = new Set(Array.from({ length: pieces.size }, (_, id) => pieces.pieceOf(id)));
    const word = fc.string({ unit: fc.constantFrom(...'abcdeginorstu'), minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(word, (text) => {
        expect(spell(text)).toEqual(spellSlowly(text, known));
      }),
      { numRuns: 300 },
    );
  });

  it('never fails, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(bert.encode(text).every((id) => id >= 0 && id < pieces.size)).toBe(true);
        expect(bert.encode(text).length === 0).toBe(splitWords(text).length === 0);
      }),
    );
  });
});

describe('PieceIndex', () => {
  it('finds every piece by its text, and nothing else', () => {
    for (let id = 0; id < pieces.size; id += 97) expect(pieces.findId(pieces.pieceOf(id))).toBe(id);
    expect(pieces.findId('not-a-piece')).toBeUndefined();
    expect(pieces.findId('')).toBeUndefined();
  });
});
