import { dotRow } from './likeness.ts';
import { normalize } from '../../providers/embeddings/vector.ts';
import { TokenTable, findTableFolder } from '../../providers/embeddings/token-table.ts';
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
const DIRECTIONS = Number(process.env.DIRS ?? 0);
const ROUNDS = 12;

/** Vectors of single words, from the table that serves the default embedder. No model runs. */
export class WordVectors {
  readonly dimensions: number;
  readonly #table: TokenTable;
  readonly #pieces: WordPiece;
  readonly #frequencyScale: number;
  readonly #cache = new Map<string, WordVector | undefined>();
  #common: Float32Array[] | undefined;

  constructor(folder: string = findTableFolder()) {
    this.#table = new TokenTable(folder);
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
    this.#takeOutCommon(sum);
    const isWhole = ids.length === 1;
    const rank = Math.max(1, (ids[0] ?? 0) - FIRST_WORD_ID + 1);
    const frequency = isWhole ? this.#frequencyScale / rank : 0;
    return { vector: normalize(sum), weight: SMOOTHING / (SMOOTHING + frequency), isWhole };
  }

  /** What the vectors of all words have in common, and the directions in which they differ by anything but meaning. */
  #takeOutCommon(vector: Float32Array): void {
    const [mean = NOTHING, ...directions] = (this.#common ??= this.#findCommon());
    for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) - (mean[at] ?? 0);
    for (const direction of directions) takeOut(vector, direction);
  }

  #findCommon(): Float32Array[] {
    const rows: Float32Array[] = [];
    for (let id = FIRST_WORD_ID; id < FIRST_WORD_ID + SAMPLE_WORDS; id += SAMPLE_STEP) {
      const row = new Float32Array(this.dimensions);
      this.#table.addRow(id, 1, row);
      rows.push(normalize(row));
    }
    const mean = new Float32Array(this.dimensions);
    for (const row of rows) row.forEach((value, at) => (mean[at] = (mean[at] ?? 0) + value / rows.length));
    for (const row of rows) row.forEach((value, at) => (row[at] = value - (mean[at] ?? 0)));
    return [mean, ...strongestDirections(rows, DIRECTIONS)];
  }
}

const NOTHING = new Float32Array();

/** Principal directions, by turning a vector towards where the rows are longest. */
function strongestDirections(rows: readonly Float32Array[], count: number): Float32Array[] {
  return Array.from({ length: count }, () => {
    let direction = normalize(Float32Array.from(rows[0] ?? [], (value, at) => value + (at % 7) * 1e-3));
    for (let round = 0; round < ROUNDS; round += 1) {
      const next = new Float32Array(direction.length);
      for (const row of rows) {
        const along = dotRow(direction, row, 0);
        for (let at = 0; at < next.length; at += 1) next[at] = (next[at] ?? 0) + along * (row[at] ?? 0);
      }
      direction = normalize(next);
    }
    for (const row of rows) takeOut(row, direction);
    return direction;
  });
}

function takeOut(vector: Float32Array, direction: Float32Array): void {
  const along = dotRow(direction, vector, 0);
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) - along * (direction[at] ?? 0);
}
