import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

export interface TestServer {
  readonly url: string;
  /** The same server without the pooler that `url` may lead through; for what needs a connection to itself. */
  readonly directUrl: string;
  /** Whether several connections really work at once. */
  readonly isReal: boolean;
  readonly stop: () => Promise<void>;
}

/**
 * A server for tests: the one MNEME_TEST_POSTGRES_URL names (`node scripts/postgres-server.ts` brings one up), else
 * PostgreSQL compiled to WebAssembly, over the wire. That one runs a transaction at a time for all its connections, as
 * a transaction pooler with one server connection would.
 */
export async function startTestServer(): Promise<TestServer> {
  const given = process.env['MNEME_TEST_POSTGRES_URL'];
  if (given !== undefined && given !== '') {
    const directUrl = process.env['MNEME_TEST_POSTGRES_DIRECT_URL'] ?? given;
    return { url: given, directUrl, isReal: true, stop: () => Promise.resolve() };
  }
  const db = await PGlite.create({ extensions: { vector } });
  await db.exec('CREATE EXTENSION vector');
  const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1', maxConnections: 50 });
  const port = new Promise<number>((resolve) => {
    server.addEventListener('listening', (event) => resolve((event as CustomEvent<{ port: number }>).detail.port));
  });
  await server.start();
  const url = `postgres://postgres:postgres@127.0.0.1:${await port}/postgres?sslmode=disable`;
  return {
    url,
    directUrl: url,
    isReal: false,
    stop: async () => {
      await server.stop();
      await db.close();
    },
  };
}

let names = 0;

/** A name nobody has used on the server before. */
export function newName(prefix = 'test'): string {
  names += 1;
  return `${prefix}_${process.pid}_${Date.now().toString(36)}_${names}`;
}
