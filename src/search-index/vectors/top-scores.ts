/** The `limit` highest of the scores offered so far, as a heap with the lowest of them on top. */
export class TopScores {
  readonly #heap: Float64Array;
  #size = 0;

  constructor(limit: number) {
    this.#heap = new Float64Array(limit);
  }

  /** The score needed to be among the highest; every score passes until there are enough. */
  get bar(): number {
    return this.#size < this.#heap.length ? -Infinity : (this.#heap[0] ?? Infinity);
  }

  offer(score: number): void {
    if (this.#size < this.#heap.length) {
      this.#raise(this.#size++, score);
    } else if (score > (this.#heap[0] ?? Infinity)) {
      this.#sink(score);
    }
  }

  #raise(start: number, score: number): void {
    const heap = this.#heap;
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent] ?? -Infinity;
      if (above <= score) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = score;
  }

  #sink(score: number): void {
    const heap = this.#heap;
    let index = 0;
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      const right = child + 1;
      const lower = right < heap.length && (heap[right] ?? 0) < (heap[child] ?? 0) ? right : child;
      const below = heap[lower] ?? Infinity;
      if (below >= score) break;
      heap[index] = below;
      index = lower;
    }
    heap[index] = score;
  }
}
