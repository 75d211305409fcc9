import { errorMessage } from '../../model/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { LexicalSearch } from '../lexical/search.ts';
import { PostingBuffer } from '../lexical/postings.ts';
import type { DocumentSource, IndexedEntity, Passage } from '../passage.ts';
import {
  type DocumentState,
  type IndexChange,
  type IndexStatus,
  type IndexView,
  type MissingVector,
  type SearchFilter,
  type SearchIndex,
  isDamaged,
} from '../port.ts';
import { AFTER_LABELS, embeddedKey, keyText, labelPrefix } from '../resident/labels.ts';
import { RecentFilters } from '../resident/filter.ts';
import { checkDocument, checkPassageCounts, MAX_FINDINGS, TermCounts } from '../resident/verify.ts';
import { applyChange } from './apply-change.ts';
import { IndexDatabase, type IndexOptions } from './index-database.ts';
import { RecentPassages } from './passage-rows.ts';
import { Resident } from './resident.ts';
import { CONTENT_TABLES } from './schema.ts';
import { limitSegments, readPostings } from './segments.ts';
import { SqliteView } from './sqlite-view.ts';
import {
  VECTORS_PER_ROW,
  listMissingVectors,
  listModels,
  putVectors,
  readVectors,
  removeModel,
} from './vector-rows.ts';
import { tidyIndex } from './tidy.ts';
import { compareTexts } from '../../model/text.ts';

/** Whether the parts of the file agree with each other; what is wrong, in words. */
async function verifyIndex(database: IndexDatabase): Promise<string[]> {
  try {
    return await database.read(() => {
      const findings = database
        .rows(`PRAGMA integrity_check(${MAX_FINDINGS})`)
        .map(([finding]) => String(finding))
        .filter((finding) => finding !== 'ok');
      if (findings.length > 0) return findings;
      // Loaded anew: what this process has in memory may be older than the damage.
      const resident = new Resident(database);
      resident.refresh();
      return [
        ...checkDocuments(database, resident),
        ...checkPostings(database, resident),
        ...checkVectors(database),
      ].slice(0, MAX_FINDINGS);
    });
  } catch (error) {
    if (isDamaged(error)) return [errorMessage(error)];
    throw error;
  }
}

function* checkDocuments(database: IndexDatabase, { corpus }: Resident): Generator<string> {
  let passages = 0;
  for (const row of database.rows('SELECT number, first, count, path FROM documents')) {
    const [number, first, count] = [Number(row[0]), Number(row[1]), Number(row[2])];
    passages += count;
    const sql = 'SELECT count(*) FROM passages WHERE number >= ? AND number < ?';
    const stored = Number(database.row(sql, first, first + count)?.[0]);
    yield* checkDocument(corpus, { number, first, count, path: String(row[3]), stored });
  }
  yield* checkPassageCounts(corpus, passages, Number(database.row('SELECT count(*) FROM passages')?.[0]));
}

function* checkPostings(database: IndexDatabase, { corpus }: Resident): Generator<string> {
  const counts = new TermCounts(corpus);
  const sql = 'SELECT body FROM segments CROSS JOIN postings ON segment = segments.number WHERE term >= ?';
  for (const row of database.prepare(sql).iterate(AFTER_LABELS) as Iterable<unknown>) {
    const [body] = row as readonly unknown[];
    if (body instanceof Uint8Array) counts.add(body);
  }
  yield* counts.problems();
}

function* checkVectors(database: IndexDatabase): Generator<string> {
  const sql = `SELECT name, page, length(scales), length(codes), dimensions FROM vectors
    JOIN models ON models.number = vectors.model`;
  for (const [name, page, scales, codes, dimensions] of database.rows(sql)) {
    const isRight = scales === VECTORS_PER_ROW * 4 && codes === VECTORS_PER_ROW * Number(dimensions);
    if (!isRight) yield `Vectors of ${String(name)}: row ${String(page)} has the wrong size.`;
  }
}

/** The index in one SQLite file, shared by any number of processes. */
export class SqliteIndex implements SearchIndex {
  readonly #database: IndexDatabase;
  readonly #resident: Resident;
  readonly #search = new LexicalSearch();
  readonly #filters = new RecentFilters();
  readonly #recent = new RecentPassages();

  constructor(file: string, clock: Clock, options: IndexOptions = {}) {
    this.#database = new IndexDatabase(file, clock, options);
    this.#resident = new Resident(this.#database);
  }

  /** Why the file had to be made anew when it was opened; told once. */
  takeReplacement(): string | undefined {
    return this.#database.takeReplacement();
  }

  version(): Promise<string> {
    return this.#database.read(() => {
      const { epoch, generation } = this.#database.state;
      return `${epoch}.${generation}`;
    });
  }

  listDocuments(): Promise<readonly DocumentState[]> {
    return this.#database.read(() =>
      this.#database.rows('SELECT source, path, hash FROM documents').map(([source, path, hash]) => ({
        source: String(source) as DocumentSource,
        path: String(path),
        hash: String(hash),
      })),
    );
  }

  apply(change: IndexChange): Promise<void> {
    if (change.put.length === 0 && change.remove.length === 0) return Promise.resolve();
    return this.#write((generation) => {
      applyChange(this.#database, change, generation);
      limitSegments(this.#database);
    });
  }

  listMissingVectors(model: string, limit: number): Promise<readonly MissingVector[]> {
    return this.#database.read(() => {
      this.#resident.refresh();
      const vectors = this.#resident.vectors(model);
      const resident = { corpus: this.#resident.corpus, facts: this.#resident.facts() };
      return listMissingVectors(this.#database, resident, (passage) => vectors?.has(passage) === true, limit);
    });
  }

  putVectors(
    model: string,
    dimensions: number,
    vectors: readonly { readonly passage: number; readonly vector: Float32Array }[],
  ): Promise<void> {
    return this.#write((generation) => putVectors(this.#database, { model, dimensions, vectors }, generation));
  }

  readVectors(
    model: string,
    texts: readonly Pick<Passage, 'lead' | 'day' | 'text'>[],
  ): Promise<readonly (Float32Array | undefined)[]> {
    return this.#database.read(() => readVectors(this.#database, model, texts.map(embeddedKey)));
  }

  keepModels(models: readonly string[]): Promise<void> {
    return this.#write(() => {
      for (const { name, number } of listModels(this.#database)) {
        if (!models.includes(name)) removeModel(this.#database, number);
      }
    });
  }

  view(filter: SearchFilter): Promise<IndexView> {
    return this.#database.read(() => {
      const state = this.#resident.refresh();
      const tools = {
        database: this.#database,
        resident: this.#resident,
        search: this.#search,
        filters: this.#filters,
        recent: this.#recent,
      };
      return new SqliteView(tools, filter, state);
    });
  }

  listSpeakers(): Promise<readonly string[]> {
    return this.#database.read(() => {
      this.#resident.refresh();
      const prefix = labelPrefix('speaker');
      const sql = `SELECT DISTINCT term FROM segments CROSS JOIN postings ON segment = segments.number
        WHERE term >= ? AND term < ?`;
      const speakers: string[] = [];
      const postings = new PostingBuffer();
      for (const [term] of this.#database.rows(sql, prefix, `${prefix}\u{10ffff}`)) {
        postings.clear();
        readPostings(this.#database, String(term), postings);
        postings.dropDead(this.#resident.corpus);
        if (postings.length > 0) speakers.push(String(term).slice(prefix.length));
      }
      return speakers.sort(compareTexts);
    });
  }

  listEntities(): Promise<readonly IndexedEntity[]> {
    return this.#database.read(() =>
      this.#database
        .rows('SELECT source, path, body FROM entities JOIN documents ON documents.number = entities.document')
        .map(([source, path, body]) => ({
          key: keyText({ source: String(source) as DocumentSource, path: String(path) }),
          entity: JSON.parse(String(body)) as IndexedEntity,
        }))
        .sort((left, right) => compareTexts(left.key, right.key))
        .map(({ entity }) => entity),
    );
  }

  readNote(name: string): Promise<string | undefined> {
    return this.#database.read(() => {
      const value = this.#database.row('SELECT value FROM notes WHERE name = ?', name)?.[0];
      return typeof value === 'string' ? value : undefined;
    });
  }

  writeNote(name: string, value: string | undefined): Promise<void> {
    return this.#database.writeBeside(() => {
      if (value === undefined) this.#database.run('DELETE FROM notes WHERE name = ?', name);
      else this.#database.run('INSERT OR REPLACE INTO notes VALUES (?, ?)', name, value);
    });
  }

  status(): Promise<IndexStatus> {
    return this.#database.read(() => {
      this.#resident.refresh();
      const { corpus } = this.#resident;
      const models = listModels(this.#database).map(({ name, dimensions }) => {
        const resident = this.#resident.vectors(name);
        let vectors = 0;
        for (let passage = 0; passage < corpus.capacity; passage += 1) {
          if (corpus.isLive(passage) && resident?.has(passage) === true) vectors += 1;
        }
        return { model: name, dimensions, vectors };
      });
      return {
        documents: Number(this.#database.row('SELECT count(*) FROM documents')?.[0]),
        passages: corpus.passages,
        bytes: this.#database.bytes,
        models,
      };
    });
  }

  verify(): Promise<readonly string[]> {
    return verifyIndex(this.#database);
  }

  optimize(): Promise<void> {
    return this.#write((generation) => {
      this.#resident.refresh();
      tidyIndex(this.#database, this.#resident, generation);
    });
  }

  async clear(): Promise<void> {
    try {
      await this.#write(() => {
        for (const table of CONTENT_TABLES) this.#database.run(`DELETE FROM ${table}`);
        this.#database.run('UPDATE state SET epoch = hex(randomblob(8)), next_passage = 0');
      });
    } catch (error) {
      if (!isDamaged(error)) throw error;
      this.#database.recreate();
    }
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #write<T>(body: (generation: number) => T): Promise<T> {
    try {
      return await this.#database.write(body);
    } catch (error) {
      // It may have been brought up to a write that was then undone.
      this.#resident.reset();
      this.#recent.clear();
      throw error;
    }
  }
}
