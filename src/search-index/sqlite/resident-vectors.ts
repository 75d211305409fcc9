import { setBit, hasBit } from '../resident/bitmap.ts';
import { similarityOf } from '../vectors/kernel/port.ts';
import { VECTORS_PER_PAGE, VectorMatrix } from '../vectors/matrix.ts';
import { rotate } from '../vectors/quantize.ts';
import { damaged } from '../port.ts';
import type { IndexDatabase, Row } from './index-database.ts';
import { parseScales, VECTORS_PER_ROW, type VectorModel } from './vector-rows.ts';

const ROWS_PER_MATRIX_PAGE = VECTORS_PER_PAGE / VECTORS_PER_ROW;

interface VectorRow {
  readonly scales: Float32Array;
  readonly codes: Int8Array;
}

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
  /** Rows read one by one while there is no matrix. */
  readonly #rows = new Map<number, VectorRow | undefined>();
  #rowsGeneration = -1;

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
    this.#rows.clear();
    if (this.#matrixGeneration !== this.#generation) this.#readMatrix(this.#matrix);
    return this.#matrix;
  }

  /**
   * Aligned with `passages`; NaN where there is no vector. As long as nobody has asked for all vectors, only the rows
   * that hold these are read: a process that answers one question should not load the whole memory for it.
   */
  similarities(query: Float32Array, passages: readonly number[]): Float32Array {
    if (this.#matrix !== undefined) return this.matrix.similarities(query, passages);
    const turned = Float64Array.from(rotate(query));
    return Float32Array.from(passages, (passage) => {
      const row = this.#readRow(Math.floor(passage / VECTORS_PER_ROW));
      const at = passage % VECTORS_PER_ROW;
      const scale = row?.scales[at] ?? 0;
      if (row === undefined || scale <= 0) return Number.NaN;
      return similarityOf(turned, row.codes, at * this.dimensions, scale);
    });
  }

  #readRow(page: number): VectorRow | undefined {
    if (this.#rowsGeneration !== this.#generation) {
      this.#rows.clear();
      this.#rowsGeneration = this.#generation;
    }
    if (!this.#rows.has(page)) {
      const sql = 'SELECT scales, codes FROM vectors WHERE model = ? AND page = ?';
      const row = this.#database.row(sql, this.number, page);
      this.#rows.set(page, row && { scales: parseScales(row[0]), codes: this.#parseCodes(row[1]) });
    }
    return this.#rows.get(page);
  }

  #parseCodes(body: Row[number] | undefined): Int8Array {
    if (!(body instanceof Uint8Array) || body.length !== VECTORS_PER_ROW * this.dimensions) {
      throw damaged('a row of vectors has the wrong size');
    }
    return new Int8Array(body.buffer, body.byteOffset, body.length);
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
      codes.set(this.#parseCodes(row[2]), at * this.dimensions);
      // A vector that is close to nothing is written down as -1, so that it is not made again and again.
      scales.set(
        parseScales(row[1]).map((scale) => Math.max(0, scale)),
        at,
      );
    }
    matrix.setPage(page, codes, scales);
  }
}
