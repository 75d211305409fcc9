/**
 * Words that English sentences can hardly do without, and that other languages hardly have. In a line with enough of
 * them long words are mostly one token; in any other line (names, paths, German, random letters) they are cut up.
 */
const ENGLISH = new Set(
  'the and to that it for with you my this have not your but from they at by if are can i would about there when what how which been has their our me'.split(
    ' ',
  ),
);
const LONGEST_ENGLISH = 5;
/** One word in so many. */
const WORDS_PER_ENGLISH = 8;

/** Measured averages with a little on top, by length of the word; longer ones by what every further letter adds. */
const IN_ENGLISH = [0, 1, 1, 1.02, 1.02, 1.06, 1.08, 1.1, 1.18, 1.22, 1.25, 1.35, 1.5];
const ELSEWHERE = [0, 1, 1, 1.1, 1.3, 1.5, 1.75, 2.05, 2.4, 2.7, 3, 3.35, 3.7];
const PER_FURTHER_LETTER = 0.35;
/** `SELECT`, `HTTP`: capitals are cut after two or three. */
const LETTERS_PER_TOKEN_IN_CAPITALS = 2.2;
const DIGITS_PER_TOKEN = 3;

/** Latin with accents and Cyrillic, by the letter; then alphabets that older vocabularies spell in bytes. */
const ACCENTED_LETTER = 0.7;
const OTHER_LETTER = 1;
/** Scripts in which a character is often a token of its own, or in older vocabularies more than one. */
const DENSE_LETTER = 1.3;
/** Emoji and rare signs are spelt in bytes. */
const RARE_SIGN = 2.4;
/** Signs that join or vary the sign before them. */
const JOINER = 1.5;

const DENSE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const WELL_KNOWN = /[\p{Script=Latin}\p{Script=Cyrillic}]/u;
const COMBINING = /[\p{L}\p{M}]/u;
const ASTRAL_LETTERS = 0x2_0000;
const SPACE = /\s/u;
const JOINING = /\p{Default_Ignorable_Code_Point}/u;

const LINE_BREAK = 0x0a;

/**
 * An estimate that needs no vocabulary and leans to the high side. A text costs what its lines cost, and a token for
 * every line break, so that a prompt costs what its parts cost.
 */
export const estimateCounter: TokenCounter = { id: 'estimate-2', count: estimateTokens };

function estimateTokens(text: string): number {
  let tokens = 0;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    tokens += new LineEstimate(text, start, end).tokens + 1;
    start = end + 1;
  }
  return tokens + new LineEstimate(text, start, text.length).tokens;
}

/** Character by character, because every text of a prompt is counted. */
class LineEstimate {
  readonly tokens: number;
  readonly #text: string;
  readonly #end: number;
  #words = 0;
  #englishWords = 0;
  /** The cost of the words if the line is English, and if not; and of all else. */
  #asEnglish = 0;
  #asOther = 0;
  #rest = 0;

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#end = end;
    let at = start;
    while (at < end) at = this.#take(at);
    const isEnglish = this.#englishWords * WORDS_PER_ENGLISH >= this.#words;
    this.tokens = Math.ceil(this.#rest + (isEnglish ? this.#asEnglish : this.#asOther));
  }

  /** Counts what begins at a place; returns where the next begins. */
  #take(at: number): number {
    const code = this.#text.charCodeAt(at);
    if (code > 0x7f) return this.#takeBeyondAscii(at);
    if (isLetter(code)) return this.#takeWord(at);
    if (isDigit(code)) return this.#takeDigits(at);
    if (isBlank(code)) return this.#takeBlanks(at);
    this.#rest += code === LINE_BREAK ? 0 : 1;
    return at + 1;
  }

  /** Up to the end of the word, or to the next capital inside of it: `RouteMerger` is cut in two. */
  #takeWord(start: number): number {
    const text = this.#text;
    let end = start + 1;
    while (end < this.#end && isLetter(text.charCodeAt(end)) && !isSeam(text, end)) end += 1;
    const length = end - start;
    this.#words += 1;
    if (length > 1 && isCapital(text.charCodeAt(start + 1))) {
      const cost = Math.ceil(length / LETTERS_PER_TOKEN_IN_CAPITALS);
      this.#asEnglish += cost;
      this.#asOther += cost;
      return end;
    }
    if (length <= LONGEST_ENGLISH && ENGLISH.has(text.slice(start, end).toLowerCase())) this.#englishWords += 1;
    this.#asEnglish += costOf(length, IN_ENGLISH);
    this.#asOther += costOf(length, ELSEWHERE);
    return end;
  }

  #takeDigits(start: number): number {
    let end = start + 1;
    while (end < this.#end && isDigit(this.#text.charCodeAt(end))) end += 1;
    this.#rest += Math.ceil((end - start) / DIGITS_PER_TOKEN);
    return end;
  }

  /** One blank belongs to the word behind it; what is indented costs something of its own. */
  #takeBlanks(start: number): number {
    let end = start + 1;
    while (end < this.#end && isBlank(this.#text.charCodeAt(end))) end += 1;
    const isDigitNext = end < this.#end && isDigit(this.#text.charCodeAt(end));
    this.#rest += end - start > 1 || isDigitNext ? 1 : 0;
    return end;
  }

  #takeBeyondAscii(start: number): number {
    const point = this.#text.codePointAt(start) ?? 0;
    const character = String.fromCodePoint(point);
    const end = start + character.length;
    if (JOINING.test(character)) this.#rest += JOINER;
    else if (COMBINING.test(character)) {
      this.#rest += costOfLetter(character, point);
    } else if (!SPACE.test(character)) this.#rest += RARE_SIGN;
    else this.#rest += 1;
    return end;
  }
}

function costOfLetter(character: string, point: number): number {
  if (point >= ASTRAL_LETTERS) return RARE_SIGN + 1;
  if (WELL_KNOWN.test(character)) return ACCENTED_LETTER;
  return DENSE.test(character) ? DENSE_LETTER : OTHER_LETTER;
}

function costOf(length: number, table: readonly number[]): number {
  const longest = table.length - 1;
  return (table[Math.min(length, longest)] ?? 1) + Math.max(0, length - longest) * PER_FURTHER_LETTER;
}

/** Where a word is cut: before a capital that follows a small letter. */
function isSeam(text: string, at: number): boolean {
  return isCapital(text.charCodeAt(at)) && !isCapital(text.charCodeAt(at - 1));
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

/** Counts what a text costs in a prompt. */
export interface TokenCounter {
  /** Stands in receipts: the same text costs the same only under the same name. */
  readonly id: string;
  count(text: string): number;
}

/** Counts every text once: a prompt is put together more than once from the same pieces. */
export function rememberCounts(counter: TokenCounter): TokenCounter {
  const known = new Map<string, number>();
  return {
    id: counter.id,
    count: (text) => {
      const counted = known.get(text) ?? counter.count(text);
      known.set(text, counted);
      return counted;
    },
  };
}
