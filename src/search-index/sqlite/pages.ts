import type { PageStore } from '../resident/layout.ts';
import type { IndexDatabase } from './index-database.ts';

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
