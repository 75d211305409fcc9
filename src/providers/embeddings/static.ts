import { MnemeError } from '../../model/errors.ts';
import { type Embedder, normalize } from './port.ts';
import { findTableFolder, openTable, readTableManifest, type TableManifest, type TokenTable } from './token-table.ts';
import { WordPiece, languageFit } from './wordpiece.ts';

/** Part of the id: changes whenever the same table would give other vectors. */
const RECIPE = 'sif1';
/** Bounds the time for a pathological text; an average over more words than this says nothing anyway. */
const MAX_TOKENS = 8192;
/**
 * BERT's vocabulary lists whole words by frequency from here ("the") on. Before it stand placeholders, punctuation and
 * single characters, which are in every text and weigh like its most frequent word.
 */
const FIRST_WORD_ID = 1996;
const EULER = 0.577;
/** The constant of smooth inverse frequency, as its authors recommend it; measured in docs/embeddings.md. */
const SMOOTHING = 1e-3;

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

  rarity(word: string): number {
    return this.#getModel().rarity(word);
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

/** The data loaded on first use. */
class StaticModel {
  readonly tokenizer: WordPiece;
  readonly #table: TokenTable;
  readonly #counts: Uint16Array;
  readonly #frequencyScale: number;

  constructor(folder: string, manifest: TableManifest) {
    this.#table = openTable(folder, manifest);
    this.tokenizer = new WordPiece(this.#table.pieces);
    this.#counts = new Uint16Array(manifest.tokens);
    this.#frequencyScale = 1 / (Math.log(manifest.tokens) + EULER);
  }

  embed(text: string): Float32Array {
    const ids = this.tokenizer.encode(text, MAX_TOKENS);
    const counts = this.#counts;
    for (const id of ids) counts[id] = (counts[id] ?? 0) + 1;
    const sum = new Float32Array(this.#table.dimensions);
    try {
      for (const id of ids) {
        const count = counts[id] ?? 0;
        if (count === 0) continue;
        counts[id] = 0;
        // The root, because the fourth mention of a word adds less than the first.
        const factor = (this.#table.scales[id] ?? 0) * this.#weightOf(id) * Math.sqrt(count);
        this.#table.addRow(id, factor, sum);
      }
    } finally {
      // A damaged block ends the loop early; the next text must not inherit what was left to count.
      for (const id of ids) counts[id] = 0;
    }
    return normalize(sum);
  }

  /** By its rank among the words of the vocabulary; what is not among them is as rare as can be. */
  rarity(word: string): number {
    const [id, ...more] = this.tokenizer.encodeWord(word);
    if (id === undefined || id === this.tokenizer.unknownId || more.length > 0) return 1;
    return Math.log(Math.max(1, id - FIRST_WORD_ID + 1)) / Math.log(this.#counts.length);
  }

  /** Smooth inverse frequency, with the frequency estimated from the token's rank by Zipf's law. */
  #weightOf(id: number): number {
    const frequency = this.#frequencyScale / Math.max(1, id - FIRST_WORD_ID + 1);
    return SMOOTHING / (SMOOTHING + frequency);
  }
}

export function openStaticEmbedder(folder: string = findTableFolder()): Embedder {
  return new StaticEmbedder(folder);
}
