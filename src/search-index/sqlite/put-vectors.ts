import { MnemeError, must } from '../../model/errors.ts';
import type { MissingVector } from '../port.ts';
import type { Corpus } from '../resident/corpus.ts';
import { latestFirst, type PassageFacts } from '../resident/facts.ts';
import type { IndexDatabase } from './index-database.ts';
import {
  removeModel,
  storedVector,
  vectorOf,
  VectorWriter,
  type StoredVector,
  type VectorModel,
} from './vector-rows.ts';

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
