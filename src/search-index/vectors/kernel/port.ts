export const VECTORS_PER_PAGE = 1024;

/** Keeps pages of vectors in numbered slots and multiplies a whole slot with the question at hand. */
export interface PageScanner {
  /** `simd`: WebAssembly with SIMD; `plain`: JavaScript, where that is missing; about 25 times slower. */
  readonly kind: 'simd' | 'plain';
  /** From the start of a vector's codes to the next one's. */
  readonly rowBytes: number;
  /** Larger codes in a query could overflow the sum of its products. */
  readonly highestQueryCode: number;
  /** `codes` without padding. Slots are numbered from 0 without gaps. */
  writeSlot(slot: number, codes: Int8Array, scales: Float32Array): void;
  setQuery(codes: Int16Array): void;
  /** The dot product with the query times the vector's scale, by row; overwritten by the next scan. */
  scan(slot: number): Float32Array;
  /**
   * The products of single rows with a question in doubles, as `dotProduct` computes them, into `products`. A row is named by its
   * slot times `VECTORS_PER_PAGE` plus its place there.
   */
  compare(query: Float64Array, rows: Int32Array, products: Float64Array): void;
  /** Views of what a slot holds, valid until the next `writeSlot`. */
  codesOf(slot: number): Int8Array;
  scalesOf(slot: number): Float32Array;
}

/** The sum of all products must fit 32 bits, whatever the codes are. */
export function highestQueryCodeFor(paddedDimensions: number): number {
  return Math.min(0x7fff, Math.floor(0x7fffffff / (128 * paddedDimensions)));
}

/**
 * The product of a question's floats, in doubles, with the codes that begin at `start`. Four sums side by side: a single one would
 * wait for each addition before the next. The kernel adds in the same order, so both give the same number to the last bit.
 */
export function dotProduct(query: Float64Array, codes: Int8Array, start: number): number {
  const { length } = query;
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let index = 0; index < length; index += 4) {
    const at = start + index;
    first += (query[index] ?? 0) * (codes[at] ?? 0);
    second += (query[index + 1] ?? 0) * (codes[at + 1] ?? 0);
    third += (query[index + 2] ?? 0) * (codes[at + 2] ?? 0);
    fourth += (query[index + 3] ?? 0) * (codes[at + 3] ?? 0);
  }
  return first + second + third + fourth;
}

/** The similarity of the query and a code, multiplied by `scale`. */
export function similarityOf(query: Float64Array, codes: Int8Array, start: number, scale: number): number {
  return Math.fround(dotProduct(query, codes, start) * scale);
}
