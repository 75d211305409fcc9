import type { Scope, Store } from '../../model/provenance.ts';
import type { Passage } from '../passage.ts';
import type { SearchFilter } from '../port.ts';
import { clearBit, grow, hasBit, intersect, makeBitmap, setRange } from './bitmap.ts';
import type { Corpus } from './corpus.ts';
import { labelTerm, type LabelKind } from './labels.ts';
import { PostingBuffer, type PostingReader } from '../lexical/postings.ts';

/** The attributes of a whole document that filters use. Few combinations exist, so that a passage carries a small code for it. */
export interface DocumentAttributes {
  readonly store: Store;
  readonly scope: Scope;
  readonly isArchived: boolean;
}

export interface FilteredIndex {
  readonly corpus: Corpus;
  /** By code. */
  readonly attributes: readonly (DocumentAttributes | undefined)[];
  readonly readPostings: PostingReader;
  /** Asked for only when the filter needs them. */
  readonly facts: () => PassageFacts;
}

/** The passages in use that a filter lets through. */
export function findAllowed(index: FilteredIndex, filter: SearchFilter): Uint8Array {
  const allowed = findAllowedDocuments(index, filter);
  for (const [kind, values] of [
    ['type', filter.types],
    ['speaker', filter.speakers],
    ['session', filter.sessions],
    ['source', filter.sources],
    ['trust', filter.trust],
  ] as const) {
    if (values !== undefined) intersect(allowed, findLabelled(index, kind, values));
  }
  for (const tag of filter.tags ?? []) intersect(allowed, findLabelled(index, 'tag', [tag]));
  for (const entity of filter.entities ?? []) intersect(allowed, findLabelled(index, 'entity', [entity]));
  dropByFacts(allowed, index, filter);
  return allowed;
}

/** The passages of the filter's scopes, whatever else it asks for. */
export function findInScopes(index: FilteredIndex, filter: SearchFilter): Uint8Array {
  return findAllowedDocuments(index, { scopes: filter.scopes, withArchived: true });
}

function findAllowedDocuments({ corpus, attributes }: FilteredIndex, filter: SearchFilter): Uint8Array {
  const isAllowed = attributes.map(
    (one) =>
      one !== undefined &&
      filter.scopes.includes(one.scope) &&
      (filter.stores?.includes(one.store) ?? true) &&
      (!one.isArchived || filter.withArchived === true),
  );
  const allowed = makeBitmap(corpus.capacity);
  for (let passage = 0; passage < corpus.capacity; passage += 1) {
    const end = corpus.spanEnd[passage] ?? -1;
    if (end === -1) continue;
    if (isAllowed[corpus.attributes[passage] ?? 0] === true) setRange(allowed, passage, end);
    passage = end - 1;
  }
  return allowed;
}

/** The passages that bear one of the labels. */
function findLabelled(index: FilteredIndex, kind: LabelKind, values: readonly string[]): Uint8Array {
  const found = makeBitmap(index.corpus.capacity);
  const postings = new PostingBuffer();
  for (const value of values) index.readPostings(labelTerm(kind, value), postings);
  postings.dropDead(index.corpus);
  for (let run = 0; run < postings.length; run += 1) {
    const first = postings.passages[run] ?? 0;
    setRange(found, first, first + (postings.values[run] ?? 0));
  }
  return found;
}

function dropByFacts(allowed: Uint8Array, index: FilteredIndex, filter: SearchFilter): void {
  const { sinceMs, untilMs, minImportance } = filter;
  const isAboutTime = sinceMs !== undefined || untilMs !== undefined;
  if (!isAboutTime && minImportance === undefined) return;
  const { times, importances } = index.facts();
  const earliest = sinceMs ?? -Infinity;
  const end = untilMs ?? Infinity;
  // Importances are kept as floats of four bytes: 0.9 there is less than 0.9 here.
  const least = minImportance === undefined ? undefined : Math.fround(minImportance);
  for (let passage = 0; passage < index.corpus.capacity; passage += 1) {
    if (!hasBit(allowed, passage)) continue;
    const time = times[passage] ?? Number.NaN;
    // A passage without time or importance fails every comparison, and so every filter about it.
    const isInTime = !isAboutTime || (time >= earliest && time < end);
    const isImportant = least === undefined || (importances[passage] ?? Number.NaN) >= least;
    if (!isInTime || !isImportant) clearBit(allowed, passage);
  }
}

const MAX_RECENT_FILTERS = 8;

/** The passages that the latest filters let through: most questions come with one of few filters. */
export class RecentFilters {
  readonly #bitmaps = new Map<string, Uint8Array>();

  findOrMake(key: string, make: () => Uint8Array): Uint8Array {
    let bitmap = this.#bitmaps.get(key);
    if (bitmap === undefined) {
      bitmap = make();
      const [oldest] = this.#bitmaps.keys();
      if (this.#bitmaps.size >= MAX_RECENT_FILTERS && oldest !== undefined) this.#bitmaps.delete(oldest);
      this.#bitmaps.set(key, bitmap);
    }
    return bitmap;
  }
}

/** When passages happened and how much they matter, by number; NaN where it is not known. */
export class PassageFacts {
  times = new Float64Array(0);
  importances = new Float32Array(0);

  replace(first: number, times: Float64Array, importances: Float32Array): void {
    const end = first + times.length;
    if (end > this.times.length) {
      const old = this.times.length;
      const size = Math.max(1024, Math.ceil(end * 1.25));
      this.times = grow(this.times, size).fill(Number.NaN, old);
      this.importances = grow(this.importances, size).fill(Number.NaN, old);
    }
    this.times.set(times, first);
    this.importances.set(importances, first);
  }
}

/**
 * The latest first, what has no time before all: notes are few, and matter whenever they were written. About `likely` of
 * them are wanted, so the others are put in order only if they are asked for: a hook has no time for that.
 */
export function* latestFirst(
  passages: readonly number[],
  { times }: Pick<PassageFacts, 'times'>,
  likely: number,
): Generator<number> {
  const rankOf = (passage: number): number => {
    const time = times[passage] ?? Number.NaN;
    return Number.isNaN(time) ? Infinity : time;
  };
  const inOrder = (some: readonly number[]): number[] =>
    some.toSorted((left, right) => {
      const [first, second] = [rankOf(left), rankOf(right)];
      return first === second ? left - right : second - first;
    });
  const ranks = Float64Array.from(passages, rankOf).sort();
  const least = ranks[Math.max(0, ranks.length - likely)] ?? 0;
  yield* inOrder(passages.filter((passage) => rankOf(passage) >= least));
  yield* inOrder(passages.filter((passage) => rankOf(passage) < least));
}

export function timesOf(passages: readonly Passage[]): Float64Array {
  return Float64Array.from(passages, ({ timeMs }) => timeMs ?? Number.NaN);
}

export function importancesOf(passages: readonly Passage[]): Float32Array {
  return Float32Array.from(passages, ({ importance }) => importance ?? Number.NaN);
}
