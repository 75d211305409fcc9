import type { Scope } from '../../../model/provenance.ts';
import { isCorrupt, StateDatabase } from '../../../platform/sqlite.ts';
import type { Stamp } from './entity-files.ts';
import { GRAPH_SCHEMA, GraphRows } from '../../graph/rows.ts';
import type { Edge, Statements } from '../../graph/statements.ts';
import { formsOf, type EntityRecord, type FormKind } from './entity-record.ts';

/** A process's copy of the table in memory; updated before each query, whichever process wrote. */
export interface Follower {
  /** The table was made anew. */
  reset(): void;
  apply(changes: TableChanges): void;
}

/** Part of the notes: a file made by code that understood names otherwise is made anew. */
const FORMAT = '3';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entities (
    path TEXT PRIMARY KEY, id TEXT NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL, aliases TEXT NOT NULL,
    status TEXT, scope TEXT NOT NULL, is_user INTEGER NOT NULL, merged_into TEXT, damage TEXT,
    properties TEXT NOT NULL, created TEXT, updated TEXT, is_pinned INTEGER NOT NULL, revision INTEGER NOT NULL,
    size REAL NOT NULL, mtime REAL NOT NULL, ctime REAL NOT NULL, inode REAL NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entities_by_id ON entities (id);
  CREATE INDEX IF NOT EXISTS entities_by_revision ON entities (revision);
  CREATE TABLE IF NOT EXISTS gone (path TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS forms (
    form TEXT NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (form, path)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS forms_by_path ON forms (path);
  CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  ${GRAPH_SCHEMA}
`;

const RECORD =
  'e.path, e.id, e.type, e.name, e.aliases, e.status, e.scope, e.is_user, e.merged_into, e.damage, e.properties, e.created, e.updated, e.is_pinned';

/** A stamp this young is not believed: the file may have been written once more within the same tick of its clock. */
const RACY_MS = 2000;
const UNBELIEVED: Stamp = { size: -1, mtimeMs: 0, ctimeMs: 0, inode: 0 };

/** Another process holds the table for the moment it takes to write a few rows. */
const BUSY_MS = 2000;

type Row = readonly (string | number | null)[];

export interface NamedRecord extends EntityRecord {
  readonly kind: FormKind;
}

/** The changes of the files between two revisions. */
export interface TableChanges {
  readonly revision: number;
  readonly records: readonly EntityRecord[];
  readonly gone: readonly string[];
  /** The edges of these records; not everybody who follows wants them. */
  readonly edges: () => readonly Edge[];
}

/** Counts the puts and removals, so that a process takes over only what another has written since. */
const REVISION = 'revision';

/** The rows behind the registry: shared by all processes, deletable, made anew when damaged. */
export class RecordTable {
  readonly graph: GraphRows;
  readonly #state: StateDatabase;

  constructor(file: string) {
    this.#state = StateDatabase.openForReadingAtLeast(file, SCHEMA);
    this.graph = new GraphRows(this.#state);
    if (this.readNote('format') === FORMAT) return;
    if (this.readNote('format') !== undefined) this.#state.recreate();
    this.#begin();
  }

  /** A file that was made anew counts from the beginning; its identity tells whoever counted on. */
  #begin(): void {
    this.writing(() => {
      this.writeNote('format', FORMAT);
      this.#state.prepare(`INSERT OR REPLACE INTO notes VALUES ('table', lower(hex(randomblob(8))))`).run();
    });
  }

  /** Random id of this table; a table that is made again gets a new id. */
  get identity(): string {
    return this.readNote('table') ?? '';
  }

  /** Runs `body` as the only writer: a record of a file that is read inside cannot overwrite a newer record. */
  writing<T>(body: () => T): T {
    const { connection } = this.#state;
    connection.exec(`PRAGMA busy_timeout = ${BUSY_MS}; BEGIN IMMEDIATE`);
    try {
      const result = body();
      connection.exec('COMMIT');
      return result;
    } catch (error) {
      connection.exec('ROLLBACK');
      throw error;
    }
  }

  /** Runs `body`; damage that it comes across empties the table, for the caller to fill it again. */
  orEmptied<T>(body: () => T, refill: () => void): T {
    try {
      return body();
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      this.makeAnew();
      refill();
      return body();
    }
  }

  /** Everything out; the caller fills it again. */
  makeAnew(): void {
    this.#state.recreate();
    this.#begin();
  }

  readNote(name: string): string | undefined {
    return this.#rows('SELECT value FROM notes WHERE name = ?', name)[0]?.[0]?.toString();
  }

  writeNote(name: string, value: string): void {
    this.#state.prepare('INSERT OR REPLACE INTO notes VALUES (?, ?)').run(name, value);
  }

  /** Moves a note on where it says `from`. */
  advanceNote(name: string, from: string, to: string): void {
    this.#state.prepare('UPDATE notes SET value = ? WHERE name = ? AND value = ?').run(to, name, from);
  }

  put(record: EntityRecord, statements: Statements, stamp: Stamp, nowMs: number): void {
    this.#delete(record.path);
    this.#state.prepare('DELETE FROM gone WHERE path = ?').run(record.path);
    const isSettled = nowMs - Math.max(stamp.mtimeMs, stamp.ctimeMs) >= RACY_MS;
    const { size, mtimeMs, ctimeMs, inode } = isSettled ? stamp : UNBELIEVED;
    const { path, id, type, name, aliases, status, scope, isUser, mergedInto, damage } = record;
    const told = [path, id, type, name, JSON.stringify(aliases), status ?? null, scope, isUser ? 1 : 0];
    const times = [record.created ?? null, record.updated ?? null, record.isPinned ? 1 : 0, this.#nextRevision()];
    this.#state
      .prepare('INSERT INTO entities VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        ...told,
        mergedInto ?? null,
        damage ?? null,
        JSON.stringify(record.properties),
        ...times,
        size,
        mtimeMs,
        ctimeMs,
        inode,
      );
    const insert = this.#state.prepare('INSERT INTO forms VALUES (?, ?, ?)');
    for (const { form, kind } of formsOf(record)) insert.run(form, path, kind);
    this.graph.put(path, statements);
  }

  remove(path: string): void {
    if (!this.#delete(path)) return;
    this.#state.prepare('INSERT OR REPLACE INTO gone VALUES (?, ?)').run(path, this.#nextRevision());
  }

  #delete(path: string): boolean {
    this.#state.prepare('DELETE FROM forms WHERE path = ?').run(path);
    this.graph.remove(path);
    return Number(this.#state.prepare('DELETE FROM entities WHERE path = ?').run(path).changes) > 0;
  }

  /** The number of puts and removals; another process's count too. */
  revision(): number {
    return Number(this.readNote(REVISION) ?? 0);
  }

  #nextRevision(): number {
    const revision = this.revision() + 1;
    this.writeNote(REVISION, String(revision));
    return revision;
  }

  /** Reads the changes since a revision in one transaction, so that records and edges are of the same moment. */
  lookAtChanges(since: number, take: (changes: TableChanges) => void): void {
    this.#atOnce(() =>
      take({
        revision: this.revision(),
        records: this.#rows(`SELECT ${RECORD} FROM entities e WHERE e.revision > ? ORDER BY e.path`, since).map(
          recordOf,
        ),
        gone: this.#rows('SELECT path FROM gone WHERE revision > ?', since).map(([path]) => String(path)),
        edges: () => this.graph.edgesSince(since),
      }),
    );
  }

  #atOnce<T>(body: () => T): T {
    const { connection } = this.#state;
    if (connection.isTransaction) return body();
    connection.exec('BEGIN');
    try {
      return body();
    } finally {
      connection.exec('COMMIT');
    }
  }

  stamps(): Map<string, Stamp> {
    const rows = this.#rows('SELECT path, size, mtime, ctime, inode FROM entities');
    return new Map(
      rows.map(([path, size, mtimeMs, ctimeMs, inode]) => [
        String(path),
        { size: Number(size), mtimeMs: Number(mtimeMs), ctimeMs: Number(ctimeMs), inode: Number(inode) },
      ]),
    );
  }

  all(): EntityRecord[] {
    return this.#rows(`SELECT ${RECORD} FROM entities e ORDER BY e.path`).map(recordOf);
  }

  byId(id: string): EntityRecord[] {
    return this.#rows(`SELECT ${RECORD} FROM entities e WHERE e.id = ? ORDER BY e.path`, id).map(recordOf);
  }

  byPath(path: string): EntityRecord | undefined {
    return this.#rows(`SELECT ${RECORD} FROM entities e WHERE e.path = ?`, path).map(recordOf)[0];
  }

  byForm(form: string): NamedRecord[] {
    const sql = `SELECT ${RECORD}, f.kind FROM forms f JOIN entities e ON e.path = f.path WHERE f.form = ? ORDER BY e.path`;
    return this.#rows(sql, form).map((row) => Object.assign(recordOf(row), { kind: row[14] as FormKind }));
  }

  /** The names by which an entity is found. */
  forms(path: string): string[] {
    return this.#rows('SELECT form FROM forms WHERE path = ? ORDER BY form', path).map(([form]) => String(form));
  }

  users(): EntityRecord[] {
    return this.#rows(`SELECT ${RECORD} FROM entities e WHERE e.is_user = 1 ORDER BY e.path`).map(recordOf);
  }

  close(): void {
    this.#state.close();
  }

  #rows(sql: string, ...values: readonly (string | number)[]): Row[] {
    const statement = this.#state.prepare(sql);
    statement.setReturnArrays(true);
    return statement.all(...values) as unknown as Row[];
  }
}

function recordOf(row: Row): EntityRecord {
  const [
    path,
    id,
    type,
    name,
    aliases,
    status,
    scope,
    isUser,
    mergedInto,
    damage,
    properties,
    created,
    updated,
    isPinned,
  ] = row;
  return {
    path: String(path),
    id: String(id),
    type: String(type),
    name: String(name),
    aliases: JSON.parse(String(aliases)) as string[],
    status: status?.toString(),
    scope: String(scope) as Scope,
    isUser: isUser === 1,
    mergedInto: mergedInto?.toString(),
    damage: damage?.toString(),
    properties: properties === '{}' ? NO_PROPERTIES : (JSON.parse(String(properties)) as Record<string, unknown>),
    created: created?.toString(),
    updated: updated?.toString(),
    isPinned: isPinned === 1,
  };
}

const NO_PROPERTIES: EntityRecord['properties'] = {};
