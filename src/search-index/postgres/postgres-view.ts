import { MAX_COMPARED, mostUsed } from '../lexical/complete.ts';
import type { LexicalSearch } from '../lexical/search.ts';
import type { PostingReader } from '../lexical/postings.ts';
import { comparePassages } from '../lexical/select.ts';
import type { DocumentKey } from '../passage.ts';
import type { IndexView, LexicalHits, LexicalQuery, Nearby, SearchFilter, StoredPassage } from '../port.ts';
import { hasBit } from '../resident/bitmap.ts';
import { findAllowed, findInScopes, type FilteredIndex } from '../resident/filter.ts';
import { labelTerm } from '../resident/labels.ts';
import { findAbout, findLatest } from '../resident/listings.ts';
import type { Resident } from './resident.ts';
import { DOCUMENT_COLUMNS, parsePassage, storable } from './rows.ts';
import { fetchPostings } from './segments.ts';
import type { Transaction } from './server.ts';
import { findNearest, similaritiesOf } from './vectors.ts';

/** Runs a body within one moment of the index, with what is resident brought up to it. */
export type ReadCurrent = <T>(
  body: (transaction: Transaction) => Promise<T>,
  needs: { readonly facts: boolean; readonly epoch: string },
) => Promise<T>;

export interface ViewParts {
  readonly resident: Resident;
  readonly search: LexicalSearch;
  readonly filters: { findOrMake(key: string, make: () => Uint8Array): Uint8Array };
  readonly read: ReadCurrent;
  readonly compareUpTo: number;
}

/** Every method looks at the index as it is when called, so that a write is seen at once. */
export class PostgresView implements IndexView {
  readonly size: number;
  readonly #parts: ViewParts;
  readonly #filter: SearchFilter;
  readonly #epoch: string;

  constructor(parts: ViewParts, filter: SearchFilter, epoch: string) {
    this.#parts = parts;
    this.#filter = filter;
    this.#epoch = epoch;
    this.size = parts.resident.corpus.passages;
  }

  findByTerms(query: LexicalQuery): Promise<LexicalHits> {
    return this.#read(async (transaction) => {
      const { search, resident } = this.#parts;
      const terms = query.terms.map(({ term }) => term);
      const readPostings = await fetchPostings(transaction, [...terms, ...this.#labels]);
      const allowed = this.#allowed(transaction, readPostings);
      return search.find({ corpus: resident.corpus, order: resident.order, readPostings, allowed }, query);
    }, isAboutFacts(this.#filter));
  }

  findNearest(model: string, vector: Float32Array, limit: number): Promise<readonly Nearby[]> {
    return this.#read(async (transaction) => {
      const known = this.#parts.resident.model(model);
      if (known === undefined) return [];
      const allowed = this.#allowed(transaction, await fetchPostings(transaction, this.#labels));
      const { resident, compareUpTo } = this.#parts;
      return findNearest(transaction, resident, { model: known, vector, limit, allowed, compareUpTo });
    }, isAboutFacts(this.#filter));
  }

  similarities(model: string, vector: Float32Array, passages: readonly number[]): Promise<Float32Array> {
    return this.#read((transaction) => {
      const known = this.#parts.resident.model(model);
      if (known !== undefined) return similaritiesOf(transaction, known, vector, passages);
      return Promise.resolve(new Float32Array(passages.length).fill(Number.NaN));
    });
  }

  findRecent(limit: number): Promise<readonly number[]> {
    return this.#read(async (transaction) => {
      const allowed = this.#allowed(transaction, await fetchPostings(transaction, this.#labels));
      const { corpus, order, facts } = this.#parts.resident;
      return findLatest({ corpus, order, facts, allowed }, limit);
    }, true);
  }

  findItem(idOrPath: string): Promise<readonly number[]> {
    return this.#read(async (transaction) => {
      const inScopes = findInScopes(
        this.#index(() => undefined),
        this.#filter,
      );
      const wanted = storable(idOrPath);
      const sql = 'SELECT number FROM passages WHERE namespace = {ns} AND id = $1';
      const byId = (await transaction.rows(sql, wanted)).map(([number]) => Number(number));
      const seen = byId.filter((number) => hasBit(inScopes, number));
      if (seen.length > 0) return this.#inOrder(seen);
      const byPath: number[] = [];
      const documents = 'SELECT first, count FROM documents WHERE namespace = {ns} AND path = $1';
      for (const [first, count] of await transaction.rows(documents, wanted)) {
        for (let offset = 0; offset < Number(count); offset += 1) byPath.push(Number(first) + offset);
      }
      return this.#inOrder(byPath.filter((number) => hasBit(inScopes, number)));
    });
  }

  findByEntities(entities: readonly string[], limit: number): Promise<readonly number[]> {
    return this.#read(async (transaction) => {
      const labels = entities.map((entity) => labelTerm('entity', entity));
      const readPostings = await fetchPostings(transaction, [...labels, ...this.#labels]);
      const allowed = this.#allowed(transaction, readPostings);
      const { corpus, order, facts } = this.#parts.resident;
      return findAbout({ corpus, order, facts, allowed }, readPostings, entities, limit);
    }, true);
  }

  completeTerm(letters: string, limit: number): Promise<readonly string[]> {
    return this.#read(async (transaction) => {
      const sql = `SELECT term FROM postings WHERE namespace = {ns} AND term >= $1 AND term < $2
        GROUP BY term ORDER BY sum(length(body)) DESC, term LIMIT ${MAX_COMPARED}`;
      const rows = await transaction.rows(sql, storable(letters), `${storable(letters)}\u{10ffff}`);
      const terms = rows.map(([term]) => String(term));
      const readPostings = await fetchPostings(transaction, [...terms, ...this.#labels]);
      const allowed = this.#allowed(transaction, readPostings);
      return mostUsed(terms, readPostings, { corpus: this.#parts.resident.corpus, allowed }, limit);
    }, isAboutFacts(this.#filter));
  }

  read(passages: readonly number[]): Promise<readonly StoredPassage[]> {
    return this.#read(async (transaction) => {
      if (passages.length === 0) return [];
      const sql = `SELECT p.number, p.body, ${DOCUMENT_COLUMNS}
        FROM unnest($1::integer[], $2::integer[]) AS wanted (number, document)
        JOIN passages p ON p.namespace = {ns} AND p.number = wanted.number
        JOIN documents d ON d.namespace = {ns} AND d.number = wanted.document
        JOIN attributes a ON a.namespace = {ns} AND a.code = d.attributes`;
      const { corpus } = this.#parts.resident;
      const live = passages.filter((passage) => corpus.isLive(passage));
      const documents = live.map((passage) => corpus.documents[passage] ?? 0);
      const rows = await transaction.rows(sql, live, documents);
      const byNumber = new Map(rows.map((row) => [Number(row[0]), parsePassage(row)]));
      return passages.flatMap((passage) => byNumber.get(passage) ?? []);
    });
  }

  readDocument({ source, path }: DocumentKey): Promise<readonly StoredPassage[]> {
    return this.#read(async (transaction) => {
      const sql = `SELECT p.number, p.body, ${DOCUMENT_COLUMNS} FROM documents d
        JOIN attributes a ON a.namespace = {ns} AND a.code = d.attributes
        JOIN passages p ON p.namespace = {ns} AND p.number >= d.first AND p.number < d.first + d.count
        WHERE d.namespace = {ns} AND d.source = $1 AND d.path = $2 ORDER BY p.number`;
      return (await transaction.rows(sql, source, storable(path))).map(parsePassage);
    });
  }

  /** The labels whose postings the filter reads. */
  get #labels(): string[] {
    const { types, speakers, sessions, sources, trust, tags, entities } = this.#filter;
    return [
      ...(types ?? []).map((value) => labelTerm('type', value)),
      ...(speakers ?? []).map((value) => labelTerm('speaker', value)),
      ...(sessions ?? []).map((value) => labelTerm('session', value)),
      ...(sources ?? []).map((value) => labelTerm('source', value)),
      ...(trust ?? []).map((value) => labelTerm('trust', value)),
      ...(tags ?? []).map((value) => labelTerm('tag', value)),
      ...(entities ?? []).map((value) => labelTerm('entity', value)),
    ];
  }

  #allowed({ state }: Transaction, readPostings: PostingReader): Uint8Array {
    const key = JSON.stringify([state.epoch, state.generation, this.#filter]);
    return this.#parts.filters.findOrMake(key, () => findAllowed(this.#index(readPostings), this.#filter));
  }

  #index(readPostings: PostingReader): FilteredIndex {
    const { corpus, attributes, facts } = this.#parts.resident;
    return { corpus, attributes, facts: () => facts, readPostings };
  }

  #inOrder(passages: number[]): number[] {
    const { corpus, order } = this.#parts.resident;
    return passages.sort((left, right) => comparePassages(corpus, order, left, right));
  }

  #read<T>(body: (transaction: Transaction) => Promise<T>, facts = false): Promise<T> {
    return this.#parts.read(body, { facts, epoch: this.#epoch });
  }
}

function isAboutFacts({ sinceMs, untilMs, minImportance }: SearchFilter): boolean {
  return sinceMs !== undefined || untilMs !== undefined || minImportance !== undefined;
}
