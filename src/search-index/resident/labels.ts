import { hash } from 'node:crypto';
import type { DocumentKey, Passage } from '../passage.ts';

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

/** A document's key as one text: keys are told apart and put in order by it. NUL is before all other characters. */
export function keyText({ source, path }: DocumentKey): string {
  return `${source}\0${path}`;
}

/** Long enough that no two texts of a lifetime share one by chance. */
const KEY_BYTES = 12;

/** Equal for passages that a model sees alike: these share a vector. */
export function embeddedKey({ lead, day, text }: Pick<Passage, 'lead' | 'day' | 'text'>): Buffer {
  return hash('sha1', `${lead}\0${day}\0${text}`, 'buffer').subarray(0, KEY_BYTES);
}
