import type { Scope, Source, Store, Trust } from '../model/provenance.ts';

/** The source in the home that a document comes from; paths are relative to it. */
export const DOCUMENT_SOURCES = ['workspace', 'raw', 'live'] as const;
export type DocumentSource = (typeof DOCUMENT_SOURCES)[number];

export interface DocumentKey {
  readonly source: DocumentSource;
  readonly path: string;
}

/** Among an item's tags when it, or its file, is pinned: it never fades. */
export const PINNED_TAG = 'pinned';

/** A piece of a document that is found and shown as one: a turn, a list item, a paragraph. */
export interface Passage {
  /** The item's anchor or derived id; `SESSION#t12` for a turn. Pieces of a long item share it. */
  readonly id: string;
  /** The displayed text, without markup that only machines read. */
  readonly text: string;
  /** The text before it: the speaker (`Melanie`), or the headings above (`Title › Section`). Searched with the text. */
  readonly lead: string;
  /** The day in words, `Monday 8 May 2023`, so that questions can name it; '' where none is known. Searched as well. */
  readonly day: string;
  readonly startLine: number;
  readonly endLine: number;
  /** `turn`, an episode's type, `fact`, `step`, `note` … */
  readonly type: string;
  /** When it happened or was written. */
  readonly timeMs: number | undefined;
  /** When it came to be known, or was last confirmed, where the item says so. */
  readonly learnedMs?: number | undefined;
  /** A rule, who the user is, or what must never be wrong: it does not fade. */
  readonly isStanding?: boolean | undefined;
  /** The speaker. */
  readonly speaker: string | undefined;
  readonly turn: string | undefined;
  readonly session: string | undefined;
  readonly source: Source;
  readonly trust: Trust;
  readonly importance: number | undefined;
  readonly confidence: number | undefined;
  readonly tags: readonly string[];
  /** Ids of the entities it is about or links to. */
  readonly entities: readonly string[];
}

/** An entity as far as search needs it: what it is called and what it is tied to. */
export interface IndexedEntity {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly aliases: readonly string[];
  readonly edges: readonly { readonly relation: string; readonly to: string }[];
}

/** A file as the index keeps it. Its passages are neighbours in this order. */
export interface IndexedDocument extends DocumentKey {
  /** Hash of what the passages were made from; says whether the file has changed. */
  readonly hash: string;
  readonly store: Store;
  readonly scope: Scope;
  readonly isArchived: boolean;
  readonly title: string;
  readonly session: string | undefined;
  readonly passages: readonly Passage[];
  readonly entity: IndexedEntity | undefined;
}

/** The text in which a question's words are looked for. */
export function searchedText({ lead, day, text }: Pick<Passage, 'lead' | 'day' | 'text'>): string {
  return [lead, day, text].filter((part) => part !== '').join('\n');
}

/**
 * The text to embed. A model that reads whole sentences gains from the day; in an average of words it is only noise
 * (measured: a point of recall either way).
 */
export function embeddedText({ lead, day, text }: Pick<Passage, 'lead' | 'day' | 'text'>, withDay: boolean): string {
  const head = [lead, withDay ? day : ''].filter((part) => part !== '').join(' · ');
  return head === '' ? text : `${head}: ${text}`;
}
