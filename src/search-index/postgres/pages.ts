import { PASSAGES_PER_PAGE, type PageStore, type PageTable } from '../resident/layout.ts';
import type { Transaction } from './server.ts';

export type FetchedPages = Readonly<Record<PageTable, readonly number[]>>;

export function pagesOf(first: number, count: number): number[] {
  if (count === 0) return [];
  const from = Math.floor(first / PASSAGES_PER_PAGE);
  const to = Math.floor((first + count - 1) / PASSAGES_PER_PAGE);
  return Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
}

/** The pages a write touches, fetched before it begins and sent when it is done: in between nothing has to wait. */
export async function fetchPages(
  transaction: Transaction,
  wanted: FetchedPages,
): Promise<PageStore & { flush(transaction: Transaction, generation: number): Promise<void> }> {
  const tables = ['layout', 'facts'] as const;
  const bodies = { layout: new Map<number, Uint8Array>(), facts: new Map<number, Uint8Array>() };
  for (const table of tables) {
    if (wanted[table].length === 0) continue;
    const sql = `SELECT page, body FROM ${table} WHERE namespace = {ns} AND page = ANY($1)`;
    for (const [page, body] of await transaction.rows(sql, wanted[table])) {
      if (body instanceof Uint8Array) bodies[table].set(Number(page), new Uint8Array(body));
    }
  }
  const written = { layout: new Map<number, Uint8Array>(), facts: new Map<number, Uint8Array>() };
  return {
    read: (table, page) => bodies[table].get(page),
    write: (table, page, body) => void written[table].set(page, body),
    flush: async (within, generation) => {
      for (const table of tables) {
        if (written[table].size === 0) continue;
        await within.rows(
          `INSERT INTO ${table} SELECT {ns}, page, $1, body FROM unnest($2::integer[], $3::bytea[]) AS given (page, body)
           ON CONFLICT (namespace, page) DO UPDATE SET generation = excluded.generation, body = excluded.body`,
          generation,
          [...written[table].keys()],
          [...written[table].values()],
        );
      }
    },
  };
}
