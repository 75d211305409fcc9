import type { PostgresIndex } from '../../src/search-index/postgres/postgres-index.ts';

export interface TableSizes {
  /** Bytes of all tables of the schema with their indexes; one namespace must have it to itself. */
  readonly total: number;
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly indexes: number }>>;
  /** Of those, the index over the vectors. */
  readonly hnsw: number;
}

/** What the server itself weighs. */
export async function readSizes({ server }: PostgresIndex): Promise<TableSizes> {
  const rows = await server.administer(
    `SELECT c.relname, pg_table_size(c.oid), pg_indexes_size(c.oid) FROM pg_class c
       WHERE c.relnamespace = '"${server.schema}"'::regnamespace AND c.relkind = 'r' ORDER BY 2 DESC`,
  );
  const hnsw = await server.administer(
    `SELECT coalesce(sum(pg_relation_size(c.oid)), 0) FROM pg_class c JOIN pg_am a ON a.oid = c.relam
       WHERE c.relnamespace = '"${server.schema}"'::regnamespace AND a.amname = 'hnsw'`,
  );
  const tables = rows.map(
    ([name, held, indexes]) => [String(name), { rows: Number(held), indexes: Number(indexes) }] as const,
  );
  return {
    total: tables.reduce((sum, [, size]) => sum + size.rows + size.indexes, 0),
    tables: Object.fromEntries(tables),
    hnsw: Number(hnsw[0]?.[0]),
  };
}
