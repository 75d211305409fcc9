import { must } from '../../model/errors.ts';
import { PostingBuilder } from '../lexical/builder.ts';
import type { DocumentKey, IndexedDocument } from '../passage.ts';
import type { IndexChange } from '../port.ts';
import { embeddedKey } from '../resident/labels.ts';
import { importancesOf, timesOf } from '../resident/filter.ts';
import { LayoutWriter, fingerprintOf, isContinued, reserveFor } from '../resident/layout.ts';
import { type IndexDatabase, pageStore } from './index-database.ts';
import { insertPassage } from './passage-rows.ts';
import { writeSegment } from './segments.ts';
import { listModels, VectorWriter, type StoredVector } from './vector-rows.ts';

/** Equal texts that are looked at for a vector; more of them without one means that there is none. */
const MAX_TWINS = 4;

interface Carried {
  readonly key: Uint8Array;
  readonly vector: StoredVector;
}

/**
 * Vectors cost more than anything else in the index, so a text keeps its own when its passage gets another number,
 * moves to another document, or is gone for a while.
 */
class VectorCarrier {
  readonly #database: IndexDatabase;
  readonly #models: readonly { readonly writer: VectorWriter; readonly carried: Map<string, Carried> }[];

  constructor(database: IndexDatabase) {
    this.#database = database;
    this.#models = listModels(database).map((model) => ({
      writer: new VectorWriter(database, model),
      carried: new Map<string, Carried>(),
    }));
  }

  /** To be called before the passages are deleted. */
  take(first: number, count: number): void {
    if (this.#models.length === 0 || count === 0) return;
    const sql = 'SELECT number, key FROM passages WHERE number >= ? AND number < ?';
    for (const [number, key] of this.#database.rows(sql, first, first + count)) {
      if (!(key instanceof Uint8Array)) continue;
      for (const { writer, carried } of this.#models) {
        const vector = writer.find(Number(number));
        if (vector !== undefined) carried.set(nameOf(key), { key, vector });
      }
    }
  }

  give(passage: number, key: Uint8Array): void {
    for (const { writer, carried } of this.#models) {
      const name = nameOf(key);
      const vector = carried.get(name)?.vector ?? this.#findTwin(writer, passage, key) ?? writer.findCached(key);
      if (vector !== undefined) writer.set(passage, vector);
    }
  }

  /** Keeps what nobody took for a text that comes back. */
  finish(generation: number): void {
    for (const { writer, carried } of this.#models) {
      for (const { key, vector } of carried.values()) {
        const isInUse = this.#database.row('SELECT 1 FROM passages WHERE key = ? LIMIT 1', key) !== undefined;
        if (!isInUse) writer.cache(key, vector, generation);
      }
      writer.flush(generation);
    }
  }

  #findTwin(writer: VectorWriter, passage: number, key: Uint8Array): StoredVector | undefined {
    const sql = 'SELECT number FROM passages WHERE key = ? AND number <> ? ORDER BY number LIMIT ?';
    for (const [number] of this.#database.rows(sql, key, passage, MAX_TWINS)) {
      const vector = writer.find(Number(number));
      if (vector !== undefined) return vector;
    }
    return undefined;
  }
}

function nameOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('base64');
}

/** Postings gathered in memory before they are written; bounds what a large change needs. */
const PASSAGES_PER_SEGMENT = 50_000;

interface KnownDocument {
  readonly number: number;
  readonly first: number;
  readonly count: number;
  readonly reserved: number;
  readonly session: string | undefined;
  readonly fingerprint: string;
}

/** Writes a change; to be called within a transaction. */
export function applyChange(database: IndexDatabase, change: IndexChange, generation: number): void {
  new ChangeWriter(database, generation).write(change);
}

class ChangeWriter {
  readonly #database: IndexDatabase;
  readonly #generation: number;
  readonly #layout: LayoutWriter;
  readonly #vectors: VectorCarrier;
  readonly #attributeCodes = new Map<string, number>();
  #postings = new PostingBuilder();
  #gathered = 0;
  #nextPassage: number;

  constructor(database: IndexDatabase, generation: number) {
    this.#database = database;
    this.#generation = generation;
    this.#layout = new LayoutWriter(pageStore(database, generation));
    this.#vectors = new VectorCarrier(database);
    this.#nextPassage = database.state.nextPassage;
  }

  write({ put, remove }: IndexChange): void {
    for (const key of remove) this.#remove(key);
    for (const document of put) this.#put(document);
    writeSegment(this.#database, this.#postings);
    this.#layout.flush();
    this.#vectors.finish(this.#generation);
    this.#database.run('UPDATE state SET next_passage = ?', this.#nextPassage);
  }

  #remove(key: DocumentKey): void {
    const known = this.#find(key);
    if (known === undefined) return;
    this.#removePassages(known);
    this.#database.run('DELETE FROM documents WHERE number = ?', known.number);
    this.#database.run('DELETE FROM entities WHERE document = ?', known.number);
  }

  #put(document: IndexedDocument): void {
    const known = this.#find(document);
    const { passages } = document;
    const attribute = this.#attributeCode(document);
    const isGrown = known !== undefined && isContinued(known, document);
    if (known !== undefined && isGrown && passages.length <= known.reserved) {
      this.#writeDocument(document, attribute, known.first, known.reserved);
      this.#layout.setAttribute(known.first, known.count, attribute);
      this.#addPassages(known.number, attribute, known.first + known.count, document, known.count);
      return;
    }
    if (known !== undefined) this.#removePassages(known);
    const first = this.#nextPassage;
    const reserved = reserveFor(passages.length, isGrown);
    this.#nextPassage += reserved;
    const number = this.#writeDocument(document, attribute, first, reserved);
    this.#addPassages(number, attribute, first, document, 0);
  }

  #addPassages(number: number, attribute: number, first: number, document: IndexedDocument, from: number): void {
    const passages = document.passages.slice(from);
    const lengths = this.#postings.add(passages, first, document.session);
    this.#layout.place(number, attribute, first, lengths);
    this.#layout.setFacts(first, timesOf(passages), importancesOf(passages));
    for (const [offset, passage] of passages.entries()) {
      const key = embeddedKey(passage);
      insertPassage(this.#database, first + offset, key, passage);
      this.#vectors.give(first + offset, key);
    }
    this.#gathered += passages.length;
    if (this.#gathered < PASSAGES_PER_SEGMENT) return;
    writeSegment(this.#database, this.#postings);
    this.#postings = new PostingBuilder();
    this.#gathered = 0;
  }

  #removePassages({ first, count }: KnownDocument): void {
    this.#vectors.take(first, count);
    this.#database.run('DELETE FROM passages WHERE number >= ? AND number < ?', first, first + count);
    this.#layout.remove(first, count);
  }

  #find({ source, path }: DocumentKey): KnownDocument | undefined {
    const row = this.#database.row(
      'SELECT number, first, count, reserved, session, fingerprint FROM documents WHERE source = ? AND path = ?',
      source,
      path,
    );
    if (row === undefined) return undefined;
    return {
      number: Number(row[0]),
      first: Number(row[1]),
      count: Number(row[2]),
      reserved: Number(row[3]),
      session: typeof row[4] === 'string' ? row[4] : undefined,
      fingerprint: String(row[5]),
    };
  }

  #writeDocument(document: IndexedDocument, attribute: number, first: number, reserved: number): number {
    const row = this.#database.row(
      `INSERT INTO documents (source, path, hash, title, session, attributes, first, count, reserved, fingerprint)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (source, path) DO UPDATE SET hash = excluded.hash, title = excluded.title,
         session = excluded.session, attributes = excluded.attributes, first = excluded.first,
         count = excluded.count, reserved = excluded.reserved, fingerprint = excluded.fingerprint
       RETURNING number`,
      document.source,
      document.path,
      document.hash,
      document.title,
      document.session ?? null,
      attribute,
      first,
      document.passages.length,
      reserved,
      fingerprintOf(document.passages),
    );
    const number = Number(must(row, 'the number of a document')[0]);
    this.#database.run('DELETE FROM entities WHERE document = ?', number);
    if (document.entity !== undefined) {
      this.#database.run('INSERT INTO entities VALUES (?, ?)', number, JSON.stringify(document.entity));
    }
    return number;
  }

  #attributeCode({ store, scope, isArchived }: IndexedDocument): number {
    const name = `${store} ${scope} ${isArchived}`;
    let code = this.#attributeCodes.get(name);
    if (code === undefined) {
      const values = [store, scope, isArchived ? 1 : 0] as const;
      this.#database.run('INSERT OR IGNORE INTO attributes (store, scope, is_archived) VALUES (?, ?, ?)', ...values);
      const sql = 'SELECT code FROM attributes WHERE store = ? AND scope = ? AND is_archived = ?';
      code = Number(must(this.#database.row(sql, ...values), 'the code of a document')[0]);
      this.#attributeCodes.set(name, code);
    }
    return code;
  }
}
