import { must } from '../../model/errors.ts';
import type { PieceIndex } from './piece-index.ts';

/** The text preparation of BERT's tokeniser, as `normalizer` in a tokenizer.json says. */
interface BertTextRules {
  readonly cleanText: boolean;
  readonly spaceChinese: boolean;
  readonly stripAccents: boolean;
  readonly lowercase: boolean;
}

export const UNCASED: BertTextRules = { cleanText: true, spaceChinese: true, stripAccents: true, lowercase: true };

const WORD = 0;
const SPACE = 1;
const PUNCTUATION = 2;
const CONTROL = 3;

/** The class of each ASCII character in BERT, where symbols such as `$` and `^` count as punctuation. */
const ASCII_CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[\t\n\r ]/u.test(character)) return SPACE;
  if (/\p{Cc}/u.test(character)) return CONTROL;
  return /[a-zA-Z0-9]/u.test(character) ? WORD : PUNCTUATION;
});

// Unassigned code points are kept: which ones those are depends on the Unicode version, and they end as [UNK] anyway.
const DROPPED = /[\u{fffd}\p{Cf}\p{Co}\p{Cs}]|(?![\t\n\r])\p{Cc}/gu;
// The gap after 2B81F is the reference's own, not a mistake made here.
const CHINESE =
  /[\u{4e00}-\u{9fff}\u{3400}-\u{4dbf}\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{f900}-\u{faff}\u{2f800}-\u{2fa1f}]/gu;
const PIECE = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu;

/** Words and single punctuation marks, normalised. */
export function splitWords(text: string, rules: BertTextRules = UNCASED): string[] {
  return splitAscii(text, rules.lowercase) ?? splitUnicode(text, rules);
}

/** The fast path; undefined when the text holds anything but printable ASCII and ordinary white space. */
function splitAscii(text: string, lowercase: boolean): string[] | undefined {
  const words: string[] = [];
  const source = lowercase ? text.toLowerCase() : text;
  let start = -1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const kind = code < 128 ? ASCII_CLASSES[code] : CONTROL;
    if (kind === CONTROL) return undefined;
    if (kind === WORD) {
      if (start < 0) start = index;
      continue;
    }
    if (start >= 0) words.push(source.slice(start, index));
    start = -1;
    if (kind === PUNCTUATION) words.push(source.charAt(index));
  }
  if (start >= 0) words.push(source.slice(start));
  return words;
}

function splitUnicode(text: string, rules: BertTextRules): string[] {
  let prepared = text;
  if (rules.cleanText) prepared = prepared.replaceAll(DROPPED, '');
  if (rules.spaceChinese) prepared = prepared.replaceAll(CHINESE, ' $& ');
  if (rules.stripAccents) prepared = prepared.normalize('NFD').replaceAll(/\p{Mn}/gu, '');
  // The reference lowers character by character and so never writes the sigma that ends a Greek word.
  if (rules.lowercase) prepared = prepared.replaceAll('Σ', 'σ').toLowerCase();
  return prepared.match(PIECE) ?? [];
}

export interface WordPieceOptions {
  readonly rules?: BertTextRules;
  readonly unknownToken?: string;
  /** Recognised in the text as they stand, before it is normalised. */
  readonly specialTokens?: readonly string[];
}

/** Longer words are noise (hashes, base64) to the reference: one [UNK]. */
const MAX_WORD_CHARACTERS = 100;
/** Enough for the common words of any corpus; emptied when full, which is cheaper than bookkeeping per word. */
const CACHED_WORDS = 50_000;
/** V8 keeps the whole text alive for a slice of 13 characters or more, so longer words must not enter the cache. */
const CACHED_WORD_LENGTH = 12;
const BERT_SPECIALS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];

/** BERT's WordPiece: each word becomes the longest pieces of the vocabulary that spell it, from left to right. */
export class WordPiece {
  readonly unknownId: number;
  readonly #pieces: PieceIndex;
  readonly #rules: BertTextRules;
  readonly #specials = new Map<string, number>();
  readonly #specialPattern: RegExp;
  readonly #cache = new Map<string, readonly number[]>();

  constructor(pieces: PieceIndex, options: WordPieceOptions = {}) {
    this.#pieces = pieces;
    this.#rules = options.rules ?? UNCASED;
    this.unknownId = this.getId(options.unknownToken ?? '[UNK]');
    for (const token of options.specialTokens ?? BERT_SPECIALS) this.#specials.set(token, this.getId(token));
    this.#specialPattern = new RegExp(`(${[...this.#specials.keys()].map(escapePattern).join('|')})`, 'u');
  }

  /** The id of a token as the vocabulary writes it. */
  getId(token: string): number {
    return must(this.#pieces.findId(token), `the token ${token} of the vocabulary`);
  }

  /** The ids of a text without the tokens that frame it. */
  encode(text: string, maxTokens = Number.POSITIVE_INFINITY): number[] {
    const ids: number[] = [];
    for (const part of this.#splitAtSpecials(text)) {
      const special = this.#specials.get(part);
      if (special !== undefined) ids.push(special);
      else this.#encodePart(part, maxTokens, ids);
      if (ids.length >= maxTokens) break;
    }
    if (ids.length > maxTokens) ids.length = maxTokens;
    return ids;
  }

  #splitAtSpecials(text: string): string[] {
    return this.#specials.size > 0 && this.#specialPattern.test(text) ? text.split(this.#specialPattern) : [text];
  }

  #encodePart(text: string, maxTokens: number, ids: number[]): void {
    for (const word of splitWords(text, this.#rules)) {
      for (const id of this.encodeWord(word)) ids.push(id);
      if (ids.length >= maxTokens) return;
    }
  }

  /** The ids of one word as `splitWords` returns it. */
  encodeWord(word: string): readonly number[] {
    if (word.length > CACHED_WORD_LENGTH) return this.#spell(word);
    const cached = this.#cache.get(word);
    if (cached !== undefined) return cached;
    const ids = this.#spell(word);
    if (this.#cache.size >= CACHED_WORDS) this.#cache.clear();
    this.#cache.set(word, ids);
    return ids;
  }

  #spell(word: string): readonly number[] {
    if (word.length > MAX_WORD_CHARACTERS && [...word].length > MAX_WORD_CHARACTERS) return [this.unknownId];
    const ids: number[] = [];
    for (let start = 0; start < word.length;) {
      const piece = this.#pieces.findLongest(word, start);
      if (piece === undefined) return [this.unknownId];
      ids.push(piece.id);
      start = piece.end;
    }
    return ids;
  }
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);
}

/** Enough to tell a language; a long text is not read to its end. */
const SAMPLE_CHARACTERS = 1000;
/** English prose has nearly all of its words in the vocabulary, technical English at least this share. */
const ENGLISH_WHOLE_WORDS = 0.6;

/** Function words betray the language of a sentence. Those spelled alike in English and elsewhere are in no list. */
const ENGLISH = wordSet(`
  the and is are were be been you she it they my your his her our their this that these those what which who when where
  how why does did has have had not with from for about would could should will can there if then than by or but also
  into after before because while`);

const OTHER = wordSet(`
  der das dem ein eine einen einem einer und ist sind nicht mit von zu auf fur ich wir ihr sie wie wo wer wann als weil
  warum hat haben wird wurde uber aber auch nach bei de het een niet wat zijn naar ik maar ook og av det jeg ikke som
  har att och inte jag le la les une du et est sont que qui dans pour avec pas nous vous je tu elle ce cette ou el
  los las una unos del por para como donde cuando quien pero muy su yo uma nao eu voce quando onde il lo gli che non
  sono della nel anche dove perche questo nie jest sie ze dla jak czy ktory gdzie od kde jsem bir icin ile ei etta oli
  kuin az egy hogy nem yang ini itu dengan untuk cua khong`);

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/u));
}

/**
 * The share of a text that the English vocabulary covers, from 0 to 1: by its share of letters without diacritics, of
 * words that are in the vocabulary as a whole, and of function words that are English. Cheap and rough: it is made to
 * lower a weight, not to decide.
 */
export function languageFit(text: string, tokenizer: WordPiece): number {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const words = splitWords(sample).filter((word) => /^[a-z]{2,}$/u.test(word));
  return plainLetterShare(sample) ** 2 * wholeWordFit(words, tokenizer) * functionWordFit(words);
}

function plainLetterShare(sample: string): number {
  const letters = sample.match(/\p{L}/gu) ?? [];
  return letters.length === 0 ? 1 : letters.filter((letter) => letter < '\u0080').length / letters.length;
}

function wholeWordFit(words: readonly string[], tokenizer: WordPiece): number {
  if (words.length === 0) return 1;
  const whole = words.filter((word) => tokenizer.encodeWord(word).length === 1).length;
  return Math.min(1, whole / words.length / ENGLISH_WHOLE_WORDS);
}

function functionWordFit(words: readonly string[]): number {
  const english = words.filter((word) => ENGLISH.has(word)).length;
  const other = words.filter((word) => OTHER.has(word)).length;
  return (english + 1) / (english + other + 1);
}
