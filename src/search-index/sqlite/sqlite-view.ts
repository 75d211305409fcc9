import { MnemeError } from '../../model/errors.ts';
import { MAX_COMPARED, mostUsed } from '../lexical/complete.ts';
import type { LexicalSearch } from '../lexical/search.ts';
import type { PostingReader } from '../lexical/postings.ts';
import { comparePassages } from '../lexical/select.ts';
import type { DocumentKey } from '../passage.ts';
import type { IndexView, LexicalHits, LexicalQuery, Nearby, SearchFilter, StoredPassage } from '../port.ts';
import { hasBit } from '../resident/bitmap.ts';
import { type FilteredIndex, type RecentFilters, findAllowed, findInScopes } from '../resident/filter.ts';
import { findAbout, findLatest, findNearestPassages } from '../resident/listings.ts';
import type { IndexDatabase, IndexState } from './index-database.ts';
import { type DocumentRow, type RecentPassages, readDocument, readPassage } from './passage-rows.ts';
import type { Resident } from './resident.ts';
import { readPostings } from './segments.ts';

export interface ViewTools {
  readonly database: IndexDatabase;
  readonly resident: Resident;
  readonly search: LexicalSearch;
  readonly filters: RecentFilters;
  readonly recent: RecentPassages;
}

/** Every method looks at the index as it is when called, so that a write is seen at once. */
export class SqliteView implements IndexView {
  readonly size: number;
  readonly #tools: ViewTools;
  readonly #filter: SearchFilter;
  readonly #epoch: string;

  constructor(tools: ViewTools, filter: SearchFilter, { epoch }: IndexState) {
    this.#tools = tools;
    this.#filter = filter;
    this.#epoch = epoch;
    this.size = tools.resident.corpus.passages;
  }

  findByTerms(query: LexicalQuery): Promise<LexicalHits> {
    return this.#read((allowed) => {
      const { search, resident } = this.#tools;
      const index = { corpus: resident.corpus, order: resident.order, readPostings: this.#readPostings };
      return search.find({ ...index, allowed: allowed() }, query);
    });
  }

  findNearest(model: string, vector: Float32Array, limit: number): Promise<readonly Nearby[]> {
    return this.#read((allowed) => {
      const { resident } = this.#tools;
      const matrix = resident.vectors(model)?.matrix;
      return matrix === undefined ? [] : findNearestPassages(matrix, vector, limit, allowed(), resident);
    });
  }

  similarities(model: string, vector: Float32Array, passages: readonly number[]): Promise<Float32Array> {
    return this.#read(() => {
      const { resident } = this.#tools;
      const vectors = resident.vectors(model);
      if (vectors === undefined) return new Float32Array(passages.length).fill(Number.NaN);
      const similarities = vectors.similarities(vector, passages);
      for (let index = 0; index < similarities.length; index += 1) {
        if (!resident.corpus.isLive(passages[index] ?? -1)) similarities[index] = Number.NaN;
      }
      return similarities;
    });
  }

  findRecent(limit: number): Promise<readonly number[]> {
    return this.#read((allowed) => {
      const { resident } = this.#tools;
      const { corpus, order } = resident;
      return findLatest({ corpus, order, facts: resident.facts(), allowed: allowed() }, limit);
    });
  }

  findItem(idOrPath: string): Promise<readonly number[]> {
    return this.#read(() => {
      const { database } = this.#tools;
      const inScopes = findInScopes(this.#index, this.#filter);
      const byId = database
        .rows('SELECT number FROM passages WHERE id = ?', idOrPath)
        .map(([number]) => Number(number))
        .filter((number) => hasBit(inScopes, number));
      if (byId.length > 0) return this.#inOrder(byId);
      const byPath: number[] = [];
      for (const [first, count] of database.rows('SELECT first, count FROM documents WHERE path = ?', idOrPath)) {
        for (let offset = 0; offset < Number(count); offset += 1) byPath.push(Number(first) + offset);
      }
      return this.#inOrder(byPath.filter((number) => hasBit(inScopes, number)));
    });
  }

  findByEntities(entities: readonly string[], limit: number): Promise<readonly number[]> {
    return this.#read((allowed) => {
      const { resident } = this.#tools;
      const index = { corpus: resident.corpus, order: resident.order, facts: resident.facts(), allowed: allowed() };
      return findAbout(index, this.#readPostings, entities, limit);
    });
  }

  completeTerm(letters: string, limit: number): Promise<readonly string[]> {
    return this.#read((allowed) => {
      const { database, resident } = this.#tools;
      const sql = `SELECT term FROM segments CROSS JOIN postings ON segment = segments.number
        WHERE term >= ? AND term < ? GROUP BY term ORDER BY sum(length(body)) DESC, term LIMIT ${MAX_COMPARED}`;
      const terms = database.rows(sql, letters, `${letters}\u{10ffff}`).map(([term]) => String(term));
      return mostUsed(terms, this.#readPostings, { corpus: resident.corpus, allowed: allowed() }, limit);
    });
  }

  read(passages: readonly number[]): Promise<readonly StoredPassage[]> {
    return this.#read(() => {
      const { database, resident, recent } = this.#tools;
      const documents = new Map<number, DocumentRow | undefined>();
      const found: StoredPassage[] = [];
      for (const passage of passages) {
        const number = resident.corpus.documents[passage] ?? 0;
        if (number === 0) continue;
        let stored = recent.find(passage);
        if (stored === undefined) {
          if (!documents.has(number)) documents.set(number, readDocument(database, number));
          const document = documents.get(number);
          stored = document === undefined ? undefined : readPassage(database, passage, document);
          if (stored === undefined) continue;
          recent.keep(stored);
        }
        found.push(stored);
      }
      return found;
    });
  }

  readDocument({ source, path }: DocumentKey): Promise<readonly StoredPassage[]> {
    return this.#read(() => {
      const { database } = this.#tools;
      const row = database.row(
        'SELECT number, first, count FROM documents WHERE source = ? AND path = ?',
        source,
        path,
      );
      const document = row && readDocument(database, Number(row[0]));
      if (row === undefined || document === undefined) return [];
      const numbers = Array.from({ length: Number(row[2]) }, (_, offset) => Number(row[1]) + offset);
      return numbers.flatMap((number) => readPassage(database, number, document) ?? []);
    });
  }

  readonly #readPostings: PostingReader = (term, into) => readPostings(this.#tools.database, term, into);

  get #index(): FilteredIndex {
    const { resident } = this.#tools;
    const { corpus, attributes } = resident;
    return { corpus, attributes, facts: () => resident.facts(), readPostings: this.#readPostings };
  }

  #inOrder(passages: number[]): number[] {
    const { corpus, order } = this.#tools.resident;
    return passages.sort((left, right) => comparePassages(corpus, order, left, right));
  }

  #read<T>(body: (allowed: () => Uint8Array) => T): Promise<T> {
    return this.#tools.database.read(() => {
      const state = this.#tools.resident.refresh();
      this.#tools.recent.refresh(state);
      const { epoch, generation } = state;
      // Numbers that the caller got earlier may mean other passages now.
      if (epoch !== this.#epoch) {
        throw new MnemeError('conflict', 'The search index was made anew while it was being asked.', {
          hint: 'Ask again.',
        });
      }
      return body(() => {
        const key = JSON.stringify([epoch, generation, this.#filter]);
        return this.#tools.filters.findOrMake(key, () => findAllowed(this.#index, this.#filter));
      });
    });
  }
}
