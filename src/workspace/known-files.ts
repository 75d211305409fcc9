import { createHash } from 'node:crypto';
import type { MnemeError } from '../model/errors.ts';
import { StateDatabase, type Database } from '../platform/sqlite.ts';
import type { FileStamp } from '../platform/fs.ts';
import type { JournalPosition } from './journal/journal.ts';

/** The workspace file as the write path last saw it: any other content on disk is an edit by another program. */
export interface KnownFile {
  readonly oid: string;
  /** The file's stamp as text when `oid` was read; undefined when only the content is known. */
  readonly stamp: string | undefined;
}

/** An edit that may not enter history (too large, a secret in it), and what was said about it. */
export interface KeptOut {
  readonly oid: string;
  readonly message: string;
}

/** Where the journal ends and under which boot that was written. */
export interface JournalHead {
  readonly bootId: string;
  readonly end: JournalPosition;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS head (id INTEGER PRIMARY KEY CHECK (id = 1), boot TEXT, segment INTEGER, offset INTEGER);
  CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, oid TEXT NOT NULL, stamp TEXT) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS kept_out (path TEXT PRIMARY KEY, oid TEXT NOT NULL, message TEXT NOT NULL) WITHOUT ROWID;
`;

/**
 * `state/lock.db`: the write lock, and beside it what the last holder knew. All of it can be deleted: the journal and
 * git hold the truth, so losing it in a power cut costs a look at the files and nothing else. Hence synchronous=OFF.
 */
export class KnownFiles {
  readonly #state: StateDatabase;

  constructor(file: string) {
    this.#state = StateDatabase.openForReadingAtLeast(file, SCHEMA);
  }

  /** Why nothing is known and nothing can be written; undefined when the disk lets us. */
  get obstacle(): MnemeError | undefined {
    return this.#state.obstacle;
  }

  /** The database that carries the write lock. */
  get database(): Database {
    return this.#state.writable;
  }

  head(): JournalHead | undefined {
    const row = this.#state.prepare('SELECT boot, segment, offset FROM head').get();
    if (row === undefined) return undefined;
    return {
      bootId: String(row['boot']),
      end: { segment: Number(row['segment']), offset: Number(row['offset']) },
    };
  }

  setHead(head: JournalHead): void {
    this.#state
      .prepare('INSERT OR REPLACE INTO head (id, boot, segment, offset) VALUES (1, ?, ?, ?)')
      .run(head.bootId, head.end.segment, head.end.offset);
  }

  find(path: string): KnownFile | undefined {
    const row = this.#state.prepare('SELECT oid, stamp FROM files WHERE path = ?').get(path);
    return row === undefined ? undefined : knownFile(row);
  }

  all(): Map<string, KnownFile> {
    const map = new Map<string, KnownFile>();
    for (const row of this.#state.prepare('SELECT path, oid, stamp FROM files').iterate()) {
      map.set(String(row['path']), knownFile(row));
    }
    return map;
  }

  set(path: string, oid: string | null, stamp?: string): void {
    if (oid === null) this.#state.prepare('DELETE FROM files WHERE path = ?').run(path);
    else {
      this.#state
        .prepare('INSERT OR REPLACE INTO files (path, oid, stamp) VALUES (?, ?, ?)')
        .run(path, oid, stamp ?? null);
    }
  }

  keptOut(): Map<string, KeptOut> {
    const rows = this.#state.prepare('SELECT path, oid, message FROM kept_out').all();
    return new Map(
      rows.map((row) => [String(row['path']), { oid: String(row['oid']), message: String(row['message']) }]),
    );
  }

  setKeptOut(path: string, kept: KeptOut | undefined): void {
    if (kept === undefined) this.#state.prepare('DELETE FROM kept_out WHERE path = ?').run(path);
    else {
      this.#state
        .prepare('INSERT OR REPLACE INTO kept_out (path, oid, message) VALUES (?, ?, ?)')
        .run(path, kept.oid, kept.message);
    }
  }

  clear(): void {
    this.database.exec('DELETE FROM files; DELETE FROM head; DELETE FROM kept_out');
  }

  close(): void {
    this.#state.close();
  }
}

/** A stamp as one comparable text. */
export function stampText(stamp: FileStamp): string {
  return `${stamp.size}:${stamp.mtimeNs}:${stamp.ctimeNs}:${stamp.inode}`;
}

function knownFile(row: Record<string, unknown>): KnownFile {
  const stamp = row['stamp'];
  return { oid: String(row['oid']), stamp: typeof stamp === 'string' ? stamp : undefined };
}

/**
 * The id git gives a blob. The write path uses it as its content hash, so that what a file is known to contain can be read
 * off a tree without hashing anything again.
 */
export function blobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
