import { normalize } from '../../providers/embeddings/vector.ts';
import { findTableFolder, openTable, type TokenTable } from '../../providers/embeddings/token-table.ts';
import { WordPiece } from '../../providers/embeddings/wordpiece.ts';

/** A word's meaning and how much it tells. */
export interface WordVector {
  readonly vector: Float32Array;
  /** 0–1: near 0 for words that stand everywhere. */
  readonly weight: number;
  /** Whether the vocabulary knows it whole: an invented or mistyped word is spelt from pieces. */
  readonly isWhole: boolean;
}

/** BERT's vocabulary lists whole words by frequency from "the" on. */
const FIRST_WORD_ID = 1996;
const EULER = 0.577;
/** The constant of smooth inverse frequency. */
const SMOOTHING = 1e-3;
const MAX_CACHED = 20_000;
const MAX_PIECES = 8;
/** A few hundred everyday words are enough to know what all vectors have in common; more would read the whole table. */
const SAMPLE_WORDS = 2048;
const SAMPLE_STEP = 8;

/** Vectors of single words, from the table that serves the default embedder. No model runs. */
export class WordVectors {
  readonly dimensions: number;
  readonly #table: TokenTable;
  readonly #pieces: WordPiece;
  readonly #frequencyScale: number;
  readonly #cache = new Map<string, WordVector | undefined>();
  #common: Float32Array | undefined;

  constructor(folder: string = findTableFolder()) {
    this.#table = openTable(folder);
    this.#pieces = new WordPiece(this.#table.pieces);
    this.dimensions = this.#table.dimensions;
    this.#frequencyScale = 1 / (Math.log(this.#table.pieces.size) + EULER);
  }

  /** Undefined for a word of letters the table does not know. */
  find(word: string): WordVector | undefined {
    const known = this.#cache.get(word);
    if (known !== undefined || this.#cache.has(word)) return known;
    const made = this.#make(word);
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    this.#cache.set(word, made);
    return made;
  }

  /** Whether the dictionary has the word as it is. */
  isWord(word: string): boolean {
    return this.#table.pieces.findId(word) !== undefined;
  }

  #make(word: string): WordVector | undefined {
    const ids = this.#pieces.encode(word, MAX_PIECES);
    if (ids.length === 0 || ids.includes(this.#pieces.unknownId)) return undefined;
    const sum = new Float32Array(this.dimensions);
    for (const id of ids) this.#table.addRow(id, this.#table.scales[id] ?? 0, sum);
    normalize(sum);
    const common = this.#findCommon();
    for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) - (common[at] ?? 0);
    const isWhole = ids.length === 1;
    const rank = Math.max(1, (ids[0] ?? 0) - FIRST_WORD_ID + 1);
    const frequency = isWhole ? this.#frequencyScale / rank : 0;
    return { vector: normalize(sum), weight: SMOOTHING / (SMOOTHING + frequency), isWhole };
  }

  /** What the vectors of all words have in common says nothing about any of them. */
  #findCommon(): Float32Array {
    if (this.#common !== undefined) return this.#common;
    const sum = new Float32Array(this.dimensions);
    let count = 0;
    for (let id = FIRST_WORD_ID; id < FIRST_WORD_ID + SAMPLE_WORDS; id += SAMPLE_STEP) {
      const row = new Float32Array(this.dimensions);
      this.#table.addRow(id, 1, row);
      normalize(row);
      for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + (row[at] ?? 0);
      count += 1;
    }
    this.#common = sum.map((value) => value / count);
    return this.#common;
  }
}
