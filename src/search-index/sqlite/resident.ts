import type { Scope, Store } from '../../model/provenance.ts';
import type { DocumentOrder } from '../lexical/select.ts';
import type { DocumentSource } from '../passage.ts';
import { Corpus } from '../resident/corpus.ts';
import { keyText } from '../resident/labels.ts';
import { type DocumentAttributes, PassageFacts } from '../resident/filter.ts';
import { damaged } from '../port.ts';
import type { IndexDatabase, IndexState, Row } from './index-database.ts';
import { parseFacts, parseLayout, PASSAGES_PER_PAGE } from '../resident/layout.ts';
import { ResidentVectors } from './resident-vectors.ts';
import { compareTexts } from '../../model/text.ts';

/**
 * The part of the index that this process keeps in memory, brought up to date from the rows written since. To be used
 * only within a transaction, so that it fits the rest that is read.
 */
export class Resident {
  readonly #database: IndexDatabase;
  #epoch = '';
  #layoutGeneration = -1;
  #factsGeneration = -1;
  #corpus = new Corpus();
  #facts = new PassageFacts();
  #attributes: (DocumentAttributes | undefined)[] = [];
  #vectors = new Map<string, ResidentVectors>();
  /** Keys by document number; a number never gets another key. */
  #keys = new Map<number, string>();

  constructor(database: IndexDatabase) {
    this.#database = database;
  }

  /** Forgets everything, because what it holds may not be what the file holds. */
  reset(): void {
    this.#epoch = '';
  }

  /** Brings the corpus up to date; returns what the file says about itself. */
  refresh(): IndexState {
    const { state } = this.#database;
    if (state.epoch !== this.#epoch) this.#begin(state.epoch);
    if (state.generation !== this.#layoutGeneration) this.#readLayout(state);
    return state;
  }

  get corpus(): Corpus {
    return this.#corpus;
  }

  get attributes(): readonly (DocumentAttributes | undefined)[] {
    return this.#attributes;
  }

  facts(): PassageFacts {
    const generation = this.#layoutGeneration;
    if (this.#factsGeneration !== generation) {
      for (const [page, body] of this.#changedPages('facts', this.#factsGeneration)) {
        const { times, importances } = parseFacts(body);
        this.#facts.replace(page * PASSAGES_PER_PAGE, times, importances);
      }
      this.#factsGeneration = generation;
    }
    return this.#facts;
  }

  /** A model's vectors, up to date; undefined for a model without any. */
  vectors(model: string): ResidentVectors | undefined {
    const row = this.#database.row('SELECT number, dimensions FROM models WHERE name = ?', model);
    if (row === undefined) {
      this.#vectors.delete(model);
      return undefined;
    }
    let known = this.#vectors.get(model);
    if (known === undefined || known.number !== row[0]) {
      known = new ResidentVectors(this.#database, { number: Number(row[0]), dimensions: Number(row[1]) });
      this.#vectors.set(model, known);
    }
    known.refresh(this.#layoutGeneration);
    return known;
  }

  readonly order: DocumentOrder = (left, right) => compareTexts(this.#keyOf(left), this.#keyOf(right));

  #keyOf(document: number): string {
    let key = this.#keys.get(document);
    if (key === undefined) {
      const row = this.#database.row('SELECT source, path FROM documents WHERE number = ?', document);
      if (row === undefined) throw damaged(`document ${document} has passages but no entry`);
      key = keyText({ source: String(row[0]) as DocumentSource, path: String(row[1]) });
      this.#keys.set(document, key);
    }
    return key;
  }

  #begin(epoch: string): void {
    this.#epoch = epoch;
    this.#layoutGeneration = -1;
    this.#factsGeneration = -1;
    this.#corpus = new Corpus();
    this.#facts = new PassageFacts();
    this.#attributes = [];
    this.#vectors = new Map();
    this.#keys = new Map();
  }

  #readLayout({ generation, nextPassage }: IndexState): void {
    this.#corpus.reserve(nextPassage + PASSAGES_PER_PAGE);
    const changed = this.#changedPages('layout', this.#layoutGeneration);
    for (const [page, body] of changed) {
      const { documents, lengths, attributes } = parseLayout(body);
      this.#corpus.replace(page * PASSAGES_PER_PAGE, documents, lengths, attributes);
    }
    // Only now: a document's passages may begin on one page and end on the next.
    for (const [page] of changed) this.#corpus.findSpans(page * PASSAGES_PER_PAGE, (page + 1) * PASSAGES_PER_PAGE);
    this.#attributes = [];
    for (const row of this.#database.rows('SELECT code, store, scope, is_archived FROM attributes')) {
      this.#attributes[Number(row[0])] = parseAttributes(row);
    }
    this.#layoutGeneration = generation;
  }

  #changedPages(table: 'layout' | 'facts', since: number): (readonly [number, Uint8Array])[] {
    const isFirst = since < 0;
    const rows = isFirst
      ? this.#database.rows(`SELECT page, body FROM ${table} ORDER BY page`)
      : this.#database.rows(`SELECT page, body FROM ${table} WHERE generation > ? ORDER BY page`, since);
    return rows.map((row) => {
      if (!(row[1] instanceof Uint8Array)) throw damaged(`a page of its ${table} is empty`);
      return [Number(row[0]), row[1]] as const;
    });
  }
}

function parseAttributes(row: Row): DocumentAttributes {
  return { store: String(row[1]) as Store, scope: String(row[2]) as Scope, isArchived: row[3] === 1 };
}
