import type { Scope, Source, Store, Trust } from '../model/provenance.ts';
import type { DocumentSource } from '../search-index/passage.ts';

/** The five factors, each from 0 to 1. */
export interface ScoreParts {
  readonly semantic: number;
  readonly lexical: number;
  readonly temporal: number;
  readonly importance: number;
  readonly access: number;
}

/**
 * The evidence for a hit before normalisation: 1 means every word of the question, or the same meaning. Unlike
 * scores, which compare hits with each other, it says whether the best hit is any good.
 */
export interface Evidence {
  /** The share of the question's words, weighed by how rare they are, that the hit contains. */
  readonly coverage: number;
  /** The largest cosine of the models asked; undefined when none was. */
  readonly similarity: number | undefined;
}

export interface Hit {
  readonly id: string;
  readonly source: DocumentSource;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly title: string;
  /** All of it, with day and speaker, and for a turn with the turns around it. */
  readonly text: string;
  /** What matched alone: the words of the item or turn that `id` names. */
  readonly words: string;
  /** The part that answers best, and where in it the question's words stand. */
  readonly snippet: string;
  readonly highlights: readonly (readonly [number, number])[];
  /** From 0 to 1. In what `recall` answers it is the chance that the hit holds the answer; elsewhere it compares hits. */
  readonly score: number;
  readonly scores: ScoreParts;
  readonly evidence: Evidence;
  readonly store: Store;
  readonly scope: Scope;
  readonly type: string;
  /** The speaker; null where there is none. */
  readonly speaker: string | null;
  readonly time: string | null;
  readonly provenance: {
    readonly source: Source;
    readonly session: string | null;
    readonly turn: string | null;
    readonly mutation: string | null;
  };
  readonly trust: Trust;
  readonly why: string;
  /** Where else the same memory is written; only in what `recall` answers. */
  readonly sources?: readonly HitSource[] | undefined;
  /** It has since been replaced; only in what `recall` answers. */
  readonly superseded?: boolean | undefined;
}

/** Another place where a memory is written. */
export interface HitSource extends Pick<Hit, 'id' | 'source' | 'path' | 'startLine' | 'store' | 'type'> {}
