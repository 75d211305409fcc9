import { MnemeError, must } from '../../model/errors.ts';
import { type Embedder, type EmbeddingKind, normalize, sliceBatches } from './port.ts';

/** The differences between services. */
export interface RemoteModel {
  readonly id: string;
  readonly service: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly batchSize: number;
  /** One list of numbers per text, in the order given; whatever the service sent. */
  request(texts: readonly string[], kind: EmbeddingKind): Promise<readonly (readonly number[])[]>;
}

/** A text's tokens are not counted but bounded: no tokeniser makes more of a character than this. */
const TOKENS_PER_ASCII_CHARACTER = 0.5;
const TOKENS_PER_OTHER_CHARACTER = 2;

/** Vectors from a service: what every one of them needs around its own protocol. */
export class RemoteEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly languages = undefined;
  readonly #model: RemoteModel;
  #closed = false;

  constructor(model: RemoteModel) {
    this.#model = model;
    this.id = model.id;
    this.dimensions = model.dimensions;
    this.maxTokens = model.maxTokens;
  }

  async embed(texts: readonly string[], kind: EmbeddingKind): Promise<Float32Array[]> {
    if (this.#closed) throw new MnemeError('failure', `The embedder ${this.id} is closed.`);
    const vectors: Float32Array[] = texts.map(() => new Float32Array(this.dimensions));
    // Services refuse an empty text, and one refused text fails its whole batch.
    const wanted = texts.flatMap((text, index) => (text.trim() === '' ? [] : [index]));
    for (const batch of sliceBatches(wanted, this.#model.batchSize)) {
      const cut = batch.map((index) => cutToTokens(texts[index] ?? '', this.maxTokens));
      const results = await this.#model.request(cut, kind);
      batch.forEach((index, position) => {
        vectors[index] = checkVector(results[position], results.length, batch.length, this.#model);
      });
    }
    return vectors;
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}

function checkVector(
  values: readonly number[] | undefined,
  received: number,
  expected: number,
  { service, dimensions, id }: RemoteModel,
): Float32Array {
  if (received !== expected) throw wrongAnswer(service, `${received} vectors for ${expected} texts`);
  const vector = Float32Array.from(must(values, 'a vector'));
  if (vector.length !== dimensions) {
    throw wrongAnswer(service, `a vector of ${vector.length} dimensions where ${id} has ${dimensions}`);
  }
  if (!vector.every(Number.isFinite)) throw wrongAnswer(service, 'a vector with something else than numbers in it');
  return normalize(vector);
}

function wrongAnswer(service: string, what: string): MnemeError {
  return new MnemeError('failure', `${service} sent ${what}.`, {
    hint: 'Set embedding.dimensions to a length the model has, or to null for its own.',
  });
}

/** The beginning of the text that is certain to fit. */
export function cutToTokens(text: string, maxTokens: number): string {
  if (text.length * TOKENS_PER_OTHER_CHARACTER <= maxTokens) return text;
  let tokens = 0;
  let end = 0;
  for (const character of text) {
    tokens += character < '\u0080' ? TOKENS_PER_ASCII_CHARACTER : TOKENS_PER_OTHER_CHARACTER;
    if (tokens > maxTokens) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** The length of a model's vectors when nobody knows it: embeds one word. */
export async function probeDimensions(request: RemoteModel['request']): Promise<number> {
  const [vector] = await request(['dimensions'], 'document');
  return must(vector, 'a vector for the probe').length;
}
