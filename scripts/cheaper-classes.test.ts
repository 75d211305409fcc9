import { describe, expect, it } from 'vitest';
import { CHEAPER_CLASSES, withCheaperClasses } from './cheaper-classes.ts';

const [letter, capital] = CHEAPER_CLASSES.map(([usual, cheaper]) => differences(usual, cheaper));

/** The characters that only one of two classes has. */
function differences(usual: string, cheaper: string): { readonly lost: string[]; readonly gained: string[] } {
  const [one, other] = [usual, cheaper].map((name) => new RegExp(`^${name}$`, 'u'));
  const all = Array.from({ length: 0x110000 }, (_, point) => point)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point));
  return {
    lost: all.filter((each) => one?.test(each) === true && other?.test(each) === false),
    gained: all.filter((each) => one?.test(each) === false && other?.test(each) === true),
  };
}

describe('classes of characters in the package', () => {
  it('take numerals and four signs for letters, and one tilde no longer', () => {
    expect(letter?.lost).toEqual(['\u2E2F']);
    expect(letter?.gained.filter((each) => !/\p{Nl}/u.test(each)).join(' ')).toBe('\u1885 \u1886 ℘ ℮ ゛ ゜');
  });

  it('take Roman numerals and circled or squared letters for capitals', () => {
    expect(capital?.lost).toEqual([]);
    expect(capital?.gained.every((each) => /[Ⅰ-ⅯⒶ-Ⓩ\u{1F130}-\u{1F189}]/u.test(each))).toBe(true);
  });

  it('agree on every letter of what people write in', () => {
    const signs = new Set([...(letter?.gained ?? []), ...(letter?.lost ?? [])]);
    const alphabets =
      /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Hangul}]/u;
    expect([...signs].filter((each) => alphabets.test(each) && !/\p{N}/u.test(each))).toEqual([]);
  });

  it('are put into patterns and into strings that become patterns', () => {
    const code = String.raw`const a=/\p{L}+/u,b=new RegExp("\\p{Lu}[\\p{L}]","u"),c=/\p{Ll}/u`;
    expect(withCheaperClasses.renderChunk(code)).toBe(
      String.raw`const a=/\p{ID_Start}+/u,b=new RegExp("\\p{Uppercase}[\\p{ID_Start}]","u"),c=/\p{Ll}/u`,
    );
  });
});
