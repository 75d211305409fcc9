import { mostUsed } from '../lexical/complete.ts';
import type { DocumentKey } from '../passage.ts';
import type { IndexView, LexicalHits, LexicalQuery, Nearby, SearchFilter, StoredPassage } from '../port.ts';
import { hasBit } from '../resident/bitmap.ts';
import { findAllowed, findInScopes, type FilteredIndex } from '../resident/filter.ts';
import { findAbout, findLatest, findNearestPassages } from '../resident/listings.ts';
import { keyText } from '../resident/labels.ts';
import type { MemoryDocument, MemoryState } from './memory-index.ts';
import { compareTexts } from '../../model/text.ts';

export class MemoryView implements IndexView {
  readonly #state: MemoryState;
  readonly #filter: SearchFilter;

  constructor(state: MemoryState, filter: SearchFilter) {
    this.#state = state;
    this.#filter = filter;
  }

  get size(): number {
    return this.#state.corpus.passages;
  }

  async findByTerms(query: LexicalQuery): Promise<LexicalHits> {
    return this.#state.search.find({ ...this.#index, order: this.#state.order, allowed: this.#allowed }, query);
  }

  async findNearest(model: string, vector: Float32Array, limit: number): Promise<readonly Nearby[]> {
    const matrix = this.#state.vectors.get(model)?.load();
    return matrix === undefined ? [] : findNearestPassages(matrix, vector, limit, this.#allowed, this.#state);
  }

  async similarities(model: string, vector: Float32Array, passages: readonly number[]): Promise<Float32Array> {
    const matrix = this.#state.vectors.get(model)?.load();
    if (matrix === undefined) return new Float32Array(passages.length).fill(Number.NaN);
    const similarities = matrix.similarities(vector, passages);
    return similarities.map((similarity, index) =>
      this.#state.corpus.isLive(passages[index] ?? -1) ? similarity : Number.NaN,
    );
  }

  async findRecent(limit: number): Promise<readonly number[]> {
    return findLatest({ ...this.#state, allowed: this.#allowed }, limit);
  }

  async findItem(idOrPath: string): Promise<readonly number[]> {
    const inScopes = findInScopes(this.#index, this.#filter);
    const byId: number[] = [];
    const byPath: number[] = [];
    const documents = Array.from(this.#state.byKey.values()).sort((left, right) =>
      compareTexts(keyText(left.document), keyText(right.document)),
    );
    for (const { first, document } of documents) {
      for (const [offset, passage] of document.passages.entries()) {
        if (!hasBit(inScopes, first + offset)) continue;
        if (passage.id === idOrPath) byId.push(first + offset);
        if (document.path === idOrPath) byPath.push(first + offset);
      }
    }
    return byId.length > 0 ? byId : byPath;
  }

  async findByEntities(entities: readonly string[], limit: number): Promise<readonly number[]> {
    return findAbout({ ...this.#state, allowed: this.#allowed }, this.#index.readPostings, entities, limit);
  }

  async completeTerm(letters: string, limit: number): Promise<readonly string[]> {
    const terms = Array.from(this.#state.postings.terms).filter((term) => term.startsWith(letters));
    return mostUsed(terms, this.#index.readPostings, { corpus: this.#state.corpus, allowed: this.#allowed }, limit);
  }

  async readDocument(key: DocumentKey): Promise<readonly StoredPassage[]> {
    const known = this.#state.byKey.get(keyText(key));
    if (known === undefined) return [];
    return known.document.passages.flatMap((_, offset) => storedPassage(known, known.first + offset) ?? []);
  }

  async read(passages: readonly number[]): Promise<readonly StoredPassage[]> {
    return passages.flatMap((passage) => {
      const known = this.#state.byNumber.get(this.#state.corpus.documents[passage] ?? 0);
      return known === undefined ? [] : storedPassage(known, passage);
    });
  }

  get #index(): FilteredIndex {
    const { corpus, attributes, facts, postings } = this.#state;
    return { corpus, attributes, facts: () => facts, readPostings: (term, into) => postings.read(term, into) };
  }

  get #allowed(): Uint8Array {
    return findAllowed(this.#index, this.#filter);
  }
}

function storedPassage({ first, document }: MemoryDocument, number: number): StoredPassage[] {
  const passage = document.passages[number - first];
  if (passage === undefined) return [];
  const { source, path, store, scope, isArchived, title, session } = document;
  return [
    {
      ...passage,
      number,
      document: { source, path, store, scope, isArchived, title, session },
      first,
      count: document.passages.length,
    },
  ];
}
