/** The labels that narrow a search; kept as postings beside the words, so that both are found and merged alike. */
export type LabelKind = 'type' | 'speaker' | 'session' | 'source' | 'trust' | 'tag' | 'entity';

/** Never part of a word, and before all words in any order. */
const MARK = '\u0001';

export function labelTerm(kind: LabelKind, value: string): string {
  // SQLite would replace half a surrogate pair, and then the label would not be found again.
  return `${MARK}${kind}${MARK}${value.toWellFormed()}`;
}

/** All labels of a kind begin with this. */
export function labelPrefix(kind: LabelKind): string {
  return `${MARK}${kind}${MARK}`;
}

/** The first text after all labels. */
export const AFTER_LABELS = '\u0002';
