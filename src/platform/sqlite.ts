import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { errorMessage, isMnemeError, must, type MnemeError } from '../model/errors.ts';
import { explainDiskFailure, findObstacle, sqliteCode } from './disk-failure.ts';

export type Database = DatabaseSync;

const IN_MEMORY = ':memory:';

/** SQLITE_BUSY in any of its forms: somebody else holds the lock. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && (code & 0xff) === 5;
}

/** SQLITE_IOERR_SHORT_READ: the file ends before its pages do. */
const SHORT_READ = 522;

/** SQLITE_CORRUPT, SQLITE_NOTADB or a file cut short: it has to be rebuilt. */
export function isCorrupt(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && ((code & 0xff) === 11 || (code & 0xff) === 26 || code === SHORT_READ);
}

/** Creating an empty database takes milliseconds; past this somebody is stuck in the middle of it. */
const CREATION_TIMEOUT_MS = 5000;
const CREATION_PAUSE_MS = 2;

/** Something to wait on without the event loop: databases are opened synchronously. */
const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * A database of `state/`: in WAL mode so that readers never wait, unsynced because all of it can be rebuilt, and made
 * anew when it is damaged or was deleted.
 */
export class StateDatabase {
  readonly #file: string;
  readonly #schema: Schema;
  readonly #statements = new Map<string, StatementSync>();
  /** Why the file had to be made anew when it was opened; undefined when it was not. */
  replacedBecause: string | undefined;
  /** Why this one is empty, in memory and only for reading: the disk is full or may not be written. */
  readonly obstacle: MnemeError | undefined;
  #database: Database;
  #inode: number | undefined;

  constructor(file: string, schema: string, version?: number, obstacle?: MnemeError) {
    this.#file = file;
    this.#schema = { sql: schema, version };
    this.obstacle = obstacle;
    this.#database = this.#openOrRecreate();
    this.#inode = this.#readInode();
  }

  /** As the constructor, but a disk that refuses is noted in `obstacle`, so that whoever only reads can go on. */
  static openForReadingAtLeast(file: string, schema: string): StateDatabase {
    try {
      return new StateDatabase(file, schema);
    } catch (error) {
      const obstacle = findObstacle(file);
      if (!isMnemeError(error) || obstacle === undefined || obstacle === 'folder') throw error;
      return new StateDatabase(IN_MEMORY, schema, undefined, error);
    }
  }

  /** Opens it again if the file was deleted meanwhile: a lock on a file without a name would protect nothing. */
  get connection(): Database {
    if (!this.#database.isTransaction && this.#readInode() !== this.#inode) this.#reopen();
    return this.#database;
  }

  /** The connection for whoever writes or locks; refuses when there is no file behind it. */
  get writable(): Database {
    if (this.obstacle !== undefined) throw this.obstacle;
    return this.connection;
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

  /** Starts with an empty file: for damage found after opening. */
  recreate(): void {
    this.#statements.clear();
    this.#database.close();
    removeFiles(this.#file);
    this.#reopen();
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #reopen(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
    this.#database = this.#openOrRecreate();
    this.#inode = this.#readInode();
  }

  #readInode(): number | undefined {
    return this.obstacle === undefined ? fs.statSync(this.#file, { throwIfNoEntry: false })?.ino : undefined;
  }

  #openOrRecreate(): Database {
    try {
      return this.#openOrReplace();
    } catch (error) {
      throw explainDiskFailure(this.#file, error);
    }
  }

  #openOrReplace(): Database {
    if (this.obstacle === undefined) fs.mkdirSync(path.dirname(this.#file), { recursive: true });
    let database: Database | undefined;
    try {
      database = openWithSchema(this.#file, this.#schema);
      if (database === undefined) this.replacedBecause = 'it was made by another version';
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      this.replacedBecause = errorMessage(error);
    }
    if (database !== undefined) return database;
    removeFiles(this.#file);
    return must(openWithSchema(this.#file, this.#schema), `a database with the right schema in ${this.#file}`);
  }
}

interface Schema {
  readonly sql: string;
  /** With a version the schema is run once, and a file of another version is made anew. */
  readonly version: number | undefined;
}

function removeFiles(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) fs.rmSync(file + suffix, { force: true });
}

/** Undefined for a file of another version. */
function openWithSchema(file: string, schema: Schema): Database | undefined {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // SQLite opens a file it may not write for reading, and BEGIN IMMEDIATE then takes no lock and says nothing.
    if (file !== IN_MEMORY) fs.accessSync(file, fs.constants.W_OK);
    // While another process creates the file it may be busy for a moment; SQLite waits only here.
    database.exec(`PRAGMA busy_timeout = ${CREATION_TIMEOUT_MS}; PRAGMA synchronous = OFF`);
    useWriteAheadLog(database);
    const isUsable = applySchema(database, schema);
    database.exec('PRAGMA busy_timeout = 0');
    if (isUsable) return database;
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return undefined;
}

/**
 * The first to open a file switches it to WAL. SQLite reads the file for that and then asks to write it; a connection
 * that already reads is refused at once when another one writes, without the busy timeout, so the waiting is done here.
 */
function useWriteAheadLog(database: Database): void {
  const giveUpMs = performance.now() + CREATION_TIMEOUT_MS;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpMs) throw error;
    }
    Atomics.wait(NEVER_WOKEN, 0, 0, CREATION_PAUSE_MS);
  }
}

function applySchema(database: Database, { sql, version }: Schema): boolean {
  if (version === undefined) {
    database.exec(sql);
    return true;
  }
  const readVersion = (): number => Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (readVersion() === 0) {
    database.exec('BEGIN IMMEDIATE');
    // Another process may have been faster.
    if (readVersion() === 0) database.exec(`${sql}; PRAGMA user_version = ${version}`);
    database.exec('COMMIT');
  }
  return readVersion() === version;
}
