import { isMnemeError, MnemeError } from '../model/errors.ts';
import type { Scope, Source, Store, Trust } from '../model/provenance.ts';
import type { DocumentKey, IndexedDocument, IndexedEntity, Passage } from './passage.ts';
import type { WindowShape } from './lexical/windows.ts';

/** A document the index holds, enough to tell whether the file has changed since. */
export interface DocumentState extends DocumentKey {
  readonly hash: string;
  /** Put by another machine that shares the index: that its file is not here does not mean that it was deleted. */
  readonly isOthers?: boolean | undefined;
}

export interface IndexChange {
  /** Replaces what the index has under the same key. */
  readonly put: readonly IndexedDocument[];
  readonly remove: readonly DocumentKey[];
}

/** Every part narrows; an absent part lets everything through. Lists mean "one of", tags and entities "all of". */
export interface SearchFilter {
  readonly scopes: readonly Scope[];
  readonly stores?: readonly Store[] | undefined;
  readonly types?: readonly string[] | undefined;
  readonly sinceMs?: number | undefined;
  /** Exclusive. */
  readonly untilMs?: number | undefined;
  readonly minImportance?: number | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly entities?: readonly string[] | undefined;
  readonly speakers?: readonly string[] | undefined;
  readonly sessions?: readonly string[] | undefined;
  readonly sources?: readonly Source[] | undefined;
  readonly trust?: readonly Trust[] | undefined;
  /** Archived documents are left out unless asked for. */
  readonly withArchived?: boolean | undefined;
}

export interface QueryTerm {
  readonly term: string;
  readonly weight: number;
  /** An earlier term of the query that this one stands in for: it counts only when no passage has that. */
  readonly insteadOf?: string | undefined;
}

export interface LexicalQuery {
  readonly terms: readonly QueryTerm[];
  /** Each shape is scored for itself. */
  readonly shapes: readonly WindowShape[];
  /** The best so many passages of every shape. */
  readonly limit: number;
  /** Passages whose scores are wanted in any case: those that other evidence found. */
  readonly also?: readonly number[] | undefined;
}

export interface LexicalHits {
  /** The passages found, each once, ascending. */
  readonly passages: Int32Array;
  /** By shape, aligned with `passages`. A passage's score is that of the best window around it. */
  readonly scores: readonly Float32Array[];
  /** By term of the query: inverse document frequency among single passages; 0 for a term that nobody used. */
  readonly rarities: Float32Array;
}

export interface Nearby {
  readonly passage: number;
  readonly similarity: number;
}

/** A passage as the index gives it back. */
export interface StoredPassage extends Passage {
  readonly number: number;
  readonly document: DocumentKey & Pick<IndexedDocument, 'store' | 'scope' | 'isArchived' | 'title' | 'session'>;
  /** The numbers of its document's first passage and how many there are: its neighbours. */
  readonly first: number;
  readonly count: number;
}

/**
 * A question about the index as it is now, restricted to what the filter lets through. When passages were numbered
 * anew meanwhile, its methods fail with `conflict`: numbers found before mean nothing then, and a new view is needed.
 */
export interface IndexView {
  /** Passages in the index, filtered or not. */
  readonly size: number;
  findByTerms(query: LexicalQuery): Promise<LexicalHits>;
  findNearest(model: string, vector: Float32Array, limit: number): Promise<readonly Nearby[]>;
  /** Aligned with `passages`; NaN where a passage has no vector of that model. Ignores the filter. */
  similarities(model: string, vector: Float32Array, passages: readonly number[]): Promise<Float32Array>;
  /** The latest first, by time; what has none comes last. */
  findRecent(limit: number): Promise<readonly number[]>;
  /** The passages of an item, a turn or a document's path, in order. Ignores the filter's narrowing but not its scopes. */
  findItem(idOrPath: string): Promise<readonly number[]>;
  /** Passages of the filter about any of the entities, at most `limit`: those about most of them first, then the latest. */
  findByEntities(entities: readonly string[], limit: number): Promise<readonly number[]>;
  /** Terms of the filter's passages that begin with the letters, those in most passages first. */
  completeTerm(letters: string, limit: number): Promise<readonly string[]>;
  /** Unknown numbers (removed meanwhile) are left out. Ignores the filter, so that neighbours can be read. */
  read(passages: readonly number[]): Promise<readonly StoredPassage[]>;
  /** All passages of a document in order, whoever may see them: for comparing the index with the files. */
  readDocument(key: DocumentKey): Promise<readonly StoredPassage[]>;
}

/** A passage that has no vector yet, with what `embeddedText` needs. */
export interface MissingVector {
  readonly passage: number;
  readonly lead: string;
  readonly day: string;
  readonly text: string;
}

export interface VectorState {
  readonly model: string;
  readonly dimensions: number;
  readonly vectors: number;
}

export interface IndexStatus {
  readonly documents: number;
  readonly passages: number;
  readonly bytes: number;
  readonly models: readonly VectorState[];
}

export interface OptimizeOptions {
  /** After a large load: also build what takes long and makes later questions fast. */
  readonly isThorough?: boolean | undefined;
}

/**
 * The derived index behind search. Everything in it can be made again from the files; two indexes made from the same
 * files answer alike, however they came to hold them.
 */
export interface SearchIndex {
  /** Differs whenever something may have been written since, notes apart; only to be compared. */
  version(): Promise<string>;
  listDocuments(): Promise<readonly DocumentState[]>;
  /** All of it or nothing. */
  apply(change: IndexChange): Promise<void>;
  /** Passages without a vector of the model, those without a time and then the latest first; vectors kept for an equal lead, day and text are reused before. */
  listMissingVectors(model: string, limit: number): Promise<readonly MissingVector[]>;
  putVectors(
    model: string,
    dimensions: number,
    vectors: readonly { readonly passage: number; readonly vector: Float32Array }[],
  ): Promise<void>;
  /** Aligned with `texts`; undefined where none was made of that text. For carrying vectors to another index. */
  readVectors(
    model: string,
    texts: readonly Pick<Passage, 'lead' | 'day' | 'text'>[],
  ): Promise<readonly (Float32Array | undefined)[]>;
  /** Forgets the vectors of all models but these; a shared index only of those that no machine has used for a month. */
  keepModels(models: readonly string[]): Promise<void>;
  view(filter: SearchFilter): Promise<IndexView>;
  /** Everybody who said something, as written. */
  listSpeakers(): Promise<readonly string[]>;
  listEntities(): Promise<readonly IndexedEntity[]>;
  /** Notes kept beside the index, such as how far a rebuild came. */
  readNote(name: string): Promise<string | undefined>;
  writeNote(name: string, value: string | undefined): Promise<void>;
  status(): Promise<IndexStatus>;
  /** Lists damage, in words; empty when all is well. */
  verify(): Promise<readonly string[]>;
  /** Merges small segments; cheap when there is nothing to do. */
  optimize(options?: OptimizeOptions): Promise<void>;
  /** Forgets everything. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Whether an error of the index means that it has to be made anew. */
export function isDamaged(error: unknown): boolean {
  return isMnemeError(error, 'integrity');
}

export function damaged(what: string, cause?: unknown): MnemeError {
  return new MnemeError('integrity', `The search index is damaged: ${what}.`, {
    hint: 'Run `mneme index rebuild`; it is made anew from the files and nothing is lost.',
    cause,
  });
}

/** Whether it is what was said, and not what was learned from it. */
export function isTurn({ turn, document }: StoredPassage): boolean {
  return turn !== undefined && document.source !== 'workspace';
}
