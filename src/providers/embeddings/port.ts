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
