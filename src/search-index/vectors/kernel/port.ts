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
