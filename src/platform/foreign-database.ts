import { DatabaseSync } from 'node:sqlite';
import { sqliteCode } from './disk-failure.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The program it belongs to may be writing; its writes are short. */
const BUSY_MS = 2000;

/** Reads a database of another program, row by row, and writes nothing to it. */
export function* readForeignRows(file: string, sql: string, ...values: readonly (string | number)[]): Generator<Row> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
  try {
    yield* database.prepare(sql).iterate(...values);
  } finally {
    database.close();
  }
}

/** The names of the tables; undefined for a file that is no database. */
export function foreignTables(file: string): ReadonlySet<string> | undefined {
  try {
    const rows = [...readForeignRows(file, "SELECT name FROM sqlite_master WHERE type = 'table'")];
    return new Set(rows.map(({ name }) => String(name)));
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    return undefined;
  }
}
