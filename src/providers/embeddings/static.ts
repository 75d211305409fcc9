import { MnemeError } from '../../model/errors.ts';
import { languageFit } from './language-fit.ts';
import type { Embedder } from './port.ts';
import { findTableFolder, readTableManifest, TokenTable, type TableManifest } from './token-table.ts';
import { normalize } from './vector.ts';
import { WordPiece } from './wordpiece.ts';

/** Part of the id: changes whenever the same table would give other vectors. */
const RECIPE = 'sif1';
/** Bounds the time for a pathological text; an average over more words than this says nothing anyway. */
const MAX_TOKENS = 8192;
/** The vocabulary is sorted by frequency from here on; before it stand [PAD], [UNK] and unused places. */
const FIRST_RANKED_ID = 999;
const EULER = 0.577;
/**
 * The constant of smooth inverse frequency. Its authors recommend 1e-3 to 1e-4; measured on LoCoMo turns the lower end
 * is better alone and fused with BM25 (docs/embeddings.md).
 */
const SMOOTHING = 1e-4;

/**
 * The default: the average of context-free token vectors, rare tokens weighing more. No model runs, no corpus
 * statistics enter, so a text has the same vector everywhere and for ever.
 */
class StaticEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly maxTokens = MAX_TOKENS;
  readonly languages = ['en'];
  readonly #folder: string;
  readonly #manifest: TableManifest;
  #model: StaticModel | undefined;
  #closed = false;

  constructor(folder: string) {
    this.#folder = folder;
    this.#manifest = readTableManifest(folder);
    this.dimensions = this.#manifest.dimensions;
    this.id = `static-minilm:${RECIPE}-${this.#manifest.sha256.slice(0, 12)}:${this.dimensions}`;
  }

  languageFit(text: string): number {
    return languageFit(text, this.#getModel().tokenizer);
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    const model = this.#getModel();
    return texts.map((text) => model.embed(text));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#model = undefined;
  }

  #getModel(): StaticModel {
    if (this.#closed) throw new MnemeError('failure', 'The static embedder is closed.');
    this.#model ??= new StaticModel(this.#folder, this.#manifest);
    return this.#model;
  }
}

/** What is loaded on first use. */
class StaticModel {
  readonly tokenizer: WordPiece;
  readonly #table: TokenTable;
  /** Scale and weight of each token in one number. */
  readonly #factors: Float32Array;
  readonly #counts: Uint16Array;

  constructor(folder: string, manifest: TableManifest) {
    this.#table = new TokenTable(folder, manifest);
    this.tokenizer = new WordPiece({ vocabulary: this.#table.vocabulary });
    this.#factors = this.#table.scales.map((scale, id) => scale * tokenWeight(id, manifest.tokens));
    this.#counts = new Uint16Array(manifest.tokens);
  }

  embed(text: string): Float32Array {
    const ids = this.tokenizer.encode(text, MAX_TOKENS);
    const counts = this.#counts;
    for (const id of ids) counts[id] = (counts[id] ?? 0) + 1;
    const sum = new Float32Array(this.#table.dimensions);
    for (const id of ids) {
      const count = counts[id] ?? 0;
      if (count === 0) continue;
      // The root, because the fourth mention of a word adds less than the first.
      this.#table.addRow(id, (this.#factors[id] ?? 0) * Math.sqrt(count), sum);
      counts[id] = 0;
    }
    return normalize(sum);
  }
}

/** Smooth inverse frequency, with the frequency estimated from the token's rank by Zipf's law. */
function tokenWeight(id: number, tokens: number): number {
  const rank = Math.max(1, id - FIRST_RANKED_ID + 1);
  const frequency = 1 / (rank * (Math.log(tokens) + EULER));
  return SMOOTHING / (SMOOTHING + frequency);
}

export function openStaticEmbedder(folder: string = findTableFolder()): Embedder {
  return new StaticEmbedder(folder);
}
