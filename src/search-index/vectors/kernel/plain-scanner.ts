import { must } from '../../../model/errors.ts';
import { type PageScanner, VECTORS_PER_PAGE, dotProduct, highestQueryCodeFor } from './port.ts';

interface Slot {
  readonly codes: Int8Array;
  readonly scales: Float32Array;
}

/** For runtimes without WebAssembly SIMD. Gives the same scores, bit for bit. */
export class PlainScanner implements PageScanner {
  readonly kind = 'plain';
  readonly rowBytes: number;
  readonly highestQueryCode: number;
  readonly #slots: Slot[] = [];
  readonly #scores = new Float32Array(VECTORS_PER_PAGE);
  readonly #query: Int16Array;

  constructor(dimensions: number) {
    this.rowBytes = dimensions;
    this.highestQueryCode = highestQueryCodeFor(dimensions);
    this.#query = new Int16Array(dimensions);
  }

  writeSlot(slot: number, codes: Int8Array, scales: Float32Array): void {
    this.#slots[slot] = { codes: codes.slice(), scales: scales.slice() };
  }

  setQuery(codes: Int16Array): void {
    this.#query.set(codes);
  }

  scan(slot: number): Float32Array {
    const { codes, scales } = this.#slot(slot);
    const query = this.#query;
    const dimensions = query.length;
    let at = 0;
    for (let row = 0; row < VECTORS_PER_PAGE; row++) {
      let sum = 0;
      for (let index = 0; index < dimensions; index++) sum += (query[index] ?? 0) * (codes[at++] ?? 0);
      this.#scores[row] = Math.fround(sum) * (scales[row] ?? 0);
    }
    return this.#scores;
  }

  compare(query: Float64Array, rows: Int32Array, products: Float64Array): void {
    for (const [index, row] of rows.entries()) {
      const { codes } = this.#slot(Math.floor(row / VECTORS_PER_PAGE));
      products[index] = dotProduct(query, codes, (row % VECTORS_PER_PAGE) * this.rowBytes);
    }
  }

  codesOf(slot: number): Int8Array {
    return this.#slot(slot).codes;
  }

  scalesOf(slot: number): Float32Array {
    return this.#slot(slot).scales;
  }

  #slot(slot: number): Slot {
    return must(this.#slots[slot], `slot ${slot}`);
  }
}
