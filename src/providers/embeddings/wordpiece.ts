import { must } from '../../model/errors.ts';
import { splitWords, UNCASED, type BertTextRules } from './bert-text.ts';
import type { PieceIndex } from './piece-index.ts';

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
