import { mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { MnemeError, errorMessage } from '../model/errors.ts';

export type Database = DatabaseSync;

/** Opens a SQLite file; the caller decides what a failure means for data that can be rebuilt. */
function openDatabase(file: string): Database {
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch (error) {
    throw new MnemeError('failure', `${file} cannot be opened: ${errorMessage(error)}`, {
      hint: 'The folder must be writable; everything in state/ may be deleted and is rebuilt.',
      cause: error,
    });
  }
}

/** SQLITE_BUSY in any of its forms: somebody else holds the lock. */
export function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5
  );
}

/** SQLITE_CORRUPT or SQLITE_NOTADB: the file has to be rebuilt. */
function isCorrupt(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false;
  const primary = error.errcode & 0xff;
  return primary === 11 || primary === 26;
}

/**
 * A database of `state/`: in WAL mode so that readers never wait, unsynced because all of it can be rebuilt, and made
 * anew when it is damaged or was deleted.
 */
export class StateDatabase {
  readonly #file: string;
  readonly #schema: string;
  readonly #statements = new Map<string, StatementSync>();
  #database: Database;
  #inode: number;

  constructor(file: string, schema: string) {
    this.#file = file;
    this.#schema = schema;
    this.#database = openOrRecreate(file, schema);
    this.#inode = statSync(file).ino;
  }

  /** Opens it again if the file was deleted meanwhile: a lock on a file without a name would protect nothing. */
  get connection(): Database {
    if (!this.#database.isTransaction && statSync(this.#file, { throwIfNoEntry: false })?.ino !== this.#inode) {
      this.#statements.clear();
      this.#database.close();
      this.#database = openOrRecreate(this.#file, this.#schema);
      this.#inode = statSync(this.#file).ino;
    }
    return this.#database;
  }

  /** A statement, compiled once per connection. */
  prepare(sql: string): StatementSync {
    const { connection } = this;
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

function openOrRecreate(file: string, schema: string): Database {
  mkdirSync(path.dirname(file), { recursive: true });
  try {
    return openWithSchema(file, schema);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    return openWithSchema(file, schema);
  }
}

function openWithSchema(file: string, schema: string): Database {
  const database = openDatabase(file);
  try {
    // While another process creates the file the schema may be busy for a moment; SQLite waits only here.
    database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;');
    database.exec(schema);
    database.exec('PRAGMA busy_timeout = 0');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
