import type { Scope, Source, Store } from '../../model/provenance.ts';
import { StateDatabase } from '../../platform/sqlite.ts';
import type { DecayStatus } from './relevance.ts';
import type { Use } from './use-log.ts';

/** A memory as the table holds it: enough to reckon with, and none of its words. */
export interface DueRow {
  readonly path: string;
  readonly id: string;
  readonly kind: 'item' | 'file';
  readonly store: Store;
  readonly scope: Scope;
  readonly source: Source;
  readonly type: string;
  readonly createdMs: number | undefined;
  readonly importance: number | undefined;
  readonly isPinned: boolean;
  readonly isStanding?: boolean | undefined;
  readonly use: Use | undefined;
  readonly status: DecayStatus;
  readonly isCandidate: boolean;
  readonly nextMs: number | undefined;
  /** When it was found to have another status than before; undefined when it never was. */
  readonly changedMs: number | undefined;
}

const VERSION = 4;
const SCHEMA = `
  CREATE TABLE documents (path TEXT PRIMARY KEY, hash TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE memories (
    path TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, store TEXT NOT NULL, scope TEXT NOT NULL, source TEXT NOT NULL,
    type TEXT NOT NULL, created_ms REAL, importance REAL, is_pinned INTEGER NOT NULL, is_standing INTEGER NOT NULL, uses INTEGER NOT NULL,
    last_ms REAL, status TEXT NOT NULL, is_candidate INTEGER NOT NULL, next_ms REAL, changed_ms REAL, PRIMARY KEY (path, id)
  ) WITHOUT ROWID;
  CREATE INDEX memories_by_id ON memories (id);
  CREATE INDEX memories_by_next ON memories (next_ms) WHERE next_ms IS NOT NULL;
  CREATE INDEX memories_by_use ON memories (id, uses, last_ms) WHERE uses > 0;
  CREATE INDEX memories_by_change ON memories (changed_ms) WHERE changed_ms IS NOT NULL;
  CREATE INDEX candidates ON memories (path) WHERE is_candidate = 1;
  CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;
/** Another process holds it for the moment it takes to write a night's rows. */
const BUSY_MS = 5000;

type Row = Record<string, string | number | null>;

/**
 * The next time to look at each memory, so that a night's work depends on what changed and what is due, and not on how
 * much is remembered. Derived from files, uses and settings; deleted, it is filled again by looking at everything once.
 */
export class DueTable {
  readonly #state: StateDatabase;

  constructor(file: string) {
    this.#state = new StateDatabase(file, SCHEMA, VERSION);
  }

  close(): void {
    this.#state.close();
  }

  /** All of it or nothing; one process at a time. */
  writing(body: () => void): void {
    const { writable } = this.#state;
    writable.exec(`PRAGMA busy_timeout = ${BUSY_MS}; BEGIN IMMEDIATE`);
    try {
      body();
      writable.exec('COMMIT');
    } catch (error) {
      writable.exec('ROLLBACK');
      throw error;
    }
  }

  readNote(name: string): string | undefined {
    return this.#all('SELECT value FROM notes WHERE name = ?', name)[0]?.['value']?.toString();
  }

  writeNote(name: string, value: string): void {
    this.#state.prepare('INSERT OR REPLACE INTO notes VALUES (?, ?)').run(name, value);
  }

  clear(): void {
    for (const table of ['documents', 'memories', 'notes']) this.#state.prepare(`DELETE FROM ${table}`).run();
  }

  /** The hash of each document, as it was when it was last read. */
  documents(): Map<string, string> {
    return new Map(this.#all('SELECT path, hash FROM documents').map(({ path, hash }) => [String(path), String(hash)]));
  }

  rowsOf(path: string): DueRow[] {
    return this.#rows('WHERE path = ?', path);
  }

  withId(id: string): DueRow[] {
    return this.#rows('WHERE id = ?', id);
  }

  dueBy(timeMs: number): DueRow[] {
    return this.#rows('WHERE next_ms <= ?', timeMs);
  }

  candidates(): DueRow[] {
    return this.#rows('WHERE is_candidate = 1');
  }

  /** The recorded uses of each memory. */
  uses(): Map<string, Use> {
    const rows = this.#all('SELECT id, uses, last_ms FROM memories INDEXED BY memories_by_use WHERE uses > 0');
    return new Map(
      rows.map((row) => [String(row['id']), { count: Number(row['uses']), lastMs: Number(row['last_ms']) }]),
    );
  }

  count(): number {
    return Number(this.#all('SELECT count(*) AS count FROM memories')[0]?.['count'] ?? 0);
  }

  countChangedAfter(timeMs: number): number {
    const [row] = this.#all('SELECT count(*) AS count FROM memories WHERE changed_ms > ?', timeMs);
    return Number(row?.['count'] ?? 0);
  }

  /** Stores the differences between a document and the table. */
  putDocument(
    path: string,
    hash: string,
    { rows, gone }: { readonly rows: readonly DueRow[]; readonly gone: readonly string[] },
  ): void {
    this.#state.prepare('INSERT OR REPLACE INTO documents VALUES (?, ?)').run(path, hash);
    const remove = this.#state.prepare('DELETE FROM memories WHERE path = ? AND id = ?');
    for (const id of gone) remove.run(path, id);
    for (const row of rows) this.put(row);
  }

  removeDocument(path: string): void {
    this.#state.prepare('DELETE FROM documents WHERE path = ?').run(path);
    this.#state.prepare('DELETE FROM memories WHERE path = ?').run(path);
  }

  put(row: DueRow): void {
    const marks = '?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?';
    this.#state
      .prepare(`INSERT OR REPLACE INTO memories VALUES (${marks})`)
      .run(
        row.path,
        row.id,
        row.kind,
        row.store,
        row.scope,
        row.source,
        row.type,
        row.createdMs ?? null,
        row.importance ?? null,
        Number(row.isPinned),
        Number(row.isStanding === true),
        row.use?.count ?? 0,
        row.use?.lastMs ?? null,
        row.status,
        Number(row.isCandidate),
        row.nextMs ?? null,
        row.changedMs ?? null,
      );
  }

  #rows(where: string, ...values: readonly (string | number)[]): DueRow[] {
    return this.#all(`SELECT * FROM memories ${where}`, ...values).map(toRow);
  }

  #all(sql: string, ...values: readonly (string | number)[]): Row[] {
    return this.#state.prepare(sql).all(...values) as Row[];
  }
}

function toRow(row: Row): DueRow {
  const count = Number(row['uses']);
  return {
    path: String(row['path']),
    id: String(row['id']),
    kind: row['kind'] as DueRow['kind'],
    store: row['store'] as Store,
    scope: row['scope'] as Scope,
    source: row['source'] as Source,
    type: String(row['type']),
    createdMs: numberOf(row['created_ms']),
    importance: numberOf(row['importance']),
    isPinned: row['is_pinned'] === 1,
    isStanding: row['is_standing'] === 1,
    use: count === 0 ? undefined : { count, lastMs: Number(row['last_ms']) },
    status: row['status'] as DecayStatus,
    isCandidate: row['is_candidate'] === 1,
    nextMs: numberOf(row['next_ms']),
    changedMs: numberOf(row['changed_ms']),
  };
}

function numberOf(value: string | number | null | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
