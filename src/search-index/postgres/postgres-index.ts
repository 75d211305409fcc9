import { MnemeError } from '../../model/errors.ts';
import { LexicalSearch } from '../lexical/search.ts';
import { PostingBuffer } from '../lexical/postings.ts';
import type { DocumentSource, IndexedEntity, Passage } from '../passage.ts';
import type {
  DocumentState,
  IndexChange,
  IndexStatus,
  IndexView,
  MissingVector,
  OptimizeOptions,
  SearchFilter,
  SearchIndex,
} from '../port.ts';
import { embeddedKey, keyText, labelPrefix } from '../resident/labels.ts';
import { RecentFilters } from '../resident/filter.ts';
import { applyChange, assertQuota } from './apply-change.ts';
import { PostgresView } from './postgres-view.ts';
import { ReadersAndWriter } from './reading-order.ts';
import { Resident } from './resident.ts';
import { parseDocumentBody, storable } from './rows.ts';
import { CONTENT_TABLES } from './schema.ts';
import { fetchPostings, limitSegments } from './segments.ts';
import { PostgresServer, type ServerOptions, type Transaction } from './server.ts';
import { tidyIndex, TOLERATED_UNUSED } from './tidy.ts';
import {
  buildVectorIndexes,
  FEW_PASSAGES,
  INDEX_FROM_VECTORS,
  listMissing,
  keepModels,
  listModels,
  markCovered,
  putVectors,
  readVectors,
  readVectorStates,
} from './vectors.ts';
import { verifyIndex } from './verify.ts';
import { compareTexts } from '../../model/text.ts';

export interface PostgresIndexOptions extends ServerOptions {
  /** The writing device; a document that another device put is not taken for deleted when this one lacks its file. */
  readonly device: string;
  /** From so many vectors on, an index over them is built. */
  readonly indexFromVectors?: number | undefined;
  readonly toleratedUnused?: number | undefined;
  /** Up to so many passages that a filter lets through are compared one by one, whatever index there is. */
  readonly compareUpTo?: number | undefined;
  /** Vectors of models that no machine has used for longer than this are removed. */
  readonly keptDays?: number | undefined;
}

/** Another machine may run another version of the program, with another model, and not every day. */
const KEPT_DAYS = 30;

/** The limit on attempts while others write all the time; then the present state is read as one, alone. */
const MAX_ATTEMPTS = 20;

/** The index in a PostgreSQL server with pgvector, shared by any number of machines. */
export class PostgresIndex implements SearchIndex {
  readonly server: PostgresServer;
  readonly #options: PostgresIndexOptions;
  readonly #resident = new Resident();
  readonly #order = new ReadersAndWriter();
  readonly #search = new LexicalSearch();
  readonly #filters = new RecentFilters();

  constructor(options: PostgresIndexOptions) {
    this.#options = options;
    this.server = new PostgresServer(options);
  }

  version(): Promise<string> {
    return this.server.read(async ({ state: { epoch, generation } }) => `${epoch}.${generation}`);
  }

  listDocuments(): Promise<readonly DocumentState[]> {
    return this.server.read(async (transaction) => {
      const rows = await transaction.rows('SELECT source, path, hash, device FROM documents WHERE namespace = {ns}');
      return rows.map(([source, path, hash, device]) => ({
        source: String(source) as DocumentSource,
        path: String(path),
        hash: String(hash),
        isOthers: device === this.#options.device ? undefined : true,
      }));
    });
  }

  apply(change: IndexChange): Promise<void> {
    if (change.put.length === 0 && change.remove.length === 0) return Promise.resolve();
    return this.#write(async (transaction) => {
      const { nextPassage, nextDocument } = await applyChange(transaction, change, this.#options.device);
      if (change.put.length > 0) await assertQuota(transaction);
      await limitSegments(transaction);
      const sql = 'UPDATE state SET next_passage = $1, next_document = $2 WHERE namespace = {ns}';
      await transaction.rows(sql, nextPassage, nextDocument);
    });
  }

  async listMissingVectors(model: string, limit: number): Promise<readonly MissingVector[]> {
    const missing = await this.server.read((transaction) => listMissing(transaction, model, limit));
    if (missing.length === 0) await this.server.writeBeside((transaction) => markCovered(transaction, model));
    return missing;
  }

  putVectors(
    model: string,
    dimensions: number,
    vectors: readonly { readonly passage: number; readonly vector: Float32Array }[],
  ): Promise<void> {
    const { namespace } = this.#options;
    return this.#write((transaction) => putVectors(transaction, namespace, { model, dimensions, vectors }));
  }

  readVectors(
    model: string,
    texts: readonly Pick<Passage, 'lead' | 'day' | 'text'>[],
  ): Promise<readonly (Float32Array | undefined)[]> {
    return this.server.read((transaction) => readVectors(transaction, model, texts.map(embeddedKey)));
  }

  keepModels(models: readonly string[]): Promise<void> {
    const { namespace, keptDays = KEPT_DAYS } = this.#options;
    return this.#write((transaction) => keepModels(transaction, { namespace, models, keptDays }));
  }

  view(filter: SearchFilter): Promise<IndexView> {
    return this.#readCurrent(async ({ state: { epoch } }) => {
      const parts = {
        resident: this.#resident,
        search: this.#search,
        filters: this.#filters,
        read: this.#readCurrent.bind(this),
        compareUpTo: this.#options.compareUpTo ?? FEW_PASSAGES,
      };
      return new PostgresView(parts, filter, epoch);
    });
  }

  listSpeakers(): Promise<readonly string[]> {
    return this.#readCurrent(async (transaction) => {
      const prefix = labelPrefix('speaker');
      const sql = 'SELECT DISTINCT term FROM postings WHERE namespace = {ns} AND term >= $1 AND term < $2';
      const terms = (await transaction.rows(sql, prefix, `${prefix}\u{10ffff}`)).map(([term]) => String(term));
      const readPostings = await fetchPostings(transaction, terms);
      const postings = new PostingBuffer();
      const speakers = terms.filter((term) => {
        postings.clear();
        readPostings(term, postings);
        postings.dropDead(this.#resident.corpus);
        return postings.length > 0;
      });
      return speakers.map((term) => term.slice(prefix.length)).sort(compareTexts);
    });
  }

  listEntities(): Promise<readonly IndexedEntity[]> {
    return this.server.read(async (transaction) => {
      const rows = await transaction.rows(
        `SELECT source, path, body FROM documents WHERE namespace = {ns} AND body LIKE '%"entity":%'`,
      );
      return rows
        .map(([source, path, body]) => ({
          key: keyText({ source: String(source) as DocumentSource, path: String(path) }),
          entity: parseDocumentBody(body).entity,
        }))
        .sort((left, right) => compareTexts(left.key, right.key))
        .flatMap(({ entity }) => entity ?? []);
    });
  }

  readNote(name: string): Promise<string | undefined> {
    return this.server.read(async (transaction) => {
      const row = await transaction.row('SELECT value FROM notes WHERE namespace = {ns} AND name = $1', name);
      return row === undefined ? undefined : String(row[0]);
    });
  }

  async writeNote(name: string, value: string | undefined): Promise<void> {
    await this.server.writeBeside(async (transaction) => {
      if (value === undefined) {
        await transaction.rows('DELETE FROM notes WHERE namespace = {ns} AND name = $1', name);
        return;
      }
      const sql = `INSERT INTO notes VALUES ({ns}, $1, $2)
        ON CONFLICT (namespace, name) DO UPDATE SET value = excluded.value`;
      await transaction.rows(sql, name, storable(value));
    });
  }

  status(): Promise<IndexStatus> {
    return this.#readCurrent(async (transaction) => {
      const row = await transaction.row(
        `SELECT (SELECT count(*) FROM documents WHERE namespace = {ns}),
           (SELECT coalesce(sum(bytes), 0) FROM documents WHERE namespace = {ns}),
           (SELECT coalesce(sum(bytes), 0) FROM segments WHERE namespace = {ns})`,
      );
      const { passages } = this.#resident.corpus;
      const models = await readVectorStates(transaction, passages);
      const vectorBytes = models.reduce((sum, { vectors, dimensions }) => sum + vectors * dimensions * 2, 0);
      const bytes = Number(row?.[1]) + Number(row?.[2]) + vectorBytes;
      return { documents: Number(row?.[0]), passages, bytes, models };
    });
  }

  verify(): Promise<readonly string[]> {
    return verifyIndex(this.server);
  }

  async optimize({ isThorough = false }: OptimizeOptions = {}): Promise<void> {
    // Its connection first: who waits for its turn with one in hand must not be waited for by who still needs one.
    await this.#write((transaction) => this.#order.write(() => this.#tidy(transaction)));
    if (!isThorough) return;
    const from = this.#options.indexFromVectors ?? INDEX_FROM_VECTORS;
    await this.server.writeLong(async (transaction) => {
      if (await buildVectorIndexes(transaction, this.#options.namespace, from)) await advance(transaction);
    });
  }

  async clear(): Promise<void> {
    await this.#write(async (transaction) => {
      for (const { number } of await listModels(transaction)) {
        await transaction.rows('SELECT drop_vector_index($1, $2)', this.#options.namespace, number);
      }
      for (const table of CONTENT_TABLES) await transaction.rows(`DELETE FROM ${table} WHERE namespace = {ns}`);
      const sql = 'UPDATE state SET epoch = gen_random_uuid()::text, next_passage = 0 WHERE namespace = {ns}';
      await transaction.rows(sql);
    });
  }

  close(): Promise<void> {
    return this.server.close();
  }

  async #tidy(transaction: Transaction): Promise<void> {
    await this.#resident.refresh(transaction, true);
    const toleratedUnused = this.#options.toleratedUnused ?? TOLERATED_UNUSED;
    const { nextPassage, isRenumbered } = await tidyIndex(transaction, this.#resident, { toleratedUnused });
    if (!isRenumbered) return;
    const sql = 'UPDATE state SET next_passage = $1, epoch = gen_random_uuid()::text WHERE namespace = {ns}';
    await transaction.rows(sql, nextPassage);
  }

  async #write(body: (transaction: Transaction) => Promise<void>): Promise<void> {
    try {
      await this.server.write(async (transaction) => {
        await body(transaction);
        await advance(transaction);
      });
    } catch (error) {
      // It may have been brought up to a write that was then undone.
      this.#resident.reset();
      throw error;
    }
  }

  /**
   * Runs a body in a transaction whose moment is that of the resident part. Numbers that the caller got in an earlier
   * epoch may mean other passages now.
   */
  async #readCurrent<T>(
    body: (transaction: Transaction) => Promise<T>,
    { facts = false, epoch }: { readonly facts?: boolean; readonly epoch?: string } = {},
  ): Promise<T> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const outcome = await this.server.read(async (transaction) => {
        const { state } = transaction;
        if (epoch !== undefined && state.epoch !== epoch) {
          throw new MnemeError('conflict', 'The search index was made anew while it was being asked.', {
            hint: 'Ask again.',
          });
        }
        if (!this.#resident.isAt(state, facts)) {
          await this.#order.write(async () => {
            if (!this.#resident.isAt(state, facts) && !this.#resident.isBeyond(state))
              await this.#resident.refresh(transaction, facts);
          });
        }
        return this.#order.read(async () =>
          this.#resident.isAt(state, facts) ? { result: await body(transaction) } : undefined,
        );
      });
      if (outcome !== undefined) return outcome.result;
    }
    throw new MnemeError('locked', 'The PostgreSQL index changes faster than it can be read.', { hint: 'Ask again.' });
  }
}

async function advance(transaction: Transaction): Promise<void> {
  await transaction.rows('UPDATE state SET generation = $1 WHERE namespace = {ns}', transaction.state.generation + 1);
}
