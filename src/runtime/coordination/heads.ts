import type { PostgresServer } from '../../search-index/postgres/server.ts';

export interface Head {
  readonly device: string;
  readonly head: string;
}

/** Tells the others that there is something to fetch; an announcement of an earlier holder of the lease does not count. */
export function announceHead(server: PostgresServer, { device, head }: Head, fence = 0): Promise<boolean> {
  return server.writeBeside(async (transaction) => {
    const row = await transaction.row(
      `INSERT INTO heads VALUES ({ns}, $1, $2, $3, clock_timestamp()) ON CONFLICT (namespace, device)
       DO UPDATE SET head = excluded.head, fence = excluded.fence, moved_at = excluded.moved_at
       WHERE heads.fence <= excluded.fence RETURNING 1`,
      device,
      head,
      fence,
    );
    return row !== undefined;
  });
}

/** What the other machines have announced last. Asked again and again: a pooler passes no notifications on. */
export function readHeads(server: PostgresServer, device: string): Promise<Head[]> {
  return server.read(async (transaction) => {
    const sql = 'SELECT device, head FROM heads WHERE namespace = {ns} AND device <> $1 ORDER BY device';
    return (await transaction.rows(sql, device)).map(([name, head]) => ({ device: String(name), head: String(head) }));
  });
}
