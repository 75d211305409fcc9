import { must } from '../../model/errors.ts';
import type { Embedder, EmbeddingKind } from './port.ts';

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
