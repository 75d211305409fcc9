import { setBit, hasBit } from '../resident/bitmap.ts';
import { VECTORS_PER_PAGE, VectorMatrix } from '../vectors/matrix.ts';
import { damaged } from './errors.ts';
import type { IndexDatabase } from './index-database.ts';
import { parseScales, VECTORS_PER_ROW, type VectorModel } from './vector-rows.ts';

const ROWS_PER_MATRIX_PAGE = VECTORS_PER_PAGE / VECTORS_PER_ROW;

/** The vectors of one model in this process: which passages have one, and, once asked for, the vectors themselves. */
export class ResidentVectors {
  readonly number: number;
  readonly dimensions: number;
  readonly #database: IndexDatabase;
  #generation = -1;
  #present = new Uint8Array(0);
  #presentGeneration = -1;
  #matrix: VectorMatrix | undefined;
  #matrixGeneration = -1;

  constructor(database: IndexDatabase, { number, dimensions }: VectorModel) {
    this.#database = database;
    this.number = number;
    this.dimensions = dimensions;
  }

  /** To be called in every transaction: what is asked for later is brought up to this write. */
  refresh(generation: number): void {
    this.#generation = generation;
  }

  /** Whether a passage was embedded, be it as a vector that is close to nothing. */
  has(passage: number): boolean {
    this.#readPresent();
    return hasBit(this.#present, passage);
  }

  get matrix(): VectorMatrix {
    this.#matrix ??= new VectorMatrix(this.dimensions);
    if (this.#matrixGeneration !== this.#generation) this.#readMatrix(this.#matrix);
    return this.#matrix;
  }

  #readPresent(): void {
    if (this.#presentGeneration === this.#generation) return;
    const sql = 'SELECT page, scales FROM vectors WHERE model = ? AND generation > ?';
    for (const [page, body] of this.#database.rows(sql, this.number, this.#presentGeneration)) {
      const first = Number(page) * VECTORS_PER_ROW;
      const needed = (first + VECTORS_PER_ROW) >> 3;
      if (needed > this.#present.length) {
        const grown = new Uint8Array(Math.max(1024, Math.ceil(needed * 1.25)));
        grown.set(this.#present);
        this.#present = grown;
      }
      for (const [row, scale] of parseScales(body).entries()) if (scale !== 0) setBit(this.#present, first + row);
    }
    this.#presentGeneration = this.#generation;
  }

  #readMatrix(matrix: VectorMatrix): void {
    const sql = 'SELECT page FROM vectors WHERE model = ? AND generation > ?';
    const changed = new Set<number>();
    for (const [page] of this.#database.rows(sql, this.number, this.#matrixGeneration)) {
      changed.add(Math.floor(Number(page) / ROWS_PER_MATRIX_PAGE));
    }
    // One buffer for all pages: the matrix copies what it is given.
    const codes = new Uint8Array(VECTORS_PER_PAGE * this.dimensions);
    for (const page of changed) this.#readPage(matrix, page, codes.fill(0));
    this.#matrixGeneration = this.#generation;
  }

  #readPage(matrix: VectorMatrix, page: number, codes: Uint8Array): void {
    const scales = new Float32Array(VECTORS_PER_PAGE);
    const sql = 'SELECT page, scales, codes FROM vectors WHERE model = ? AND page >= ? AND page < ?';
    const first = page * ROWS_PER_MATRIX_PAGE;
    for (const row of this.#database.rows(sql, this.number, first, first + ROWS_PER_MATRIX_PAGE)) {
      const at = (Number(row[0]) - first) * VECTORS_PER_ROW;
      if (!(row[2] instanceof Uint8Array) || row[2].length !== VECTORS_PER_ROW * this.dimensions) {
        throw damaged('a row of vectors has the wrong size');
      }
      codes.set(row[2], at * this.dimensions);
      // A vector that is close to nothing is written down as -1, so that it is not made again and again.
      scales.set(
        parseScales(row[1]).map((scale) => Math.max(0, scale)),
        at,
      );
    }
    matrix.setPage(page, codes, scales);
  }
}
