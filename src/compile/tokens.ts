/** Counts what a text costs in a prompt. */
export interface TokenCounter {
  /** Stands in receipts: the same text costs the same only under the same name. */
  readonly id: string;
  count(text: string): number;
}

/** Common words are one token, rare ones one for every four to five letters. */
const LETTERS_PER_TOKEN = 5;
const DIGITS_PER_TOKEN = 3;
/** Alphabets other than Latin, and Latin with accents, are cut shorter. */
const OTHER_LETTERS_PER_TOKEN = 2;
/** Emoji and rare signs are spelt in bytes. */
const TOKENS_PER_RARE_SIGN = 2;

/** Scripts in which a character is often a token of its own. */
const DENSE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const LETTER = /\p{L}/u;
const SPACE = /\s/u;

/**
 * An estimate that needs no vocabulary and leans to the high side: about 4 characters a token for English prose, 3 for
 * code, 1 for Chinese. Counting is additive over lines, so that a prompt costs what its lines cost.
 */
export const estimateCounter: TokenCounter = { id: 'estimate-1', count: countTokens };

/** Character by character, because every text of a prompt is counted more than once. */
function countTokens(text: string): number {
  let tokens = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) {
      const { end, cost } = countBeyondAscii(text, at);
      tokens += cost;
      at = end;
    } else if (isLetter(code)) {
      const end = endOfPart(text, at);
      tokens += Math.ceil((end - at) / LETTERS_PER_TOKEN);
      at = end;
    } else if (isDigit(code)) {
      const start = at;
      while (isDigit(text.charCodeAt(at))) at += 1;
      tokens += Math.ceil((at - start) / DIGITS_PER_TOKEN);
    } else {
      // A line break counts by itself wherever it stands; a blank belongs to the word behind it.
      if (!isBlank(code)) tokens += 1;
      at += 1;
    }
  }
  return tokens;
}

/** Up to the end of the word, or to the next capital inside of it: `RouteMerger` is cut in two. */
function endOfPart(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (!isLetter(code) || (isCapital(code) && !isCapital(text.charCodeAt(at - 1)))) break;
  }
  return at;
}

/** A run of letters of other scripts, or one sign. */
function countBeyondAscii(text: string, start: number): { readonly end: number; readonly cost: number } {
  let end = start;
  let letters = 0;
  let isDense = false;
  while (end < text.length && text.charCodeAt(end) > 0x7f) {
    const character = String.fromCodePoint(text.codePointAt(end) ?? 0);
    if (!LETTER.test(character)) break;
    isDense ||= DENSE.test(character);
    letters += 1;
    end += character.length;
  }
  if (letters > 0) return { end, cost: isDense ? letters : Math.ceil(letters / OTHER_LETTERS_PER_TOKEN) };
  const sign = String.fromCodePoint(text.codePointAt(start) ?? 0);
  return { end: start + sign.length, cost: SPACE.test(sign) ? 0 : TOKENS_PER_RARE_SIGN };
}

function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

function isLetter(code: number): boolean {
  return isCapital(code) || (code >= 0x61 && code <= 0x7a);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Space, tab and their like, but no line break. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0b || code === 0x0c;
}
