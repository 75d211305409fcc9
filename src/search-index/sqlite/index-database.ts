import { statSync } from 'node:fs';
import type { StatementSync } from 'node:sqlite';
import { MnemeError, errorMessage, must } from '../../model/errors.ts';
import { sleep, type Clock } from '../../platform/clock.ts';
import { explainDiskFailure, sqliteCode } from '../../platform/disk-failure.ts';
import { StateDatabase, isBusy, isCorrupt } from '../../platform/sqlite.ts';
import { damaged } from '../port.ts';
import type { PageStore } from '../resident/layout.ts';
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';

const SQLITE_ERROR = 1;
const SQLITE_FULL = 13;

/** Turns an error of SQLite into one a reader can act on. */
export function explainFailure(file: string, error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === undefined) return error;
  if (isCorrupt(error)) return damaged(errorMessage(error), error);
  // A statement that used to compile and does not: tables are missing.
  if ((code & 0xff) === SQLITE_ERROR) return damaged(errorMessage(error), error);
  if ((code & 0xff) === SQLITE_FULL) {
    return new MnemeError('failure', `The search index ${file} cannot grow: the disk is full.`, {
      hint: 'Free some space and run `mneme index sync`; what the index had before is unchanged.',
      cause: error,
    });
  }
  if (isBusy(error)) {
    return new MnemeError('locked', `Another process is writing the search index ${file} and does not finish.`, {
      hint: 'Try again; if it stays so, look for a stopped mneme process and end it.',
      cause: error,
    });
  }
  const explained = explainDiskFailure(file, error);
  if (explained !== error) return explained;
  return new MnemeError('failure', `The search index ${file} cannot be used: ${errorMessage(error)}.`, {
    hint: 'Check that the folder is writable; the file may be deleted and is made anew.',
    cause: error,
  });
}

/** Past this a writer is stuck and whoever waits should hear of it. */
const LOCK_TIMEOUT_MS = 5000;
const RETRY_MS = 2;

export interface IndexState {
  readonly epoch: string;
  readonly generation: number;
  readonly nextPassage: number;
}

export interface IndexOptions {
  /** The most pages the file may have; to writers it is as if the disk were full. */
  readonly maxPages?: number | undefined;
}

/** A query's row, values by position. */
export type Row = readonly (string | number | bigint | Uint8Array | null)[];

/** The index's file: consistent reads, one write at a time, and errors that say what to do. */
export class IndexDatabase {
  readonly file: string;
  readonly #state: StateDatabase;
  readonly #clock: Clock;
  readonly #arrays = new WeakSet<StatementSync>();
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(file: string, clock: Clock, { maxPages }: IndexOptions) {
    this.file = file;
    this.#clock = clock;
    try {
      this.#state = new StateDatabase(file, SCHEMA, SCHEMA_VERSION);
      if (maxPages !== undefined) this.#state.connection.exec(`PRAGMA max_page_count = ${maxPages}`);
    } catch (error) {
      throw explainFailure(file, error);
    }
  }

  /** Why the file had to be made anew when it was opened; told once. */
  takeReplacement(): string | undefined {
    const { replacedBecause } = this.#state;
    this.#state.replacedBecause = undefined;
    return replacedBecause;
  }

  /** A statement that gives rows as arrays, which cost half of what objects do. */
  prepare(sql: string): StatementSync {
    const statement = this.#state.prepare(sql);
    if (!this.#arrays.has(statement)) {
      statement.setReturnArrays(true);
      this.#arrays.add(statement);
    }
    return statement;
  }

  /** A statement of its own, for several loops over the same query at once. */
  prepareAnother(sql: string): StatementSync {
    const statement = this.#state.connection.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  }

  rows(sql: string, ...values: (string | number | Uint8Array | null)[]): Row[] {
    return this.prepare(sql).all(...values) as unknown as Row[];
  }

  row(sql: string, ...values: (string | number | Uint8Array | null)[]): Row | undefined {
    return this.prepare(sql).get(...values) as unknown as Row | undefined;
  }

  run(sql: string, ...values: (string | number | Uint8Array | null)[]): void {
    this.prepare(sql).run(...values);
  }

  get state(): IndexState {
    const row = must(this.row('SELECT epoch, generation, next_passage FROM state'), 'the state of the search index');
    return { epoch: String(row[0]), generation: Number(row[1]), nextPassage: Number(row[2]) };
  }

  /** Everything `body` reads is of one moment. */
  read<T>(body: () => T): Promise<T> {
    return this.#transact('BEGIN', body);
  }

  /** All that `body` writes, or nothing. It gets the number of its write. */
  write<T>(body: (generation: number) => T): Promise<T> {
    return this.writeBeside(() => {
      const generation = this.state.generation + 1;
      const result = body(generation);
      this.run('UPDATE state SET generation = ?', generation);
      return result;
    });
  }

  /** As `write`, for what no answer depends on: the index stays the version it was. */
  writeBeside<T>(body: () => T): Promise<T> {
    const turn = this.#lastWrite.then(() => this.#transact('BEGIN IMMEDIATE', body));
    this.#lastWrite = turn.catch(() => undefined);
    return turn;
  }

  /** Deletes the file and begins an empty one. */
  recreate(): void {
    try {
      this.#state.recreate();
    } catch (error) {
      throw explainFailure(this.file, error);
    }
  }

  get bytes(): number {
    let bytes = 0;
    for (const suffix of ['', '-wal']) bytes += statSync(this.file + suffix, { throwIfNoEntry: false })?.size ?? 0;
    return bytes;
  }

  async close(): Promise<void> {
    await this.#lastWrite;
    this.#state.close();
  }

  /** SQLite's own waiting would stop the whole process, so it is done here. */
  async #transact<T>(begin: string, body: () => T): Promise<T> {
    const startedMs = this.#clock.now();
    for (;;) {
      try {
        return this.#attempt(begin, body);
      } catch (error) {
        const isOver = this.#clock.now() - startedMs > LOCK_TIMEOUT_MS;
        if (!isBusy(error) || isOver) throw explainFailure(this.file, error);
      }
      await sleep(RETRY_MS);
    }
  }

  #attempt<T>(begin: string, body: () => T): T {
    // Compiled once, and the file looked at once: a question is a dozen transactions.
    this.#state.prepare(begin).run();
    try {
      const result = body();
      this.#state.prepare('COMMIT').run();
      return result;
    } catch (error) {
      const { connection } = this.#state;
      if (connection.isTransaction) connection.exec('ROLLBACK');
      throw error;
    }
  }
}

/** The pages in the file, as one write sees them. */
export function pageStore(database: IndexDatabase, generation: number): PageStore {
  return {
    read: (table, page) => {
      const body = database.row(`SELECT body FROM ${table} WHERE page = ?`, page)?.[0];
      return body instanceof Uint8Array ? body : undefined;
    },
    write: (table, page, body) =>
      database.run(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?)`, page, generation, body),
  };
}
