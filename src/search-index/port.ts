import type { Scope, Source, Store, Trust } from '../model/provenance.ts';

/** Where a document lives. `live` is a conversation that has not ended. */
export type DocumentSource = 'workspace' | 'raw' | 'live';

/**
 * The smallest piece that is found and returned: a list item, a paragraph, a turn. Larger pieces are windows of
 * neighbouring passages of one document and need no storage of their own.
 */
export interface Passage {
  /** The item's anchor, or an id derived from path and text. */
  readonly id: string;
  readonly text: string;
  /** Searched with the text and not returned: headings above it, speaker, date. */
  readonly context: string;
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly type: string;
  readonly timeMs: number | undefined;
  readonly speaker: string | undefined;
  readonly turn: string | undefined;
  readonly trust: Trust;
  readonly source: Source | undefined;
  readonly importance: number | undefined;
  readonly tags: readonly string[];
}

export interface IndexedDocument {
  readonly source: DocumentSource;
  readonly path: string;
  /** Of the bytes; the same hash means nothing to do. */
  readonly hash: string;
  readonly store: Store;
  readonly scope: Scope;
  readonly session: string | undefined;
  readonly title: string;
  /** In the order of the file. */
  readonly passages: readonly Passage[];
}
