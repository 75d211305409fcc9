import type { WindowShape } from '../search-index/lexical/windows.ts';

/** The weight of each kind of evidence. The defaults stand in the configuration; `bench:retrieval` measures each of them. */
export interface RetrievalWeights {
  /** BM25 over passages and over windows of neighbouring ones. */
  readonly windows: readonly (WindowShape & { readonly weight: number })[];
  /** A passage's own nearness in meaning, and the average over it and its neighbours. */
  readonly vectors: { readonly passage: number; readonly neighbourhood: number };
  /** The weight of meaning by a sentence model, as a multiple of that by an average of word vectors. */
  readonly sentenceModel: number;
  readonly factors: {
    readonly semantic: number;
    readonly lexical: number;
    readonly temporal: number;
    readonly importance: number;
    readonly access: number;
  };
  /** Added to the score of what matches in other ways than words and meaning. */
  readonly boosts: {
    /** Said by the one person the question names. */
    readonly speaker: number;
    /** Contains a phrase in quotation marks. */
    readonly phrase: number;
    /** About an entity the question names; half of it one relation away, a quarter two away. */
    readonly entity: number;
    /** A procedure, when the question asks how something is done. */
    readonly procedure: number;
  };
}
