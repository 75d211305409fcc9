import { MnemeError, must } from '../../model/errors.ts';
import { type MissingVector, damaged } from '../port.ts';
import type { Corpus } from '../resident/corpus.ts';
import { latestFirst, type PassageFacts } from '../resident/filter.ts';
import { dequantize, quantize } from '../vectors/quantize.ts';
import type { IndexDatabase, Row } from './index-database.ts';

/** Vectors in one row of the table: few, because a write of one document rewrites whole rows. */
export const VECTORS_PER_ROW = 256;

/** Stands for the scale of a vector that is zero, as 0 says that there is none. */
const NOTHING = -1;

export interface VectorModel {
  readonly number: number;
  readonly dimensions: number;
}

/** A vector as it is stored. */
export interface StoredVector {
  readonly scale: number;
  readonly codes: Uint8Array;
}

export function storedVector(vector: Float32Array): StoredVector {
  const { codes, scale } = quantize(vector);
  return { scale: scale === 0 ? NOTHING : scale, codes: new Uint8Array(codes.buffer) };
}

export function vectorOf({ scale, codes }: StoredVector): Float32Array {
  const signed = new Int8Array(codes.buffer, codes.byteOffset, codes.length);
  return dequantize({ codes: signed, scale: Math.max(0, scale) });
}

export function parseScales(body: Row[number] | undefined): Float32Array {
  if (!(body instanceof Uint8Array) || body.length !== VECTORS_PER_ROW * 4) {
    throw damaged('a row of vectors has the wrong size');
  }
  return new Float32Array(new Uint8Array(body).buffer);
}

interface OpenRow {
  readonly scales: Float32Array;
  readonly codes: Uint8Array;
  isChanged: boolean;
}

/** The rows of one model's vectors that a write touches: read when first needed, written at its end. */
export class VectorWriter {
  readonly model: VectorModel;
  readonly #database: IndexDatabase;
  readonly #rows = new Map<number, OpenRow>();

  constructor(database: IndexDatabase, model: VectorModel) {
    this.#database = database;
    this.model = model;
  }

  find(passage: number): StoredVector | undefined {
    const { scales, codes } = this.#rowAt(passage);
    const at = passage % VECTORS_PER_ROW;
    const scale = scales[at] ?? 0;
    if (scale === 0) return undefined;
    const { dimensions } = this.model;
    return { scale, codes: codes.slice(at * dimensions, (at + 1) * dimensions) };
  }

  set(passage: number, { scale, codes }: StoredVector): void {
    const row = this.#rowAt(passage);
    const at = passage % VECTORS_PER_ROW;
    row.scales[at] = scale;
    row.codes.set(codes, at * this.model.dimensions);
    row.isChanged = true;
  }

  findCached(key: Uint8Array): StoredVector | undefined {
    const sql = 'SELECT scale, codes FROM embedding_cache WHERE model = ? AND key = ?';
    const row = this.#database.row(sql, this.model.number, key);
    if (row === undefined || !(row[1] instanceof Uint8Array)) return undefined;
    return { scale: Number(row[0]), codes: row[1] };
  }

  cache(key: Uint8Array, { scale, codes }: StoredVector, generation: number): void {
    const sql = 'INSERT OR REPLACE INTO embedding_cache VALUES (?, ?, ?, ?, ?)';
    this.#database.run(sql, this.model.number, key, generation, scale, codes);
  }

  flush(generation: number): void {
    for (const [page, { scales, codes, isChanged }] of this.#rows) {
      if (!isChanged) continue;
      const sql = 'INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?)';
      this.#database.run(sql, this.model.number, page, generation, new Uint8Array(scales.buffer), codes);
    }
    this.#rows.clear();
  }

  #rowAt(passage: number): OpenRow {
    const page = Math.floor(passage / VECTORS_PER_ROW);
    let open = this.#rows.get(page);
    if (open === undefined) {
      const sql = 'SELECT scales, codes FROM vectors WHERE model = ? AND page = ?';
      const row = this.#database.row(sql, this.model.number, page);
      const codes = row?.[1];
      open = {
        scales: row === undefined ? new Float32Array(VECTORS_PER_ROW) : parseScales(row[0]),
        codes: codes instanceof Uint8Array ? codes : new Uint8Array(VECTORS_PER_ROW * this.model.dimensions),
        isChanged: false,
      };
      if (open.codes.length !== VECTORS_PER_ROW * this.model.dimensions) {
        throw damaged('a row of vectors has the wrong size');
      }
      this.#rows.set(page, open);
    }
    return open;
  }
}

export function listModels(database: IndexDatabase): (VectorModel & { readonly name: string })[] {
  return database
    .rows('SELECT number, name, dimensions FROM models ORDER BY number')
    .map((row) => ({ number: Number(row[0]), name: String(row[1]), dimensions: Number(row[2]) }));
}

export function removeModel(database: IndexDatabase, model: number): void {
  database.run('DELETE FROM vectors WHERE model = ?', model);
  database.run('DELETE FROM embedding_cache WHERE model = ?', model);
  database.run('DELETE FROM models WHERE number = ?', model);
}

interface NewVectors {
  readonly model: string;
  readonly dimensions: number;
  readonly vectors: readonly { readonly passage: number; readonly vector: Float32Array }[];
}

/** Every passage with the same text gets the vector too; passages removed meanwhile are left out. */
export function putVectors(
  database: IndexDatabase,
  { model, dimensions, vectors }: NewVectors,
  generation: number,
): void {
  const writer = new VectorWriter(database, openModel(database, model, dimensions));
  for (const { passage, vector } of vectors) {
    if (vector.length !== dimensions) {
      throw new MnemeError('failure', `A vector of ${model} has ${vector.length} dimensions instead of ${dimensions}.`);
    }
    const stored = storedVector(vector);
    const sql = 'SELECT number FROM passages WHERE key = (SELECT key FROM passages WHERE number = ?)';
    for (const [number] of database.rows(sql, passage)) writer.set(Number(number), stored);
  }
  writer.flush(generation);
}

export function listMissingVectors(
  database: IndexDatabase,
  { corpus, facts }: { readonly corpus: Corpus; readonly facts: PassageFacts },
  hasVector: (passage: number) => boolean,
  limit: number,
): MissingVector[] {
  const lacking: number[] = [];
  for (let passage = 0; passage < corpus.capacity; passage += 1) {
    if (corpus.isLive(passage) && !hasVector(passage)) lacking.push(passage);
  }
  const missing = new Map<string, MissingVector>();
  for (const passage of latestFirst(lacking, facts, limit)) {
    if (missing.size >= limit) break;
    const row = database.row('SELECT hex(key), lead, day, text FROM passages WHERE number = ?', passage);
    if (row === undefined || missing.has(String(row[0]))) continue;
    missing.set(String(row[0]), { passage, lead: String(row[1]), day: String(row[2]), text: String(row[3]) });
  }
  return Array.from(missing.values());
}

/** The model's number; vectors of another length under the same name belong to an earlier version of it. */
function openModel(database: IndexDatabase, name: string, dimensions: number): VectorModel {
  const row = database.row('SELECT number, dimensions FROM models WHERE name = ?', name);
  if (row !== undefined && row[1] === dimensions) return { number: Number(row[0]), dimensions };
  if (row !== undefined) removeModel(database, Number(row[0]));
  const made = database.row('INSERT INTO models (name, dimensions) VALUES (?, ?) RETURNING number', name, dimensions);
  return { number: Number(must(made, 'the number of a model')[0]), dimensions };
}

/** Aligned with `keys`: from a passage that has the text, or from what is kept of texts that are gone. */
export function readVectors(
  database: IndexDatabase,
  name: string,
  keys: readonly Uint8Array[],
): (Float32Array | undefined)[] {
  const row = database.row('SELECT number, dimensions FROM models WHERE name = ?', name);
  if (row === undefined) return keys.map(() => undefined);
  const reader = new VectorWriter(database, { number: Number(row[0]), dimensions: Number(row[1]) });
  return keys.map((key) => {
    const found = findStored(database, reader, key);
    return found && vectorOf(found);
  });
}

function findStored(database: IndexDatabase, reader: VectorWriter, key: Uint8Array): StoredVector | undefined {
  for (const [number] of database.rows('SELECT number FROM passages WHERE key = ? ORDER BY number', key)) {
    const vector = reader.find(Number(number));
    if (vector !== undefined) return vector;
  }
  return reader.findCached(key);
}
