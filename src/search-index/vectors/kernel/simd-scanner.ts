import { MnemeError } from '../../../model/errors.ts';
import { assembleModule } from './assemble.ts';
import { PlainScanner } from './plain-scanner.ts';
import { highestQueryCodeFor, VECTORS_PER_PAGE, type PageScanner } from './port.ts';
import { CODES_PER_STEP, scanFunction } from './scan-function.ts';
import { findWebAssembly, type WebAssemblyMemory } from './webassembly.ts';

type Scan = (query: number, codes: number, scales: number, scores: number, rowBytes: number) => void;

const WASM_PAGE_BYTES = 65_536;
/** All that 32-bit addresses reach. */
const MAX_WASM_PAGES = 65_536;
const TABLE_BYTES = VECTORS_PER_PAGE * Float32Array.BYTES_PER_ELEMENT;

/** Undefined: not tried yet; null: this runtime has no WebAssembly SIMD. */
let compiled: object | null | undefined;

function compile(): object | null {
  const wasm = findWebAssembly();
  const bytes = assembleModule(scanFunction);
  return wasm?.validate(bytes) === true ? new wasm.Module(bytes) : null;
}

/** The fastest scanner this runtime can run; its `kind` says which one that is. */
export function openScanner(dimensions: number): PageScanner {
  compiled ??= compile();
  const wasm = findWebAssembly();
  if (compiled === null || wasm === undefined) return new PlainScanner(dimensions);
  const memory = new wasm.Memory({ initial: 1 });
  const { exports } = new wasm.Instance(compiled, { kernel: { memory } });
  return new SimdScanner(dimensions, memory, exports[scanFunction.name] as Scan);
}

/** Memory: the query, the scores of one page, then the slots, each with its codes and its scales. */
class SimdScanner implements PageScanner {
  readonly kind = 'simd';
  readonly rowBytes: number;
  readonly highestQueryCode: number;
  readonly #dimensions: number;
  readonly #memory: WebAssemblyMemory;
  readonly #scan: Scan;
  readonly #scoresAt: number;
  readonly #slotsAt: number;
  readonly #codesBytes: number;

  constructor(dimensions: number, memory: WebAssemblyMemory, scan: Scan) {
    this.#dimensions = dimensions;
    this.#memory = memory;
    this.#scan = scan;
    this.rowBytes = Math.ceil(dimensions / CODES_PER_STEP) * CODES_PER_STEP;
    this.highestQueryCode = highestQueryCodeFor(this.rowBytes);
    this.#scoresAt = this.rowBytes * Int16Array.BYTES_PER_ELEMENT;
    this.#slotsAt = this.#scoresAt + TABLE_BYTES;
    this.#codesBytes = VECTORS_PER_PAGE * this.rowBytes;
    this.#reserve(this.#slotsAt);
  }

  writeSlot(slot: number, codes: Int8Array, scales: Float32Array): void {
    this.#reserve(this.#slotAt(slot + 1));
    const target = this.codesOf(slot);
    if (this.rowBytes === this.#dimensions) {
      target.set(codes);
    } else {
      // What is between the rows stays as it came: zero.
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
    this.#scan(0, codesAt, codesAt + this.#codesBytes, this.#scoresAt, this.rowBytes);
    return new Float32Array(this.#memory.buffer, this.#scoresAt, VECTORS_PER_PAGE);
  }

  codesOf(slot: number): Int8Array {
    return new Int8Array(this.#memory.buffer, this.#slotAt(slot), this.#codesBytes);
  }

  scalesOf(slot: number): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#slotAt(slot) + this.#codesBytes, VECTORS_PER_PAGE);
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
    } catch (error) {
      const megabytes = Math.ceil(bytes / 1e6);
      throw new MnemeError('failure', `There is no room for ${megabytes} MB of vectors in memory.`, {
        hint: 'Choose a model with fewer dimensions, or the PostgreSQL engine.',
        cause: error,
      });
    }
  }
}
