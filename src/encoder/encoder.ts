import { MnemeError } from '../model/errors.ts';
import {
  KERNELS,
  readKernel,
  readModelManifest,
  readWeights,
  type KernelName,
  type ModelManifest,
  type WeightsFile,
} from './model-files.ts';

/** The part of WebAssembly that the encoder uses; its types come with browsers' libraries, which are not loaded here. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  readonly grow: (pages: number) => number;
}

interface WasmModule {
  readonly isCompiled: unique symbol;
}

interface WebAssemblyApi {
  readonly validate: (bytes: Uint8Array) => boolean;
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule) => { readonly exports: unknown };
}

const { WebAssembly: webAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };

export const WIDTH = 384;

/** The most tokens the kernel takes in one call, over all texts. */
export const MAX_TOKENS_A_CALL = 512;
const PAGE_BYTES = 65_536;
const ALIGNMENT = 64;

interface KernelExports {
  readonly memory: WasmMemory;
  readonly ids: () => number;
  readonly lengths: () => number;
  readonly pooled: () => number;
  readonly states: () => number;
  readonly weights: () => number;
  readonly openWords: () => void;
  readonly openLayers: (address: number) => void;
  readonly encode: (texts: number) => void;
}

/** The layers that read a text. */
type Layers = 'vectors' | 'judge';

/**
 * Runs an exported model: token ids in, vectors or token states out. Synchronous, because a call takes milliseconds; who
 * encodes much calls it in pieces. A text gets the same vector in any company.
 */
export class Encoder {
  readonly manifest: ModelManifest;
  readonly kernel: KernelName;
  readonly #folder: string;
  readonly #exports: KernelExports;
  readonly #addresses = new Map<Layers, number>();
  #current: Layers | undefined;
  /** Layers that cannot be read are not read again with every text. */
  readonly #damaged = new Map<Layers, unknown>();
  #end: number;

  private constructor(folder: string, manifest: ModelManifest, kernel: KernelName, exports: KernelExports) {
    this.#folder = folder;
    this.manifest = manifest;
    this.kernel = kernel;
    this.#exports = exports;
    this.#end = exports.weights();
    this.#load(manifest.words);
    exports.openWords();
  }

  /** Loads a model's words, with the first of the kernels that this engine can run; its layers follow when they are used. */
  static open(folder: string, kernels: readonly KernelName[] = KERNELS): Encoder {
    const manifest = readModelManifest(folder);
    const [name, module] = compileKernel(kernels);
    return new Encoder(folder, manifest, name, new webAssembly.Instance(module).exports as KernelExports);
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
      this.#run('vectors', texts.slice(start, end));
      const pooled = new Float32Array(this.#exports.memory.buffer, this.#exports.pooled(), (end - start) * WIDTH);
      for (let at = 0; at < end - start; at += 1) vectors.push(pooled.slice(at * WIDTH, (at + 1) * WIDTH));
      start = end;
    }
    return vectors;
  }

  /** The states of a text's tokens one after the other, as the judge's layers leave them. Overwritten by the next call. */
  read(text: readonly number[]): Float32Array {
    if (text.length > MAX_TOKENS_A_CALL)
      throw new MnemeError('usage', `A text has more than ${MAX_TOKENS_A_CALL} tokens.`);
    this.#run('judge', [text]);
    return new Float32Array(this.#exports.memory.buffer, this.#exports.states(), text.length * WIDTH);
  }

  #run(layers: Layers, texts: readonly (readonly number[])[]): void {
    this.#use(layers);
    const { memory, ids, lengths, encode } = this.#exports;
    const allIds = new Int32Array(memory.buffer, ids(), MAX_TOKENS_A_CALL);
    const allLengths = new Int32Array(memory.buffer, lengths(), MAX_TOKENS_A_CALL);
    let at = 0;
    for (const [number, text] of texts.entries()) {
      allIds.set(text, at);
      allLengths[number] = text.length;
      at += text.length;
    }
    encode(texts.length);
  }

  #use(layers: Layers): void {
    if (this.#current === layers) return;
    if (this.#damaged.has(layers)) throw this.#damaged.get(layers);
    const address = this.#addresses.get(layers) ?? this.#loadLayers(layers);
    this.#addresses.set(layers, address);
    this.#exports.openLayers(address);
    this.#current = layers;
  }

  #loadLayers(layers: Layers): number {
    try {
      return this.#load(this.manifest[layers]);
    } catch (error) {
      this.#damaged.set(layers, error);
      throw error;
    }
  }

  /** Reads weights straight into the kernel's memory, so that they are there once; tells where they begin. */
  #load(weights: WeightsFile): number {
    const { memory } = this.#exports;
    const start = Math.ceil(this.#end / ALIGNMENT) * ALIGNMENT;
    const missing = start + weights.bytes - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
    readWeights(this.#folder, weights, new Uint8Array(memory.buffer, start, weights.bytes));
    this.#end = start + weights.bytes;
    return start;
  }
}

const opened = new Map<string, WeakRef<Encoder>>();

/** The model of a folder, once for a process: vectors and judge share its words. */
export function openEncoder(folder: string): Encoder {
  const known = opened.get(folder)?.deref();
  if (known !== undefined) return known;
  const encoder = Encoder.open(folder);
  opened.set(folder, new WeakRef(encoder));
  return encoder;
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
