import { MnemeError } from '../../model/errors.ts';
import { VECTORS_PER_PAGE, VectorMatrix } from '../vectors/matrix.ts';
import { dequantize, quantize } from '../vectors/quantize.ts';

interface VectorPage {
  readonly codes: Uint8Array;
  readonly scales: Float32Array;
}

/** The vectors of one model, by passage and by what was embedded, so that a text that moves keeps its vector. */
export class MemoryVectors {
  readonly dimensions: number;
  readonly matrix: VectorMatrix;
  readonly #pages = new Map<number, VectorPage>();
  readonly #changedPages = new Set<number>();
  readonly #known = new Set<number>();
  readonly #byKey = new Map<string, { readonly codes: Int8Array; readonly scale: number }>();

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.matrix = new VectorMatrix(dimensions);
  }

  has(passage: number): boolean {
    return this.#known.has(passage);
  }

  put(key: string, vector: Float32Array): void {
    if (vector.length !== this.dimensions) {
      throw new MnemeError('failure', `A vector has ${vector.length} dimensions instead of ${this.dimensions}.`);
    }
    this.#byKey.set(key, quantize(vector));
  }

  find(key: string): Float32Array | undefined {
    const vector = this.#byKey.get(key);
    return vector && dequantize(vector);
  }

  /** Gives a passage the vector kept for its key, if there is one. */
  assign(passage: number, key: string): void {
    const vector = this.#byKey.get(key);
    if (vector === undefined) return;
    const number = Math.floor(passage / VECTORS_PER_PAGE);
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = {
        codes: new Uint8Array(VECTORS_PER_PAGE * this.dimensions),
        scales: new Float32Array(VECTORS_PER_PAGE),
      };
      this.#pages.set(number, page);
    }
    const row = passage % VECTORS_PER_PAGE;
    page.codes.set(new Uint8Array(vector.codes.buffer), row * this.dimensions);
    page.scales[row] = vector.scale;
    this.#known.add(passage);
    this.#changedPages.add(number);
  }

  forget(passage: number): void {
    this.#known.delete(passage);
  }

  get count(): number {
    return this.#known.size;
  }

  /** The matrix as it is now. */
  load(): VectorMatrix {
    for (const number of this.#changedPages) {
      const page = this.#pages.get(number);
      if (page !== undefined) this.matrix.setPage(number, page.codes, page.scales);
    }
    this.#changedPages.clear();
    return this.matrix;
  }
}
