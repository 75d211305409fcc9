/** Some models embed a question differently from the text that answers it. */
export type EmbeddingKind = 'query' | 'document';

/** Turns texts into vectors whose dot product says how close their meanings are. */
export interface Embedder {
  /** Model, version and dimensions. Tags every stored vector: only vectors of the same id can be compared. */
  readonly id: string;
  readonly dimensions: number;
  /** Longer texts are cut to this length before they are embedded. */
  readonly maxTokens: number;
  /** Languages the model was made for; undefined: not known, or many. */
  readonly languages: readonly string[] | undefined;
  /** The reliability of the model for this text, from 0 (another language) to 1; absent: no opinion. */
  languageFit?(text: string): number;
  /** The rarity of a word, from 0 (the most frequent) to 1; absent: not known. */
  rarity?(word: string): number;
  /**
   * One vector per text, in the order given, of length 1. A text with nothing to embed gets the zero vector, which is
   * close to nothing.
   */
  embed(texts: readonly string[], kind: EmbeddingKind): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/**
 * Groups texts into batches of similar length, because every text of a batch is padded to the longest one.
 * Sorting doubles the speed of a local model.
 */
export function planBatches(lengths: readonly number[], batchSize: number): number[][] {
  const order = lengths.map((_, index) => index).sort((left, right) => (lengths[left] ?? 0) - (lengths[right] ?? 0));
  return sliceBatches(order, batchSize);
}

export function sliceBatches<T>(items: readonly T[], batchSize: number): T[][] {
  const batches: T[][] = [];
  for (let start = 0; start < items.length; start += batchSize) batches.push(items.slice(start, start + batchSize));
  return batches;
}

/** Scales a vector to length 1 in place; a zero vector stays one. */
export function normalize(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return vector;
  const factor = 1 / Math.sqrt(squares);
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) * factor;
  return vector;
}

/** The cosine of two vectors of length 1. */
export function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index++) sum += (left[index] ?? 0) * (right[index] ?? 0);
  return sum;
}

/** The prefix a model expects before a text, by the kind of text. */
export type Prompts = Readonly<Record<EmbeddingKind, string>>;

export const NO_PROMPTS: Prompts = { query: '', document: '' };

/** Model families whose cards ask for prompts; without them their vectors are measurably worse. */
const FAMILIES: readonly (readonly [pattern: RegExp, prompts: Prompts])[] = [
  [/embeddinggemma/iu, { query: 'task: search result | query: ', document: 'title: none | text: ' }],
  [/nomic-embed-text/iu, { query: 'search_query: ', document: 'search_document: ' }],
  [/(^|[/-])e5-/iu, { query: 'query: ', document: 'passage: ' }],
];

export function promptsOf(model: string): Prompts {
  return FAMILIES.find(([pattern]) => pattern.test(model))?.[1] ?? NO_PROMPTS;
}

/** Part of a vector's tag: the same model with other prompts gives other vectors. */
export function promptsTag(prompts: Prompts): string {
  return prompts === NO_PROMPTS ? '' : '+prompts';
}
