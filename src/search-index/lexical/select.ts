import { hasBit } from '../resident/bitmap.ts';
import type { Corpus } from '../resident/corpus.ts';
import { BLOCK_BITS, type WindowScores } from './score.ts';

/**
 * Orders documents that nothing else tells apart, by where they come from rather than by when the index first saw
 * them: an index made anew must answer alike.
 */
export type DocumentOrder = (leftDocument: number, rightDocument: number) => number;

/** Whether one passage comes before another where scores are equal. */
export function comparePassages(corpus: Corpus, order: DocumentOrder, left: number, right: number): number {
  const leftDocument = corpus.documents[left] ?? 0;
  const rightDocument = corpus.documents[right] ?? 0;
  return leftDocument === rightDocument ? left - right : order(leftDocument, rightDocument);
}

/** Keeps the best so many of the numbers offered; the worst of them is at the root of a heap. */
export class BestNumbers {
  readonly #limit: number;
  readonly #compare: (left: number, right: number) => number;
  readonly #heap: number[] = [];

  /** `compare` is negative when the left one is better. */
  constructor(limit: number, compare: (left: number, right: number) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  get worst(): number | undefined {
    return this.#heap.length < this.#limit ? undefined : this.#heap[0];
  }

  offer(number: number): void {
    if (this.#limit <= 0) return;
    if (this.#heap.length < this.#limit) {
      this.#heap.push(number);
      this.#rise(this.#heap.length - 1);
    } else if (this.#compare(number, this.#heap[0] ?? 0) < 0) {
      this.#heap[0] = number;
      this.#sink();
    }
  }

  /** The best first. */
  sorted(): number[] {
    return this.#heap.toSorted(this.#compare);
  }

  #rise(from: number): void {
    const heap = this.#heap;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] ?? 0;
      const here = heap[at] ?? 0;
      if (this.#compare(here, above) <= 0) return;
      heap[at] = above;
      heap[parent] = here;
      at = parent;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && this.#compare(heap[child] ?? 0, heap[worst] ?? 0) > 0) worst = child;
      }
      if (worst === at) return;
      const moved = heap[at] ?? 0;
      heap[at] = heap[worst] ?? 0;
      heap[worst] = moved;
      at = worst;
    }
  }
}

/** Fine enough that few windows share the step at which the best ones end. */
const SCORE_STEPS = 4096;

/** The passages in the best windows of a shape, at most `limit`, among those allowed. */
export function selectPassages(
  corpus: Corpus,
  scored: WindowScores,
  limit: number,
  allowed: Uint8Array,
  order: DocumentOrder,
): number[] {
  const { shape, bound } = scored;
  if (bound === 0 || limit <= 0) return [];
  const steps = countSteps(corpus, scored);
  // A guess at how many windows hold `limit` passages; if it was too low, worse windows are taken in.
  for (let rank = Math.ceil(limit / shape.stride) + 8; ; rank *= 4) {
    const bar = (stepOfRank(steps, rank) / SCORE_STEPS) * bound;
    const windows = findWindows(corpus, scored, bar, allowed);
    const passages = bestPassages(corpus, scored, windows, limit, allowed, order);
    if (passages.length === limit || bar === 0) return passages;
  }
}

function bestPassages(
  corpus: Corpus,
  { shape, scores }: WindowScores,
  windows: number[],
  limit: number,
  allowed: Uint8Array,
  order: DocumentOrder,
): number[] {
  windows.sort((left, right) => {
    const difference = (scores[right] ?? 0) - (scores[left] ?? 0);
    return difference === 0 ? comparePassages(corpus, order, left, right) : difference;
  });
  const passages = new Set<number>();
  for (const window of windows) {
    const end = Math.min(window + shape.size, corpus.spanEnd[window] ?? 0);
    for (let passage = window; passage < end; passage += 1) {
      if (passages.size === limit) return [...passages];
      if (hasBit(allowed, passage)) passages.add(passage);
    }
  }
  return [...passages];
}

/** Counts the blocks that have their best score within each step from 0 to the bound. */
function countSteps({ capacity }: Corpus, { blockBest, bound }: WindowScores): Int32Array {
  const steps = new Int32Array(SCORE_STEPS + 1);
  const stepsPerScore = SCORE_STEPS / bound;
  for (let block = 0; block <= capacity >> BLOCK_BITS; block += 1) {
    const best = blockBest[block] ?? 0;
    if (best === 0) continue;
    const step = Math.min(SCORE_STEPS, (best * stepsPerScore) | 0);
    steps[step] = (steps[step] ?? 0) + 1;
  }
  return steps;
}

/** The step from which on there are at least `rank` blocks, and so at least as many windows; 0 if there are fewer. */
function stepOfRank(steps: Int32Array, rank: number): number {
  let blocks = 0;
  for (let step = steps.length - 1; step > 0; step -= 1) {
    blocks += steps[step] ?? 0;
    if (blocks >= rank) return step;
  }
  return 0;
}

/** The windows with at least that score that hold a passage that is allowed. */
function findWindows(corpus: Corpus, scored: WindowScores, bar: number, allowed: Uint8Array): number[] {
  const { scores, blockBest, shape } = scored;
  const { capacity, spanEnd } = corpus;
  const windows: number[] = [];
  for (let block = 0; block <= capacity >> BLOCK_BITS; block += 1) {
    const best = blockBest[block] ?? 0;
    if (best < bar || best === 0) continue;
    const blockEnd = Math.min(capacity, (block + 1) << BLOCK_BITS);
    for (let window = block << BLOCK_BITS; window < blockEnd; window += 1) {
      const score = scores[window] ?? 0;
      if (score < bar || score === 0) continue;
      const end = Math.min(window + shape.size, spanEnd[window] ?? 0);
      if (hasBitBetween(allowed, window, end)) windows.push(window);
    }
  }
  return windows;
}

function hasBitBetween(bitmap: Uint8Array, first: number, end: number): boolean {
  for (let index = first; index < end; index += 1) if (hasBit(bitmap, index)) return true;
  return false;
}
