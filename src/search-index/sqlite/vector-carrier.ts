import type { IndexDatabase } from './index-database.ts';
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
export class VectorCarrier {
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
