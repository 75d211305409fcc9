/**
 * Runs of neighbouring passages of one document. What a question asks for is often said over several turns; a window
 * that holds all of its words is better evidence than a passage that holds one of them.
 */
export interface WindowShape {
  /** Passages in a window. */
  readonly size: number;
  /** From the start of one window to the next; at most `size`. */
  readonly stride: number;
}

/** The number of windows of a document with that many passages; the last one may be shorter. */
export function countWindows(passages: number, { size, stride }: WindowShape): number {
  return passages <= size ? 1 : 1 + Math.ceil((passages - size) / stride);
}

/**
 * Lists the windows that contain a passage, for every offset up to that of the longest document: looked up rather than
 * computed, because scoring asks for every occurrence of every term.
 */
export class WindowTable {
  readonly #shape: WindowShape;
  /** By a passage's offset: where the first and the last window begin that contain it, ends of documents aside. */
  earliest = new Int32Array(0);
  latest = new Int32Array(0);
  /** By a document's count of passages: where its last window begins. */
  lastOfCount = new Int32Array(0);

  constructor(shape: WindowShape) {
    this.#shape = shape;
  }

  reserve(longestDocument: number): void {
    if (longestDocument < this.lastOfCount.length) return;
    const length = Math.max(256, longestDocument * 2);
    const { size, stride } = this.#shape;
    const startAfter = (offset: number): number => Math.max(0, Math.ceil(offset / stride)) * stride;
    this.earliest = Int32Array.from({ length }, (_, offset) => startAfter(offset - size + 1));
    this.latest = Int32Array.from({ length }, (_, offset) => Math.floor(offset / stride) * stride);
    this.lastOfCount = Int32Array.from({ length }, (_, count) => (countWindows(count, this.#shape) - 1) * stride);
  }
}
