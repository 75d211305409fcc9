import { must } from '../../model/errors.ts';
import { splitWords, UNCASED, type BertTextRules } from './bert-text.ts';

export interface WordPieceOptions {
  /** Pieces by id; those that continue a word begin with `##`. */
  readonly vocabulary: readonly string[];
  readonly rules?: BertTextRules;
  readonly unknownToken?: string;
  /** Recognised in the text as they stand, before it is normalised. */
  readonly specialTokens?: readonly string[];
}

const CONTINUATION = '##';
/** Longer words are noise (hashes, base64) to the reference: one [UNK]. */
const MAX_WORD_CHARACTERS = 100;
/** Enough for the common words of any corpus; emptied when full, which is cheaper than bookkeeping per word. */
const CACHED_WORDS = 50_000;
/** V8 keeps the whole text alive for a slice of 13 characters or more, so longer words must not enter the cache. */
const CACHED_WORD_LENGTH = 12;
const BERT_SPECIALS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];

/** BERT's WordPiece: each word becomes the longest pieces of the vocabulary that spell it, from left to right. */
export class WordPiece {
  readonly vocabularySize: number;
  readonly unknownId: number;
  readonly #rules: BertTextRules;
  readonly #starts = new Map<string, number>();
  readonly #continuations = new Map<string, number>();
  readonly #specials = new Map<string, number>();
  readonly #specialPattern: RegExp;
  readonly #cache = new Map<string, readonly number[]>();
  #longestPiece = 0;

  constructor(options: WordPieceOptions) {
    this.#rules = options.rules ?? UNCASED;
    this.vocabularySize = options.vocabulary.length;
    for (let id = 0; id < options.vocabulary.length; id++) this.#addPiece(options.vocabulary[id] ?? '', id);
    const unknownToken = options.unknownToken ?? '[UNK]';
    this.unknownId = must(this.findId(unknownToken), `the token ${unknownToken}`);
    for (const token of options.specialTokens ?? BERT_SPECIALS) {
      this.#specials.set(token, must(this.findId(token), `the token ${token}`));
    }
    this.#specialPattern = new RegExp(`(${[...this.#specials.keys()].map(escapePattern).join('|')})`, 'u');
  }

  #addPiece(piece: string, id: number): void {
    const continues = piece.startsWith(CONTINUATION) && piece.length > CONTINUATION.length;
    const letters = continues ? piece.slice(CONTINUATION.length) : piece;
    (continues ? this.#continuations : this.#starts).set(letters, id);
    this.#longestPiece = Math.max(this.#longestPiece, letters.length);
  }

  /** The id of a piece as the vocabulary writes it. */
  findId(piece: string): number | undefined {
    if (piece.startsWith(CONTINUATION) && piece.length > CONTINUATION.length) {
      return this.#continuations.get(piece.slice(CONTINUATION.length));
    }
    return this.#starts.get(piece);
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
    let start = 0;
    while (start < word.length) {
      const pieces = start === 0 ? this.#starts : this.#continuations;
      let end = Math.min(word.length, start + this.#longestPiece);
      let id = pieces.get(word.slice(start, end));
      while (id === undefined && end > start + 1) {
        end--;
        id = pieces.get(word.slice(start, end));
      }
      if (id === undefined) return [this.unknownId];
      ids.push(id);
      start = end;
    }
    return ids;
  }
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);
}
