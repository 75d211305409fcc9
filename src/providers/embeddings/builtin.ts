import { setImmediate as nextTurn } from 'node:timers/promises';
import { openEncoder, WIDTH, type Encoder } from '../../encoder/encoder.ts';
import { readModelManifest, type ModelManifest } from '../../encoder/model-files.ts';
import { MnemeError } from '../../model/errors.ts';
import type { Embedder } from './port.ts';
import { findTableFolder, openTable } from './token-table.ts';
import { WordPiece, languageFit } from './wordpiece.ts';

/** Encoded before others get a turn: a few hundredths of a second. */
const TOKENS_A_TURN = 128;

/** A model of our own, run in this process without anything to install. Loaded with the first text. */
class BuiltinEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions = WIDTH;
  readonly maxTokens: number;
  readonly languages = ['en'];
  readonly #folder: string;
  #model: BuiltinModel | undefined;
  #failure: unknown;
  #closed = false;

  constructor(folder: string, { name, version, maxTokens }: ModelManifest) {
    this.#folder = folder;
    this.id = `${name}:${version}:${WIDTH}`;
    this.maxTokens = maxTokens;
  }

  languageFit(text: string): number {
    return languageFit(text, this.#getModel().tokenizer);
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    const model = this.#getModel();
    const vectors: Float32Array[] = texts.map(() => new Float32Array(WIDTH));
    let waiting: { readonly place: number; readonly ids: readonly number[] }[] = [];
    let tokens = 0;
    const run = async (): Promise<void> => {
      const encoded = model.encoder.encode(waiting.map(({ ids }) => ids));
      for (const [number, { place }] of waiting.entries()) vectors[place] = encoded[number] ?? new Float32Array(WIDTH);
      waiting = [];
      tokens = 0;
    };
    for (const [place, text] of texts.entries()) {
      const ids = model.tokenize(text, this.maxTokens);
      if (ids === undefined) continue;
      if (tokens > 0 && tokens + ids.length > TOKENS_A_TURN) {
        await run();
        await nextTurn();
      }
      waiting.push({ place, ids });
      tokens += ids.length;
    }
    if (waiting.length > 0) await run();
    return vectors;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#model = undefined;
  }

  #getModel(): BuiltinModel {
    if (this.#closed) throw new MnemeError('failure', `The embedder ${this.id} is closed.`);
    if (this.#failure !== undefined) throw this.#failure;
    try {
      this.#model ??= new BuiltinModel(this.#folder);
      return this.#model;
    } catch (error) {
      // A damaged file stays damaged; reading it for every question would only cost time.
      this.#failure = error;
      throw error;
    }
  }
}

class BuiltinModel {
  readonly encoder: Encoder;
  /** The vocabulary is the static table's. */
  readonly tokenizer: WordPiece;
  readonly #first: number;
  readonly #last: number;

  constructor(folder: string) {
    this.encoder = openEncoder(folder);
    this.tokenizer = new WordPiece(openTable(findTableFolder()).pieces);
    this.#first = this.tokenizer.getId('[CLS]');
    this.#last = this.tokenizer.getId('[SEP]');
  }

  /** Undefined: nothing to embed. */
  tokenize(text: string, maxTokens: number): number[] | undefined {
    const ids = this.tokenizer.encode(text, maxTokens - 2);
    return ids.length === 0 ? undefined : [this.#first, ...ids, this.#last];
  }
}

export function openBuiltinEmbedder(folder: string): Embedder {
  return new BuiltinEmbedder(folder, readModelManifest(folder));
}
