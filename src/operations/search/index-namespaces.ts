import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { openPostgres } from '../../search-index/open-index.ts';
import type { PostgresServer } from '../../search-index/postgres/server.ts';
import type { OperationContext } from '../context.ts';
import { countOf, showBytes } from '../command-line/plain.ts';
import { type View, table } from '../command-line/style.ts';
import { defineVerb } from '../verb.ts';

export interface NamespaceInfo {
  readonly name: string;
  readonly owner: string;
  readonly isCurrent: boolean;
  readonly maxPassages: number | null;
  readonly maxBytes: number | null;
  readonly created: string;
}

export const listNamespaces = defineVerb({
  name: 'index namespace list',
  summary: 'List the memories on the PostgreSQL server that this login may use.',
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
  http: false,
  library: { name: 'index.namespaces' },
  cli: { isDefault: true },
  render: renderNamespaces,
});

const limits = z.object({
  name: z.string().min(1).describe('The namespace.'),
  maxPassages: z.int().min(0).nullable().default(null).describe('Passages it may hold; any number when not given.'),
  maxBytes: z.int().min(0).nullable().default(null).describe('Bytes of text it may hold; any number when not given.'),
});

export const limitNamespace = defineVerb({
  name: 'index namespace limit',
  summary: 'Set how much a memory may hold on the PostgreSQL server.',
  description: 'Set how much a memory may hold on the PostgreSQL server. Without options: no limit.',
  examples: ['mneme index namespace limit atlas --max-passages 100000'],
  input: limits,
  args: ['name'],
  effect: 'write',
  withoutLease: 'own',
  run: (context, { name, maxPassages, maxBytes }): Promise<z.output<typeof limits>> =>
    withServer(context, async (server) => {
      const [row] = await server.administer('SELECT limit_namespace($1, $2, $3)', name, maxPassages, maxBytes);
      if (row?.[0] !== true) throw unknownNamespace(name);
      return { name, maxPassages, maxBytes };
    }),
  http: false,
  library: false,
  render: (_view, { name }) => `${name} has its limits.\n`,
});

export const eraseNamespace = defineVerb({
  name: 'index namespace erase',
  summary: 'Delete everything of a memory from the PostgreSQL server; files stay.',
  input: z.object({ name: z.string().min(1).describe('The namespace.') }),
  args: ['name'],
  effect: 'write',
  by: 'person',
  run: (context, { name }): Promise<{ readonly erased: string }> =>
    withServer(context, async (server) => {
      if (!(await server.eraseNamespace(name))) throw unknownNamespace(name);
      return { erased: name };
    }),
  http: false,
  library: false,
  cli: {
    extra: { yes: { flags: '-y, --yes', help: 'without this nothing is deleted' } },
    prepare: ({ input, extra: { yes } }) => {
      if (yes === true) return { name: input.name ?? '' };
      throw new MnemeError('usage', `This would delete everything of "${input.name ?? ''}" from the server.`, {
        hint: 'Add --yes. The files of every machine stay, and fill it again when they are next asked.',
      });
    },
  },
  render: ({ style }, { erased }) => `${style.green('Erased')} ${erased}.\n`,
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

function renderNamespaces({ style }: View, namespaces: readonly NamespaceInfo[]): string {
  if (namespaces.length === 0) return `${style.dim('None.')}\n`;
  return table(
    namespaces.map(({ name, owner, isCurrent, maxPassages, maxBytes }) => [
      isCurrent ? style.bold(name) : name,
      style.dim(`owned by ${owner}`),
      maxPassages === null ? '' : `at most ${countOf(maxPassages, 'passage')}`,
      maxBytes === null ? '' : `at most ${showBytes(maxBytes)}`,
    ]),
  );
}
