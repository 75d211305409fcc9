/** The three versions a merge works on: what both started from, what is to be written, what is on disk. */
export interface Versions<T> {
  readonly base: T;
  readonly ours: T;
  readonly theirs: T;
}

export type ConflictKind = 'both-edited' | 'both-added' | 'ours-deleted' | 'theirs-deleted';

/** A place where the two sides disagree; the merged text keeps what can be kept, a person decides the rest. */
export interface MergeConflict extends Versions<string | undefined> {
  readonly kind: ConflictKind;
  /** The frontmatter key concerned; undefined in the body. */
  readonly key: string | undefined;
}

export interface MergeOptions {
  /** Names the second copy of a block that both sides edited; without it the copy has no anchor. */
  readonly newId?: (() => string) | undefined;
  /** The result where both edited: both versions, or only what is on disk (undo). */
  readonly onConflict?: 'keep-both' | 'keep-theirs' | undefined;
}
