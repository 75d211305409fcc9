import { MnemeError } from '../../model/errors.ts';
import { VECTORS_PER_PAGE, type PageScanner } from './kernel/port.ts';
import { openScanner } from './kernel/simd-scanner.ts';
import { quantizeQuery, type QuantizedQuery } from './quantize.ts';
import { rotate, rotateBack } from './rotate.ts';
import { TopScores } from './top-scores.ts';

export { VECTORS_PER_PAGE };

interface Page {
  readonly slot: number;
  readonly largestScale: number;
}

export interface NearestPassage {
  readonly passage: number;
  readonly similarity: number;
}

/** What a 32-bit float can be off after two roundings, and as much again to be safe. */
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

  /** How pages are scanned: `plain` is the slow way, taken where WebAssembly SIMD is missing. */
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
    const nearest: NearestPassage[] = [];
    for (const passage of candidates) {
      const similarity = this.#similarity(quantized.turned, passage);
      if (similarity !== undefined) nearest.push({ passage, similarity });
    }
    nearest.sort((left, right) => right.similarity - left.similarity || left.passage - right.passage);
    return nearest.slice(0, limit);
  }

  /** Aligned with `passages`; NaN where there is no vector. */
  similarities(query: Float32Array, passages: readonly number[]): Float32Array {
    this.#checkQuery(query);
    const turned = rotate(query);
    const similarities = new Float32Array(passages.length);
    for (const [index, passage] of passages.entries()) {
      similarities[index] = this.#similarity(turned, passage) ?? Number.NaN;
    }
    return similarities;
  }

  vector(passage: number): Float32Array | undefined {
    const row = this.#findRow(passage);
    if (row === undefined) return undefined;
    return rotateBack(Float32Array.from(row.codes, (code) => code * row.scale));
  }

  /** Every passage whose similarity could be among the highest `limit`, given how far a score may be off. */
  #findCandidates(query: QuantizedQuery, limit: number, allowed: Uint8Array | undefined): number[] {
    const margin = this.#margin(query);
    const top = new TopScores(limit);
    const passages: number[] = [];
    const scores: number[] = [];
    let bar = -Infinity;
    this.#scanner.setQuery(query.codes);
    for (const [page, { slot, largestScale }] of this.#pages) {
      const first = page * VECTORS_PER_PAGE;
      if (largestScale === 0 || (allowed !== undefined && isEmptyBetween(allowed, first))) continue;
      const pageScores = this.#scanner.scan(slot);
      const scales = this.#scanner.scalesOf(slot);
      for (let row = 0; row < VECTORS_PER_PAGE; row++) {
        const score = pageScores[row] ?? 0;
        if (score < bar || scales[row] === 0) continue;
        const passage = first + row;
        if (allowed !== undefined && !hasBit(allowed, passage)) continue;
        passages.push(passage);
        scores.push(score);
        top.offer(score);
        bar = top.bar - margin;
      }
    }
    return passages.filter((_, index) => (scores[index] ?? 0) >= bar);
  }

  /** Twice the most a score can differ from the product of the unrounded query with the same codes. */
  #margin(query: QuantizedQuery): number {
    let largestScale = 0;
    for (const page of this.#pages.values()) largestScale = Math.max(largestScale, page.largestScale);
    const longestVector = largestScale * LARGEST_CODE * Math.sqrt(this.dimensions);
    return 2 * longestVector * (query.roundingLength + query.length * FLOAT_ROUNDING);
  }

  #similarity(turned: Float32Array, passage: number): number | undefined {
    const row = this.#findRow(passage);
    if (row === undefined) return undefined;
    return similarityOf(turned, row.codes, row.scale);
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

/** `turned` is the query as `rotate` leaves it. */
export function similarityOf(turned: Float32Array, codes: Int8Array, scale: number): number {
  // Four sums side by side: a single one would wait for each addition before the next.
  let [first, second, third, fourth] = [0, 0, 0, 0];
  let index = 0;
  for (; index + 3 < codes.length; index += 4) {
    first += (turned[index] ?? 0) * (codes[index] ?? 0);
    second += (turned[index + 1] ?? 0) * (codes[index + 1] ?? 0);
    third += (turned[index + 2] ?? 0) * (codes[index + 2] ?? 0);
    fourth += (turned[index + 3] ?? 0) * (codes[index + 3] ?? 0);
  }
  for (; index < codes.length; index += 1) first += (turned[index] ?? 0) * (codes[index] ?? 0);
  return Math.fround((first + second + third + fourth) * scale);
}

function hasBit(bitmap: Uint8Array, index: number): boolean {
  return ((bitmap[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}

function isEmptyBetween(bitmap: Uint8Array, first: number): boolean {
  const end = Math.min(bitmap.length, (first + VECTORS_PER_PAGE) >> 3);
  for (let index = first >> 3; index < end; index++) if (bitmap[index] !== 0) return false;
  return true;
}
