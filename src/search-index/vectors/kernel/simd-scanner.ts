import { MnemeError, must } from '../../../model/errors.ts';
import { type WebAssemblyMemory, assembleModule, findWebAssembly } from './instructions.ts';
import { type PageScanner, VECTORS_PER_PAGE, dotProduct, highestQueryCodeFor } from './port.ts';
import { BYTES_PER_SUMS, CODES_PER_STEP, compareFunction, scanFunction } from './scan-function.ts';

interface Kernel {
  readonly scan: (query: number, codes: number, scales: number, scores: number, rowBytes: number) => void;
  readonly compare: (query: number, list: number, listEnd: number, sums: number, rowBytes: number) => void;
}

const WASM_PAGE_BYTES = 65_536;
/** All that 32-bit addresses reach. */
const MAX_WASM_PAGES = 65_536;
const TABLE_BYTES = VECTORS_PER_PAGE * Float32Array.BYTES_PER_ELEMENT;

/** Undefined: not tried yet; null: this runtime has no WebAssembly SIMD. */
let compiled: { readonly scan: object; readonly compare: object } | null | undefined;

function compile(): typeof compiled {
  const wasm = findWebAssembly();
  const [scan, compare] = [assembleModule(scanFunction), assembleModule(compareFunction)];
  if (wasm?.validate(scan) !== true || !wasm.validate(compare)) return null;
  return { scan: new wasm.Module(scan), compare: new wasm.Module(compare) };
}

export function openScanner(dimensions: number): PageScanner {
  compiled ??= compile();
  const wasm = findWebAssembly();
  if (compiled === null || compiled === undefined || wasm === undefined) return new PlainScanner(dimensions);
  const memory = new wasm.Memory({ initial: 1 });
  const { exports: scan } = new wasm.Instance(compiled.scan, { kernel: { memory } });
  const { exports: compare } = new wasm.Instance(compiled.compare, { kernel: { memory } });
  return new SimdScanner(dimensions, memory, {
    scan: scan[scanFunction.name] as Kernel['scan'],
    compare: compare[compareFunction.name] as Kernel['compare'],
  });
}

/** Rows compared in one call. */
const ROWS_PER_CALL = 1024;

interface Views {
  readonly codes: Int8Array;
  readonly scales: Float32Array;
}

/**
 * Memory: the query, the scores of one page; the query in doubles, a list of rows and their sums; then the slots, each with its
 * codes and its scales.
 */
class SimdScanner implements PageScanner {
  readonly kind = 'simd';
  readonly rowBytes: number;
  readonly highestQueryCode: number;
  readonly #dimensions: number;
  readonly #memory: WebAssemblyMemory;
  readonly #kernel: Kernel;
  readonly #scoresAt: number;
  readonly #exactAt: number;
  readonly #listAt: number;
  readonly #sumsAt: number;
  readonly #slotsAt: number;
  readonly #codesBytes: number;
  /** By slot, until memory grows: making a view takes longer than reading a row through it. */
  readonly #views: Views[] = [];

  constructor(dimensions: number, memory: WebAssemblyMemory, kernel: Kernel) {
    this.#dimensions = dimensions;
    this.#memory = memory;
    this.#kernel = kernel;
    this.rowBytes = Math.ceil(dimensions / CODES_PER_STEP) * CODES_PER_STEP;
    this.highestQueryCode = highestQueryCodeFor(this.rowBytes);
    this.#scoresAt = this.rowBytes * Int16Array.BYTES_PER_ELEMENT;
    this.#exactAt = this.#scoresAt + TABLE_BYTES;
    this.#listAt = this.#exactAt + this.rowBytes * Float64Array.BYTES_PER_ELEMENT;
    this.#sumsAt = this.#listAt + ROWS_PER_CALL * Int32Array.BYTES_PER_ELEMENT;
    this.#slotsAt = this.#sumsAt + ROWS_PER_CALL * BYTES_PER_SUMS;
    this.#codesBytes = VECTORS_PER_PAGE * this.rowBytes;
    this.#reserve(this.#slotsAt);
  }

  writeSlot(slot: number, codes: Int8Array, scales: Float32Array): void {
    this.#reserve(this.#slotAt(slot + 1));
    const target = this.codesOf(slot);
    if (this.rowBytes === this.#dimensions) {
      target.set(codes);
    } else {
      // The space between the rows stays zero, as allocated.
      for (let row = 0; row < VECTORS_PER_PAGE; row++) {
        const start = row * this.#dimensions;
        target.set(codes.subarray(start, start + this.#dimensions), row * this.rowBytes);
      }
    }
    this.scalesOf(slot).set(scales);
  }

  setQuery(codes: Int16Array): void {
    new Int16Array(this.#memory.buffer, 0, this.rowBytes).set(codes);
  }

  scan(slot: number): Float32Array {
    const codesAt = this.#slotAt(slot);
    this.#kernel.scan(0, codesAt, codesAt + this.#codesBytes, this.#scoresAt, this.rowBytes);
    return new Float32Array(this.#memory.buffer, this.#scoresAt, VECTORS_PER_PAGE);
  }

  compare(query: Float64Array, rows: Int32Array, products: Float64Array): void {
    const { buffer } = this.#memory;
    new Float64Array(buffer, this.#exactAt, this.rowBytes).fill(0).set(query);
    const list = new Int32Array(buffer, this.#listAt, ROWS_PER_CALL);
    const sums = new Float64Array(buffer, this.#sumsAt, ROWS_PER_CALL * 4);
    for (let from = 0; from < rows.length; from += ROWS_PER_CALL) {
      const count = Math.min(ROWS_PER_CALL, rows.length - from);
      for (let index = 0; index < count; index += 1) {
        const row = rows[from + index] ?? 0;
        list[index] = this.#slotAt(Math.floor(row / VECTORS_PER_PAGE)) + (row % VECTORS_PER_PAGE) * this.rowBytes;
      }
      const listEnd = this.#listAt + count * Int32Array.BYTES_PER_ELEMENT;
      this.#kernel.compare(this.#exactAt, this.#listAt, listEnd, this.#sumsAt, this.rowBytes);
      for (let index = 0; index < count; index += 1) {
        const at = 4 * index;
        products[from + index] = (sums[at] ?? 0) + (sums[at + 1] ?? 0) + (sums[at + 2] ?? 0) + (sums[at + 3] ?? 0);
      }
    }
  }

  codesOf(slot: number): Int8Array {
    return this.#viewsOf(slot).codes;
  }

  scalesOf(slot: number): Float32Array {
    return this.#viewsOf(slot).scales;
  }

  #viewsOf(slot: number): Views {
    let views = this.#views[slot];
    if (views === undefined) {
      const { buffer } = this.#memory;
      const at = this.#slotAt(slot);
      views = {
        codes: new Int8Array(buffer, at, this.#codesBytes),
        scales: new Float32Array(buffer, at + this.#codesBytes, VECTORS_PER_PAGE),
      };
      this.#views[slot] = views;
    }
    return views;
  }

  #slotAt(slot: number): number {
    return this.#slotsAt + slot * (this.#codesBytes + TABLE_BYTES);
  }

  #reserve(bytes: number): void {
    const present = this.#memory.buffer.byteLength / WASM_PAGE_BYTES;
    const needed = Math.ceil(bytes / WASM_PAGE_BYTES);
    if (needed <= present) return;
    // A quarter ahead, since growing replaces the buffer; memory nobody has written to costs nothing.
    const wanted = Math.max(needed, Math.min(MAX_WASM_PAGES, Math.ceil(present * 1.25)));
    try {
      this.#memory.grow(wanted - present);
      this.#views.length = 0;
    } catch (error) {
      const megabytes = Math.ceil(bytes / 1e6);
      throw new MnemeError('failure', `There is no room for ${megabytes} MB of vectors in memory.`, {
        hint: 'Choose a model with fewer dimensions, or the PostgreSQL engine.',
        cause: error,
      });
    }
  }
}

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
