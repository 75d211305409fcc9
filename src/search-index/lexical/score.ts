import type { Corpus } from '../resident/corpus.ts';
import { grow } from '../resident/bitmap.ts';
import type { PostingBuffer } from './postings.ts';
import { WindowTable, type WindowShape } from './windows.ts';

/** BM25's usual constants; how a repeated word saturates, and how much a long text is held against it. */
const K1 = 1.2;
const B = 0.75;
/** A substitute for the length of an empty text. */
const SHORTEST = K1 * (1 - B);

/** Windows in a block, as a power of two. */
export const BLOCK_BITS = 4;

/** The weight of a term that `holding` of `count` texts use. */
export function rarityOf(count: number, holding: number): number {
  return Math.log(1 + (count - holding + 0.5) / (holding + 0.5));
}

/** Arrays over all passages that are too large to make anew for every question. */
export class ScoringScratch {
  frequencies = new Int32Array(0);
  touched = new Int32Array(0);

  reserve(capacity: number): void {
    if (this.frequencies.length >= capacity) return;
    this.frequencies = grow(this.frequencies, capacity);
    this.touched = grow(this.touched, capacity);
  }
}

/** BM25 of all windows of one shape, term after term. A window goes by the number of its first passage. */
export class WindowScores {
  readonly shape: WindowShape;
  scores = new Float32Array(0);
  /** The best score of every so many windows in a row, so that most of them need not be looked at again. */
  blockBest = new Float32Array(0);
  readonly #table: WindowTable;
  /** No window has more. */
  bound = 0;

  constructor(shape: WindowShape) {
    this.shape = shape;
    this.#table = new WindowTable(shape);
  }

  begin(capacity: number): void {
    this.bound = 0;
    if (this.scores.length < capacity) {
      const size = Math.ceil(capacity * 1.25);
      this.scores = new Float32Array(size);
      this.blockBest = new Float32Array((size >> BLOCK_BITS) + 1);
    } else {
      this.scores.fill(0, 0, capacity);
      this.blockBest.fill(0, 0, (capacity >> BLOCK_BITS) + 1);
    }
  }

  /** Adds what a term contributes; its postings must be those of passages in use. */
  add(corpus: Corpus, postings: PostingBuffer, weight: number, scratch: ScoringScratch): void {
    scratch.reserve(corpus.capacity);
    const isSingle = this.shape.size === 1;
    const windows = isSingle ? postings.length : this.#collect(corpus, postings, scratch);
    const { count, averageLength } = corpus.windowStatistics(this.shape);
    const factor = rarityOf(count, windows) * weight * (K1 + 1);
    const perTerm = (K1 * B) / averageLength;
    this.bound += Math.abs(factor);
    if (isSingle) this.#addSingles(corpus, postings, factor, perTerm);
    else this.#addWindows(corpus, scratch, windows, factor, perTerm);
  }

  #addSingles({ lengthsBefore }: Corpus, postings: PostingBuffer, factor: number, perTerm: number): void {
    const { scores, blockBest } = this;
    const { passages, values, length } = postings;
    for (let index = 0; index < length; index += 1) {
      const passage = passages[index] ?? 0;
      const frequency = values[index] ?? 0;
      const terms = (lengthsBefore[passage + 1] ?? 0) - (lengthsBefore[passage] ?? 0);
      const score = (scores[passage] ?? 0) + (factor * frequency) / (frequency + SHORTEST + perTerm * terms);
      scores[passage] = score;
      if (score > (blockBest[passage >> BLOCK_BITS] ?? 0)) blockBest[passage >> BLOCK_BITS] = score;
    }
  }

  #addWindows(corpus: Corpus, scratch: ScoringScratch, windows: number, factor: number, perTerm: number): void {
    const { scores, blockBest } = this;
    const { size } = this.shape;
    const { frequencies, touched } = scratch;
    const { lengthsBefore, spanEnd } = corpus;
    for (let index = 0; index < windows; index += 1) {
      const window = touched[index] ?? 0;
      const frequency = frequencies[window] ?? 0;
      frequencies[window] = 0;
      let end = window + size;
      const documentEnd = spanEnd[window] ?? 0;
      if (end > documentEnd) end = documentEnd;
      const terms = (lengthsBefore[end] ?? 0) - (lengthsBefore[window] ?? 0);
      const score = (scores[window] ?? 0) + (factor * frequency) / (frequency + SHORTEST + perTerm * terms);
      scores[window] = score;
      if (score > (blockBest[window >> BLOCK_BITS] ?? 0)) blockBest[window >> BLOCK_BITS] = score;
    }
  }

  /** Aligned with `passages`. In a loop: `Float32Array.from` calls back through an iterator, which costs more than the score. */
  scoresOf(corpus: Corpus, passages: Int32Array): Float32Array {
    const scores = new Float32Array(passages.length);
    for (let index = 0; index < passages.length; index += 1)
      scores[index] = this.scoreOf(corpus, passages[index] ?? -1);
    return scores;
  }

  /** The best score among the windows that contain a passage. */
  scoreOf(corpus: Corpus, passage: number): number {
    const first = corpus.spanFirst[passage] ?? -1;
    if (first === -1) return 0;
    this.#table.reserve(corpus.longestDocument);
    const { earliest, latest, lastOfCount } = this.#table;
    const offset = passage - first;
    const lastOfDocument = lastOfCount[(corpus.spanEnd[passage] ?? 0) - first] ?? 0;
    const last = first + Math.min(latest[offset] ?? 0, lastOfDocument);
    let best = 0;
    for (let window = first + (earliest[offset] ?? 0); window <= last; window += this.shape.stride) {
      best = Math.max(best, this.scores[window] ?? 0);
    }
    return best;
  }

  /** Adds up a term's occurrences by window; returns how many windows have any. */
  #collect(corpus: Corpus, postings: PostingBuffer, scratch: ScoringScratch): number {
    this.#table.reserve(corpus.longestDocument);
    const { stride } = this.shape;
    const { earliest, latest, lastOfCount } = this.#table;
    const { spanFirst, spanEnd } = corpus;
    const { frequencies, touched } = scratch;
    const { passages, values, length } = postings;
    let windows = 0;
    for (let index = 0; index < length; index += 1) {
      const passage = passages[index] ?? 0;
      const frequency = values[index] ?? 0;
      const first = spanFirst[passage] ?? 0;
      const offset = passage - first;
      const lastOfDocument = lastOfCount[(spanEnd[passage] ?? 0) - first] ?? 0;
      let last = latest[offset] ?? 0;
      if (last > lastOfDocument) last = lastOfDocument;
      last += first;
      for (let window = first + (earliest[offset] ?? 0); window <= last; window += stride) {
        const before = frequencies[window] ?? 0;
        if (before === 0) touched[windows++] = window;
        frequencies[window] = before + frequency;
      }
    }
    return windows;
  }
}
