import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { errorMessage, MnemeError } from '../model/errors.ts';
import { webAssembly, type WasmMemory, type WasmModule } from '../platform/web-assembly.ts';
import {
  damagedModel,
  KERNELS,
  readKernel,
  readModelManifest,
  type KernelName,
  type ModelManifest,
} from './model-files.ts';

export const WIDTH = 384;

/** The most tokens the kernel takes in one call, over all texts. */
const MAX_TOKENS_A_CALL = 512;
const PAGE_BYTES = 65_536;

interface KernelExports {
  readonly memory: WasmMemory;
  readonly ids: () => number;
  readonly lengths: () => number;
  readonly pooled: () => number;
  readonly states: () => number;
  readonly weights: () => number;
  readonly open: () => void;
  readonly encode: (texts: number) => void;
}

/**
 * Runs an exported model: token ids in, vectors out. Synchronous, because a call takes milliseconds; who encodes much
 * calls it in pieces. A text gets the same vector in any company.
 */
export class Encoder {
  readonly manifest: ModelManifest;
  readonly kernel: KernelName;
  readonly #exports: KernelExports;
  readonly #ids: Int32Array;
  readonly #lengths: Int32Array;
  readonly #pooled: Float32Array;

  private constructor(manifest: ModelManifest, kernel: KernelName, exports: KernelExports) {
    this.manifest = manifest;
    this.kernel = kernel;
    this.#exports = exports;
    const { buffer } = exports.memory;
    this.#ids = new Int32Array(buffer, exports.ids(), MAX_TOKENS_A_CALL);
    this.#lengths = new Int32Array(buffer, exports.lengths(), MAX_TOKENS_A_CALL);
    this.#pooled = new Float32Array(buffer, exports.pooled(), MAX_TOKENS_A_CALL * WIDTH);
  }

  /** Loads a model; with the first of the kernels that this engine can run. */
  static open(folder: string, kernels: readonly KernelName[] = KERNELS): Encoder {
    const manifest = readModelManifest(folder);
    const [name, module] = compileKernel(kernels);
    const exports = new webAssembly.Instance(module).exports as KernelExports;
    loadWeights(folder, manifest, exports);
    exports.open();
    return new Encoder(manifest, name, exports);
  }

  /** One vector of length 1 for each text, given as its token ids with the tokens that frame it. */
  encode(texts: readonly (readonly number[])[]): Float32Array[] {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length;) {
      let end = start;
      let tokens = 0;
      while (end < texts.length && tokens + (texts[end]?.length ?? 0) <= MAX_TOKENS_A_CALL) {
        tokens += texts[end]?.length ?? 0;
        end += 1;
      }
      if (end === start) throw new MnemeError('usage', `A text has more than ${MAX_TOKENS_A_CALL} tokens.`);
      this.#run(texts.slice(start, end), vectors);
      start = end;
    }
    return vectors;
  }

  #run(texts: readonly (readonly number[])[], vectors: Float32Array[]): void {
    let at = 0;
    for (const [number, text] of texts.entries()) {
      this.#ids.set(text, at);
      this.#lengths[number] = text.length;
      at += text.length;
    }
    this.#exports.encode(texts.length);
    for (const number of texts.keys()) vectors.push(this.#pooled.slice(number * WIDTH, (number + 1) * WIDTH));
  }
}

function compileKernel(names: readonly KernelName[]): readonly [KernelName, WasmModule] {
  for (const name of names) {
    const bytes = readKernel(name);
    if (webAssembly.validate(bytes)) return [name, new webAssembly.Module(bytes)];
  }
  throw new MnemeError('failure', 'This Node cannot run the model: it has no WebAssembly SIMD.', {
    hint: 'Use a newer Node, or set embedding.provider to static.',
  });
}

/** Reads the weights straight into the kernel's memory, so that they are there once. */
function loadWeights(folder: string, { weights }: ModelManifest, exports: KernelExports): void {
  const file = path.join(folder, weights.file);
  const start = exports.weights();
  const missing = start + weights.bytes - exports.memory.buffer.byteLength;
  if (missing > 0) exports.memory.grow(Math.ceil(missing / PAGE_BYTES));
  const target = new Uint8Array(exports.memory.buffer, start, weights.bytes);
  try {
    const descriptor = fs.openSync(file, 'r');
    try {
      // A short file leaves zeros; the hash then differs.
      for (let filled = 0; filled < weights.bytes;) {
        const count = fs.readSync(descriptor, target, filled, weights.bytes - filled, filled);
        if (count === 0) break;
        filled += count;
      }
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    throw damagedModel(file, errorMessage(error), error);
  }
  if (hash('sha256', target) !== weights.sha256) throw damagedModel(file, 'its SHA-256 is not the one in model.json');
}
