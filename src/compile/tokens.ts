/** Counts what a text costs in a prompt. */
export interface TokenCounter {
  /** Stands in receipts: the same text costs the same only under the same name. */
  readonly id: string;
  count(text: string): number;
}

/**
 * A run of letters, a run of digits, a run of line breaks, or any other single character that is not a space: where
 * tokenizers of all families cut.
 */
const PIECES =
  /(?<ascii>[A-Za-z]+)|(?<digits>\d+)|(?<breaks>[\n\r]+)|(?<letters>[^\P{L}A-Za-z]+)|(?<other>[^\s\p{L}\d])/gu;
const CASE_CHANGE = /(?<=[a-z])(?=[A-Z])/u;
/** Scripts in which a character is often a token of its own. */
const DENSE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** Common words are one token, rare ones one for every four to five letters. */
const LETTERS_PER_TOKEN = 5;
const DIGITS_PER_TOKEN = 3;
/** Alphabets other than Latin, and Latin with accents, are cut shorter. */
const OTHER_LETTERS_PER_TOKEN = 2;

/**
 * An estimate that needs no vocabulary and leans to the high side: about 4 characters a token for English prose, 3 for
 * code, 1 for Chinese. Counting is additive over lines, so that a prompt costs what its lines cost.
 */
export const estimateCounter: TokenCounter = {
  id: 'estimate-1',
  count(text) {
    let tokens = 0;
    for (const { groups } of text.matchAll(PIECES)) tokens += costOf(groups ?? {});
    return tokens;
  },
};

function costOf({ ascii, digits, breaks, letters, other = '' }: Record<string, string | undefined>): number {
  if (ascii !== undefined) {
    return ascii.split(CASE_CHANGE).reduce((sum, part) => sum + Math.ceil(part.length / LETTERS_PER_TOKEN), 0);
  }
  if (digits !== undefined) return Math.ceil(digits.length / DIGITS_PER_TOKEN);
  // Each line break by itself, so that joining pieces by a line break costs the same everywhere.
  if (breaks !== undefined) return breaks.length;
  if (letters !== undefined) {
    return DENSE.test(letters) ? [...letters].length : Math.ceil([...letters].length / OTHER_LETTERS_PER_TOKEN);
  }
  // Emoji and rare signs are spelt in bytes.
  return other.codePointAt(0) !== undefined && (other.codePointAt(0) ?? 0) > 0x7f ? 2 : 1;
}
