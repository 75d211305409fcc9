import { MnemeError, errorMessage, must } from '../../model/errors.ts';
import { hashFile, readModelFolder, type ModelFolder } from './model-folder.ts';
import { type Embedder, type EmbeddingKind, type Prompts, normalize, planBatches, promptsTag } from './port.ts';

const RUNTIME_PACKAGE = 'onnxruntime-node';

/** The part of onnxruntime-node that is used; the package is optional, so its types cannot be imported. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: string | Uint8Array, options: Readonly<Record<string, unknown>>): Promise<OnnxSession>;
  };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dimensions: readonly number[]) => OnnxTensor;
}

export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxTensor>>>;
  release(): Promise<void>;
}

export interface OnnxTensor {
  readonly data: Float32Array | BigInt64Array;
  readonly dims: readonly number[];
}

export type ImportPackage = (name: string) => Promise<unknown>;

const importInstalled: ImportPackage = (name) => import(name);

export async function loadOnnxRuntime(importPackage: ImportPackage = importInstalled): Promise<OnnxRuntime> {
  let loaded: unknown;
  try {
    loaded = await importPackage(RUNTIME_PACKAGE);
  } catch (error) {
    throw isMissing(error) ? notInstalled(error) : notLoadable(error);
  }
  for (const candidate of [loaded, (loaded as { default?: unknown }).default])
    if (isRuntime(candidate)) return candidate;
  throw notLoadable(new Error('it does not export InferenceSession and Tensor'));
}

function isRuntime(candidate: unknown): candidate is OnnxRuntime {
  return (
    typeof candidate === 'object' && candidate !== null && 'InferenceSession' in candidate && 'Tensor' in candidate
  );
}

/** The package itself is missing, rather than something it needs. */
function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const missing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return missing && errorMessage(error).includes(`'${RUNTIME_PACKAGE}'`);
}

function notInstalled(cause: unknown): MnemeError {
  return new MnemeError(
    'not-found',
    `Embedding with onnx needs the package ${RUNTIME_PACKAGE}, which is not installed.`,
    {
      hint:
        `Run: npm install ${RUNTIME_PACKAGE} (with -g if mneme is installed so). If its install script cannot download, ` +
        `ONNXRUNTIME_NODE_INSTALL=skip npm install ${RUNTIME_PACKAGE} is enough for the CPU.`,
      cause,
    },
  );
}

function notLoadable(cause: unknown): MnemeError {
  return new MnemeError('failure', `The package ${RUNTIME_PACKAGE} cannot be loaded: ${errorMessage(cause)}.`, {
    hint: `Install it again: npm install ${RUNTIME_PACKAGE}. There are builds for Linux, macOS and Windows on x64 and arm64.`,
    cause,
  });
}

export interface OnnxOptions {
  readonly folder: string;
  readonly batchSize: number;
  /** In front of every text; by default what the model's folder says. */
  readonly prompts?: Prompts;
  readonly importPackage?: ImportPackage | undefined;
}

/** More threads than this slow down whatever else the machine does, for little speed. */
const THREADS = 2;

/** Loads the model; the version in the id is the hash of its bytes. */
export async function openOnnxEmbedder(options: OnnxOptions): Promise<Embedder> {
  const runtime = await loadOnnxRuntime(options.importPackage);
  const folder = readModelFolder(options.folder);
  const model = { ...folder, prompts: options.prompts ?? folder.prompts };
  const version = await hashFile(model.modelFile);
  const session = await openSession(runtime, model.modelFile);
  const encoder = new OnnxEncoder(runtime, session, model.pooling);
  const [probe] = await encoder.run([frame(model, [])]);
  const dimensions = must(probe, 'a vector for the probe').length;
  const id = `onnx/${model.name}:${version.slice(0, 12)}${promptsTag(model.prompts)}:${dimensions}`;
  return new OnnxEmbedder({ id, dimensions, model, encoder, batchSize: options.batchSize });
}

async function openSession(runtime: OnnxRuntime, modelFile: string): Promise<OnnxSession> {
  try {
    return await runtime.InferenceSession.create(modelFile, {
      intraOpNumThreads: THREADS,
      interOpNumThreads: 1,
      graphOptimizationLevel: 'all',
    });
  } catch (error) {
    throw new MnemeError('failure', `${modelFile} cannot be loaded: ${errorMessage(error)}`, {
      hint: 'The file may be damaged or in parts (model.onnx_data, not supported); download the model again.',
      cause: error,
    });
  }
}

/** Token ids in, one vector per row out. */
export class OnnxEncoder {
  readonly #runtime: OnnxRuntime;
  readonly #session: OnnxSession;
  readonly #pooling: ModelFolder['pooling'];

  constructor(runtime: OnnxRuntime, session: OnnxSession, pooling: ModelFolder['pooling']) {
    this.#runtime = runtime;
    this.#session = session;
    this.#pooling = pooling;
  }

  async run(rows: readonly (readonly number[])[]): Promise<Float32Array[]> {
    const sequence = Math.max(...rows.map((row) => row.length));
    const ids = new BigInt64Array(rows.length * sequence);
    const mask = new BigInt64Array(rows.length * sequence);
    rows.forEach((row, batch) => {
      row.forEach((id, position) => {
        ids[batch * sequence + position] = BigInt(id);
        mask[batch * sequence + position] = 1n;
      });
    });
    const inputs: Readonly<Record<string, BigInt64Array>> = {
      input_ids: ids,
      attention_mask: mask,
      token_type_ids: new BigInt64Array(ids.length),
    };
    const feeds: Record<string, OnnxTensor> = {};
    for (const name of this.#session.inputNames) {
      const values = must(inputs[name], `a value for the model's input ${name}`);
      feeds[name] = new this.#runtime.Tensor('int64', values, [rows.length, sequence]);
    }
    const lengths = rows.map((row) => row.length);
    return this.#pool(this.#pickOutput(await this.#session.run(feeds)), lengths).map(normalize);
  }

  release(): Promise<void> {
    return this.#session.release();
  }

  #pickOutput(outputs: Readonly<Record<string, OnnxTensor>>): OnnxTensor {
    const names = ['sentence_embedding', 'last_hidden_state', ...this.#session.outputNames];
    return must(outputs[names.find((name) => name in outputs) ?? ''], "the model's output");
  }

  /** Some exports pool themselves and return one vector per text, most return one per token. */
  #pool({ data, dims }: OnnxTensor, lengths: readonly number[]): Float32Array[] {
    const width = dims.at(-1) ?? 0;
    const values = data as Float32Array;
    if (dims.length === 2) return lengths.map((_, row) => values.slice(row * width, (row + 1) * width));
    const pool = this.#pooling === 'mean' ? poolMean : poolFirst;
    return pool(values, lengths, dims[1] ?? 0, width);
  }
}

/** [CLS] text [SEP], cut to what the model was trained on. */
function frame(model: ModelFolder, ids: readonly number[]): number[] {
  return [model.tokenizer.getId('[CLS]'), ...ids, model.tokenizer.getId('[SEP]')];
}

interface OnnxParts {
  readonly id: string;
  readonly dimensions: number;
  readonly model: ModelFolder;
  readonly encoder: OnnxEncoder;
  readonly batchSize: number;
}

class OnnxEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly languages = undefined;
  readonly #parts: OnnxParts;
  #closed = false;

  constructor(parts: OnnxParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.dimensions = parts.dimensions;
    this.maxTokens = parts.model.maxTokens;
  }

  async embed(texts: readonly string[], kind: EmbeddingKind): Promise<Float32Array[]> {
    if (this.#closed) throw new MnemeError('failure', `The embedder ${this.id} is closed.`);
    const { model, encoder, batchSize } = this.#parts;
    const rows = texts.map((text) => this.#encode(text, kind));
    const vectors: Float32Array[] = texts.map(() => new Float32Array(this.dimensions));
    const wanted = rows.flatMap((row, index) => (row === undefined ? [] : [{ row, index }]));
    for (const batch of planBatches(
      wanted.map(({ row }) => row.length),
      batchSize,
    )) {
      const items = batch.map((position) => must(wanted[position], 'a text of the batch'));
      const results = await encoder.run(items.map(({ row }) => frame(model, row)));
      items.forEach(({ index }, position) => {
        vectors[index] = must(results[position], 'a vector of the batch');
      });
    }
    return vectors;
  }

  /** Undefined: nothing to embed. */
  #encode(text: string, kind: EmbeddingKind): number[] | undefined {
    const { tokenizer, prompts } = this.#parts.model;
    if (tokenizer.encode(text, 1).length === 0) return undefined;
    return tokenizer.encode(prompts[kind] + text, this.maxTokens - 2);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#parts.encoder.release();
  }
}

/** Averages the vectors of each text's own tokens, leaving out the padding. `hidden` is [texts × sequence × width]. */
function poolMean(hidden: Float32Array, lengths: readonly number[], sequence: number, width: number): Float32Array[] {
  return lengths.map((length, row) => {
    const mean = new Float32Array(width);
    const start = row * sequence * width;
    for (let position = start; position < start + length * width; position++) {
      const column = (position - start) % width;
      mean[column] = (mean[column] ?? 0) + (hidden[position] ?? 0) / length;
    }
    return mean;
  });
}

/** The vector of each text's first token, [CLS]. */
function poolFirst(hidden: Float32Array, lengths: readonly number[], sequence: number, width: number): Float32Array[] {
  return lengths.map((_, row) => hidden.slice(row * sequence * width, (row * sequence + 1) * width));
}
