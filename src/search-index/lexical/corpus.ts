import { countWindows, type WindowShape } from './windows.ts';

/** A document's place among the numbered passages. */
export interface DocumentSpan {
  readonly first: number;
  readonly count: number;
}

/**
 * The shape of the whole collection, small enough to stay in memory: which passages belong together and how long each
 * is. Passages of one document have consecutive numbers.
 */
export class Corpus {
  /** Where a passage's document begins; -1 for a number that is not in use. */
  readonly documentFirst: Int32Array;
  readonly documentCount: Int32Array;
  readonly passages: number;
  readonly #lengthsBefore: Float64Array;
  readonly #spans: readonly DocumentSpan[];

  constructor(capacity: number, spans: readonly DocumentSpan[], lengths: Uint16Array) {
    this.documentFirst = new Int32Array(capacity).fill(-1);
    this.documentCount = new Int32Array(capacity);
    this.#spans = spans;
    let passages = 0;
    for (const { first, count } of spans) {
      this.documentFirst.fill(first, first, first + count);
      this.documentCount.fill(count, first, first + count);
      passages += count;
    }
    this.passages = passages;
    this.#lengthsBefore = new Float64Array(capacity + 1);
    for (let passage = 0; passage < capacity; passage += 1) {
      const length = this.documentFirst[passage] === -1 ? 0 : (lengths[passage] ?? 0);
      this.#lengthsBefore[passage + 1] = (this.#lengthsBefore[passage] ?? 0) + length;
    }
  }

  get capacity(): number {
    return this.documentFirst.length;
  }

  isLive(passage: number): boolean {
    return (this.documentFirst[passage] ?? -1) !== -1;
  }

  /** Terms in the passages from `first` up to, not including, `end`. */
  length(first: number, end: number): number {
    return (this.#lengthsBefore[end] ?? 0) - (this.#lengthsBefore[first] ?? 0);
  }

  /** Number and average length of the windows of a shape, for BM25. */
  windowStatistics(shape: WindowShape): { readonly count: number; readonly averageLength: number } {
    let count = 0;
    let total = 0;
    for (const span of this.#spans) {
      const windows = countWindows(span.count, shape);
      count += windows;
      for (let window = 0; window < windows; window += 1) {
        const first = span.first + window * shape.stride;
        total += this.length(first, Math.min(first + shape.size, span.first + span.count));
      }
    }
    return { count, averageLength: count === 0 ? 1 : Math.max(1, total / count) };
  }
}
