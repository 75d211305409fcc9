import path from 'node:path';
import { findModelFolder } from '../../encoder/model-files.ts';
import type { Config } from '../../model/config/schema.ts';
import { unreachable, must } from '../../model/errors.ts';
import { openBuiltinEmbedder } from './builtin.ts';
import { openGeminiEmbedder } from './gemini.ts';
import { systemHttp, type CallLimits, type HttpDeps } from './http.ts';
import { getModel, type HubOptions } from './model-folder.ts';
import { openOllamaEmbedder } from './ollama.ts';
import { type ImportPackage, openOnnxEmbedder } from './onnx.ts';
import { openOpenAiEmbedder } from './openai.ts';
import type { Embedder, EmbeddingKind } from './port.ts';
import { openStaticEmbedder } from './static.ts';

/** Google's own name for it. */
export const GEMINI_KEY = 'GEMINI_API_KEY';
/** Texts in one call: every service takes as many. */
const BATCH_SIZE = 50;
/** A service that is busy is so for seconds; one that failed four times is down. */
const MAX_RETRIES = 3;
/** A local server may load its model first. */
const TIMEOUT_MS = 60_000;
/** Vectors of recent texts in memory, some 15 MB; all of them are kept in the index. */
const CACHE_ENTRIES = 10_000;

export type EmbeddingConfig = Config['embedding'];
export type EmbeddingProvider = Exclude<EmbeddingConfig['provider'], 'auto'>;

export interface EmbeddingDeps {
  /** The value of an environment variable; keys are read through it when they are needed and never kept in a log. */
  readonly readVariable: (name: string) => string | undefined;
  /** The base folder of a relative `embedding.onnx.model`. */
  readonly baseFolder: string;
  /** Where downloaded models are kept. */
  readonly modelsFolder: string;
  /** Where the model of the package lies, if not in its assets. */
  readonly packagedModel?: string | undefined;
  readonly http?: HttpDeps;
  readonly importPackage?: ImportPackage;
  readonly hubUrl?: string;
  readonly geminiUrl?: string;
  readonly maxRetries?: number;
  readonly downloadsModels?: boolean;
}

/** Opens one provider; undefined for `none`. What cannot be had is an error that says what to do. */
export async function openProvider(
  provider: EmbeddingProvider,
  config: EmbeddingConfig,
  deps: EmbeddingDeps,
): Promise<Embedder | undefined> {
  const http = deps.http ?? systemHttp;
  const limits: CallLimits = { timeoutMs: TIMEOUT_MS, maxRetries: deps.maxRetries ?? MAX_RETRIES };
  const shared = { batchSize: BATCH_SIZE, dimensions: config.dimensions ?? undefined, limits };
  const cached = (embedder: Embedder): Embedder => withCache(embedder, CACHE_ENTRIES);
  switch (provider) {
    case 'none':
      return undefined;
    case 'static':
      // Faster than a cache would be.
      return openStaticEmbedder();
    case 'builtin':
      return cached(openBuiltinEmbedder(findBuiltinFolder(config, deps)));
    case 'onnx': {
      const folder = await getModel(hubOptions(config, deps), http);
      return cached(await openOnnxEmbedder({ folder, batchSize: BATCH_SIZE, importPackage: deps.importPackage }));
    }
    case 'openai': {
      const { model, base_url: baseUrl, api_key_env: variable } = config.openai;
      const apiKey = deps.readVariable(variable);
      return cached(await openOpenAiEmbedder({ ...shared, model, baseUrl, apiKey }, http));
    }
    case 'gemini': {
      const apiKey = deps.readVariable(GEMINI_KEY);
      const options = { ...shared, model: config.gemini.model, apiKey, baseUrl: deps.geminiUrl };
      return cached(await openGeminiEmbedder(options, http));
    }
    case 'ollama': {
      const { model, base_url: baseUrl } = config.ollama;
      return cached(await openOllamaEmbedder({ ...shared, model, baseUrl }, http));
    }
    default:
      return unreachable(provider);
  }
}

export function hubOptions(config: EmbeddingConfig, deps: EmbeddingDeps): HubOptions {
  return {
    model: config.onnx.model,
    // Asked for by choosing onnx; `auto` looks only at what is on the disk.
    downloadIfMissing: deps.downloadsModels ?? true,
    baseFolder: deps.baseFolder,
    modelsFolder: deps.modelsFolder,
    hubUrl: deps.hubUrl,
  };
}

/** The folder that the settings name, or the package's own. */
function findBuiltinFolder({ builtin }: EmbeddingConfig, { baseFolder, packagedModel }: EmbeddingDeps): string {
  return builtin.model === null ? (packagedModel ?? findModelFolder()) : path.resolve(baseFolder, builtin.model);
}

/**
 * Remembers the vectors of the questions last asked, so that a repeated one costs nothing. Documents are not kept: each
 * is embedded once, and the index keeps its vector.
 */
export function withCache(embedder: Embedder, maxEntries: number): Embedder {
  return maxEntries === 0 ? embedder : new CachedEmbedder(embedder, maxEntries);
}

class CachedEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly languages: readonly string[] | undefined;
  readonly #inner: Embedder;
  readonly #maxEntries: number;
  /** In order of use, the oldest first: a Map keeps the order of insertion. */
  readonly #vectors = new Map<string, Float32Array>();

  constructor(inner: Embedder, maxEntries: number) {
    this.#inner = inner;
    this.#maxEntries = maxEntries;
    this.id = inner.id;
    this.dimensions = inner.dimensions;
    this.maxTokens = inner.maxTokens;
    this.languages = inner.languages;
  }

  languageFit(text: string): number {
    return this.#inner.languageFit?.(text) ?? 1;
  }

  async embed(texts: readonly string[], kind: EmbeddingKind): Promise<Float32Array[]> {
    if (kind === 'document') return this.#inner.embed(texts, kind);
    const known = new Map<string, Float32Array>();
    for (const text of texts) {
      const vector = this.#vectors.get(text);
      if (vector !== undefined) known.set(text, vector);
    }
    const missing = [...new Set(texts)].filter((text) => !known.has(text));
    const fresh = missing.length === 0 ? [] : await this.#inner.embed(missing, kind);
    missing.forEach((text, index) => known.set(text, must(fresh[index], 'a vector')));
    for (const [text, vector] of known) this.#remember(text, vector);
    // Copies: a caller may change what it got.
    return texts.map((text) => must(known.get(text), 'a vector').slice());
  }

  #remember(text: string, vector: Float32Array): void {
    this.#vectors.delete(text);
    this.#vectors.set(text, vector);
    if (this.#vectors.size <= this.#maxEntries) return;
    const [oldest] = this.#vectors.keys();
    if (oldest !== undefined) this.#vectors.delete(oldest);
  }

  async close(): Promise<void> {
    this.#vectors.clear();
    await this.#inner.close();
  }
}
