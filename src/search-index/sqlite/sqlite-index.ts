import type { Clock } from '../../platform/clock.ts';
import { LexicalSearch } from '../lexical/search.ts';
import { PostingBuffer } from '../lexical/postings.ts';
import type { DocumentSource, IndexedEntity, Passage } from '../passage.ts';
import type {
  DocumentState,
  IndexChange,
  IndexStatus,
  IndexView,
  MissingVector,
  SearchFilter,
  SearchIndex,
} from '../port.ts';
import { embeddedKey, keyText, labelPrefix } from '../resident/labels.ts';
import { RecentFilters } from '../resident/filter.ts';
import { applyChange } from './apply-change.ts';
import { isDamaged } from '../damage.ts';
import { IndexDatabase, type IndexOptions } from './index-database.ts';
import { RecentPassages } from './recent-passages.ts';
import { Resident } from './resident.ts';
import { CONTENT_TABLES } from './schema.ts';
import { limitSegments, readPostings } from './segments.ts';
import { SqliteView } from './sqlite-view.ts';
import { listMissingVectors, listModels, putVectors, readVectors, removeModel } from './vector-rows.ts';
import { verifyIndex } from './verify.ts';
import { tidyIndex } from './tidy.ts';
import { compareTexts } from '../../model/text.ts';

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
