import { MnemeError } from '../../model/errors.ts';
import { VECTORS_PER_PAGE, type PageScanner } from './kernel/port.ts';
import { openScanner } from './kernel/simd-scanner.ts';
import { type QuantizedQuery, quantizeQuery, rotate, rotateBack } from './quantize.ts';
import { hasBit } from '../resident/bitmap.ts';

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

export { VECTORS_PER_PAGE };

interface Page {
  readonly slot: number;
  readonly largestScale: number;
}

export interface NearestPassage {
  readonly passage: number;
  readonly similarity: number;
}

/** The largest error of a 32-bit float after two roundings, and as much again to be safe. */
const FLOAT_ROUNDING = 2 ** -22;
const LARGEST_CODE = 128;

/**
 * All vectors of one model, resident, in pages by passage number. A scan of every page with integers finds the
 * candidates; the question's own floats rank them.
 */
export class VectorMatrix {
  readonly dimensions: number;
  readonly #scanner: PageScanner;
  readonly #pages = new Map<number, Page>();
  readonly #freeSlots: number[] = [];
  #slotCount = 0;

  constructor(dimensions: number, scanner: PageScanner = openScanner(dimensions)) {
    this.dimensions = dimensions;
    this.#scanner = scanner;
  }

  /** The way pages are scanned: `plain` is the slow way, taken where WebAssembly SIMD is missing. */
  get kind(): PageScanner['kind'] {
    return this.#scanner.kind;
  }

  /** The numbers of the pages present. */
  get pages(): number[] {
    return [...this.#pages.keys()];
  }

  hasPage(page: number): boolean {
    return this.#pages.has(page);
  }

  /** Codes as `quantize` makes them, signed bytes, a row per passage of the page; a scale of 0 says that the passage has no vector. */
  setPage(page: number, codes: Uint8Array, scales: Float32Array): void {
    const expected = VECTORS_PER_PAGE * this.dimensions;
    if (codes.length !== expected || scales.length !== VECTORS_PER_PAGE) {
      const found = `${codes.length} codes and ${scales.length} scales`;
      throw new MnemeError('integrity', `Page ${page} of the vectors has ${found} instead of ${expected} codes.`);
    }
    let largestScale = 0;
    for (const scale of scales) {
      if (!(scale >= 0 && scale < Infinity)) {
        throw new MnemeError('integrity', `Page ${page} of the vectors has ${scale} for a scale.`);
      }
      if (scale > largestScale) largestScale = scale;
    }
    const slot = this.#pages.get(page)?.slot ?? this.#freeSlots.pop() ?? this.#slotCount++;
    try {
      this.#scanner.writeSlot(slot, new Int8Array(codes.buffer, codes.byteOffset, codes.length), scales);
    } catch (error) {
      this.#pages.delete(page);
      this.#freeSlots.push(slot);
      throw error;
    }
    this.#pages.set(page, { slot, largestScale });
  }

  dropPage(page: number): void {
    const known = this.#pages.get(page);
    if (known === undefined) return;
    this.#pages.delete(page);
    this.#freeSlots.push(known.slot);
  }

  /**
   * The passages closest to the query, the closest first, equal ones by number. `allowed` has a bit per passage: bit
   * p & 7 of byte p >> 3. Nothing is close to the zero vector.
   */
  findNearest(query: Float32Array, limit: number, allowed: Uint8Array | undefined): NearestPassage[] {
    this.#checkQuery(query);
    const quantized = quantizeQuery(query, this.#scanner.highestQueryCode);
    if (quantized === undefined || limit < 1) return [];
    const candidates = this.#findCandidates(quantized, limit, allowed);
    const similarities = this.#compare(quantized.turned, candidates);
    const nearest = candidates.map((passage, index) => ({ passage, similarity: similarities[index] ?? 0 }));
    nearest.sort((left, right) => right.similarity - left.similarity || left.passage - right.passage);
    return nearest.slice(0, limit);
  }

  /** Aligned with `passages`; NaN where there is no vector. */
  similarities(query: Float32Array, passages: readonly number[]): Float32Array {
    this.#checkQuery(query);
    return this.#compare(rotate(query), passages);
  }

  vector(passage: number): Float32Array | undefined {
    const row = this.#findRow(passage);
    if (row === undefined) return undefined;
    return rotateBack(Float32Array.from(row.codes, (code) => code * row.scale));
  }

  /** Every passage whose similarity could be among the highest `limit`, given how far a score may be off. */
  #findCandidates(query: QuantizedQuery, limit: number, allowed: Uint8Array | undefined): number[] {
    const candidates = new Candidates(limit, this.#margin(query), allowed);
    this.#scanner.setQuery(query.codes);
    for (const [page, { slot, largestScale }] of this.#pages) {
      const first = page * VECTORS_PER_PAGE;
      if (largestScale === 0 || (allowed !== undefined && isEmptyBetween(allowed, first))) continue;
      candidates.take(first, this.#scanner.scan(slot), this.#scanner.scalesOf(slot));
    }
    return candidates.list();
  }

  /** Twice the most a score can differ from the product of the unrounded query with the same codes. */
  #margin(query: QuantizedQuery): number {
    let largestScale = 0;
    for (const page of this.#pages.values()) largestScale = Math.max(largestScale, page.largestScale);
    const longestVector = largestScale * LARGEST_CODE * Math.sqrt(this.dimensions);
    return 2 * longestVector * (query.roundingLength + query.length * FLOAT_ROUNDING);
  }

  /** `turned` is the query as `rotate` leaves it. */
  #compare(turned: Float32Array, passages: readonly number[]): Float32Array {
    const rows = new Int32Array(passages.length);
    const scales = new Float32Array(passages.length);
    for (let index = 0; index < passages.length; index += 1) {
      const passage = passages[index] ?? 0;
      const slot = this.#pages.get(Math.floor(passage / VECTORS_PER_PAGE))?.slot;
      if (slot === undefined) continue;
      const row = passage % VECTORS_PER_PAGE;
      rows[index] = slot * VECTORS_PER_PAGE + row;
      scales[index] = this.#scanner.scalesOf(slot)[row] ?? 0;
    }
    const products = new Float64Array(passages.length);
    if (this.#pages.size > 0) this.#scanner.compare(Float64Array.from(turned), rows, products);
    // Stored scales are above 0: 0 says that there is no vector, and row 0 was compared in its place.
    for (let index = 0; index < scales.length; index += 1) {
      const scale = scales[index] ?? 0;
      scales[index] = scale === 0 ? Number.NaN : (products[index] ?? 0) * scale;
    }
    return scales;
  }

  #findRow(passage: number): { readonly codes: Int8Array; readonly scale: number } | undefined {
    const page = this.#pages.get(Math.floor(passage / VECTORS_PER_PAGE));
    if (page === undefined) return undefined;
    const row = passage % VECTORS_PER_PAGE;
    const scale = this.#scanner.scalesOf(page.slot)[row] ?? 0;
    if (scale === 0) return undefined;
    const start = row * this.#scanner.rowBytes;
    return { codes: this.#scanner.codesOf(page.slot).subarray(start, start + this.dimensions), scale };
  }

  #checkQuery(query: Float32Array): void {
    if (query.length === this.dimensions) return;
    const lengths = `${query.length} dimensions, those it is compared with ${this.dimensions}`;
    throw new MnemeError('failure', `The vector of the question has ${lengths}.`);
  }
}

/** The vectors of the pages scanned so far that could be among the best. */
class Candidates {
  readonly #margin: number;
  readonly #allowed: Uint8Array | undefined;
  readonly #top: TopScores;
  readonly #passages: number[] = [];
  readonly #scores: number[] = [];
  #bar = -Infinity;

  constructor(limit: number, margin: number, allowed: Uint8Array | undefined) {
    this.#top = new TopScores(limit);
    this.#margin = margin;
    this.#allowed = allowed;
  }

  /** A page at a time, in a function of its own: as a loop inside another it was never compiled for good. */
  take(first: number, scores: Float32Array, scales: Float32Array): void {
    const allowed = this.#allowed;
    let bar = this.#bar;
    for (let row = 0; row < VECTORS_PER_PAGE; row++) {
      const score = scores[row] ?? 0;
      if (score < bar || scales[row] === 0) continue;
      const passage = first + row;
      if (allowed !== undefined && !hasBit(allowed, passage)) continue;
      this.#passages.push(passage);
      this.#scores.push(score);
      this.#top.offer(score);
      bar = this.#top.bar - this.#margin;
    }
    this.#bar = bar;
  }

  list(): number[] {
    return this.#passages.filter((_, index) => (this.#scores[index] ?? 0) >= this.#bar);
  }
}

function isEmptyBetween(bitmap: Uint8Array, first: number): boolean {
  const end = Math.min(bitmap.length, (first + VECTORS_PER_PAGE) >> 3);
  for (let index = first >> 3; index < end; index++) if (bitmap[index] !== 0) return false;
  return true;
}
