import type { Scope, Store } from '../../model/provenance.ts';
import { damaged } from '../port.ts';
import type { DocumentOrder } from '../lexical/select.ts';
import type { DocumentSource } from '../passage.ts';
import { Corpus } from '../resident/corpus.ts';
import { keyText } from '../resident/labels.ts';
import { type DocumentAttributes, PassageFacts } from '../resident/filter.ts';
import { parseFacts, parseLayout, PASSAGES_PER_PAGE, type PageTable } from '../resident/layout.ts';
import type { IndexState, Transaction } from './server.ts';
import { compareTexts } from '../../model/text.ts';

export interface VectorModel {
  readonly number: number;
  readonly dimensions: number;
  readonly hasIndex: boolean;
}

/** The part of the index that this process keeps in memory, brought up to date from the rows written since. */
export class Resident {
  #epoch = '';
  #generation = -1;
  #factsGeneration = -1;
  #corpus = new Corpus();
  #facts = new PassageFacts();
  #attributes: (DocumentAttributes | undefined)[] = [];
  #models = new Map<string, VectorModel>();
  /** By document number; a number never gets another key. */
  #keys = new Map<number, string>();

  get corpus(): Corpus {
    return this.#corpus;
  }

  get facts(): PassageFacts {
    return this.#facts;
  }

  get attributes(): readonly (DocumentAttributes | undefined)[] {
    return this.#attributes;
  }

  model(name: string): VectorModel | undefined {
    return this.#models.get(name);
  }

  /** Forgets everything, because what it holds may not be what the server holds. */
  reset(): void {
    this.#epoch = '';
  }

  isAt({ epoch, generation }: IndexState, needsFacts: boolean): boolean {
    return (
      epoch === this.#epoch &&
      generation === this.#generation &&
      (!needsFacts || this.#factsGeneration === this.#generation)
    );
  }

  /** Whether somebody brought it further than a transaction that began earlier can see. */
  isBeyond({ epoch, generation }: IndexState): boolean {
    return epoch === this.#epoch && generation < this.#generation;
  }

  async refresh(transaction: Transaction, needsFacts: boolean): Promise<void> {
    const { state } = transaction;
    if (state.epoch !== this.#epoch) this.#begin(state.epoch);
    if (state.generation !== this.#generation) await this.#readLayout(transaction);
    if (!needsFacts || this.#factsGeneration === this.#generation) return;
    for (const [page, body] of await changedPages(transaction, 'facts', this.#factsGeneration)) {
      const { times, importances } = parseFacts(body);
      this.#facts.replace(page * PASSAGES_PER_PAGE, times, importances);
    }
    this.#factsGeneration = this.#generation;
  }

  readonly order: DocumentOrder = (left, right) => compareTexts(this.#keyOf(left), this.#keyOf(right));

  #keyOf(document: number): string {
    const key = this.#keys.get(document);
    if (key === undefined) throw damaged(`document ${document} has passages but no entry`);
    return key;
  }

  #begin(epoch: string): void {
    this.#epoch = epoch;
    this.#generation = -1;
    this.#factsGeneration = -1;
    this.#corpus = new Corpus();
    this.#facts = new PassageFacts();
    this.#attributes = [];
    this.#models = new Map();
    this.#keys = new Map();
  }

  async #readLayout(transaction: Transaction): Promise<void> {
    const { generation, nextPassage } = transaction.state;
    const changed = await changedPages(transaction, 'layout', this.#generation);
    const documents = await transaction.rows(
      'SELECT number, source, path FROM documents WHERE namespace = {ns} AND generation > $1',
      this.#generation,
    );
    const attributes = await transaction.rows(
      'SELECT code, store, scope, is_archived FROM attributes WHERE namespace = {ns}',
    );
    const models = await transaction.rows(
      'SELECT name, number, dimensions, has_index FROM models WHERE namespace = {ns}',
    );
    // Everything is read before anything is changed: a connection that breaks in between leaves it as it was.
    this.#corpus.reserve(nextPassage + PASSAGES_PER_PAGE);
    for (const [page, body] of changed) {
      const layout = parseLayout(body);
      this.#corpus.replace(page * PASSAGES_PER_PAGE, layout.documents, layout.lengths, layout.attributes);
    }
    // Only now: a document's passages may begin on one page and end on the next.
    for (const [page] of changed) this.#corpus.findSpans(page * PASSAGES_PER_PAGE, (page + 1) * PASSAGES_PER_PAGE);
    for (const [number, source, path] of documents) {
      this.#keys.set(Number(number), keyText({ source: String(source) as DocumentSource, path: String(path) }));
    }
    this.#attributes = [];
    for (const [code, store, scope, isArchived] of attributes) {
      this.#attributes[Number(code)] = {
        store: String(store) as Store,
        scope: String(scope) as Scope,
        isArchived: isArchived === true,
      };
    }
    this.#models = new Map(
      models.map(([name, number, dimensions, hasIndex]) => [
        String(name),
        { number: Number(number), dimensions: Number(dimensions), hasIndex: hasIndex === true },
      ]),
    );
    this.#generation = generation;
  }
}

async function changedPages(
  transaction: Transaction,
  table: PageTable,
  since: number,
): Promise<(readonly [number, Uint8Array])[]> {
  const sql = `SELECT page, body FROM ${table} WHERE namespace = {ns} AND generation > $1 ORDER BY page`;
  const rows = await transaction.rows(sql, since);
  return rows.map(([page, body]) => {
    if (!(body instanceof Uint8Array)) throw damaged(`a page of its ${table} is empty`);
    return [Number(page), body] as const;
  });
}
