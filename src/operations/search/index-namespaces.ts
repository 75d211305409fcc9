import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { openPostgres } from '../../search-index/open-index.ts';
import type { PostgresServer } from '../../search-index/postgres/server.ts';
import type { OperationContext } from '../context.ts';
import { defineOperation } from '../operation.ts';

export interface NamespaceInfo {
  readonly name: string;
  readonly owner: string;
  readonly isCurrent: boolean;
  readonly maxPassages: number | null;
  readonly maxBytes: number | null;
  readonly created: string;
}

export const listNamespaces = defineOperation({
  name: 'index namespace list',
  summary: 'Memories on the PostgreSQL server that this login may use.',
  input: z.object({}),
  effect: 'read',
  run: (context): Promise<NamespaceInfo[]> =>
    withServer(context, async (server) => {
      const rows = await server.administer(
        'SELECT name, owner, max_passages, max_bytes, created_at FROM namespaces ORDER BY name',
      );
      return rows.map(([name, owner, passages, bytes, created]) => ({
        name: String(name),
        owner: String(owner),
        isCurrent: name === context.config.index.postgres_namespace,
        maxPassages: passages === null ? null : Number(passages),
        maxBytes: bytes === null ? null : Number(bytes),
        created: created instanceof Date ? created.toISOString() : String(created),
      }));
    }),
});

const limits = z.object({
  name: z.string().min(1).describe('The namespace.'),
  maxPassages: z.int().min(0).nullable().default(null).describe('Passages it may hold; null: any number.'),
  maxBytes: z.int().min(0).nullable().default(null).describe('Bytes of text it may hold; null: any number.'),
});

export const limitNamespace = defineOperation({
  name: 'index namespace limit',
  summary: 'Say how much a memory may hold on the PostgreSQL server.',
  input: limits,
  effect: 'write',
  withoutLease: 'own',
  run: (context, { name, maxPassages, maxBytes }): Promise<z.output<typeof limits>> =>
    withServer(context, async (server) => {
      const [row] = await server.administer('SELECT limit_namespace($1, $2, $3)', name, maxPassages, maxBytes);
      if (row?.[0] !== true) throw unknownNamespace(name);
      return { name, maxPassages, maxBytes };
    }),
});

export const eraseNamespace = defineOperation({
  name: 'index namespace erase',
  summary: 'Delete everything of a memory from the PostgreSQL server; files stay.',
  input: z.object({ name: z.string().min(1).describe('The namespace.') }),
  effect: 'write',
  by: 'person',
  run: (context, { name }): Promise<{ readonly erased: string }> =>
    withServer(context, async (server) => {
      if (!(await server.eraseNamespace(name))) throw unknownNamespace(name);
      return { erased: name };
    }),
});

function unknownNamespace(name: string): MnemeError {
  return new MnemeError('not-found', `There is no namespace "${name}" that this login may use.`, {
    hint: '`mneme index namespace list` has them all.',
  });
}

async function withServer<T>(context: OperationContext, body: (server: PostgresServer) => Promise<T>): Promise<T> {
  const index = openPostgres(context.homeIndex.parts);
  try {
    return await body(index.server);
  } finally {
    await index.close();
  }
}
