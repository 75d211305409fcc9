import { loadRoutes } from '../../src/interfaces/http/routes/routes.ts';
import { exampleCalls } from '../support/http-examples.ts';
import { serveTestHome, type TestServer } from '../support/http-server.ts';
import { connectHttp } from '../support/mcp.ts';
import { asText } from './normal.ts';

/** Every route, called as intended, in the order of a day. */
export async function recordHttp(): Promise<string> {
  const server = await serveTestHome();
  try {
    const methods = new Map((await loadRoutes()).map(({ name, path, method }) => [name as string, { path, method }]));
    const records: string[] = [];
    for (const { name, input } of exampleCalls(server)) {
      const route = methods.get(name);
      if (route === undefined) throw new Error(`There is no ${name}.`);
      const given = await input();
      // Git has followed what was written before: some answers name its commits.
      await server.mneme.internals.workspace.drain();
      const { status, body } = await ask(server, route, given);
      records.push(`## ${name} ${asText(given)}\n\n${status} ${asText(body)}\n`);
    }
    return records.join('\n');
  } finally {
    await server.close();
  }
}

async function ask(
  server: TestServer,
  { path, method }: { readonly path: string; readonly method: string },
  given: Readonly<Record<string, unknown>>,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const query = new URLSearchParams();
  if (method === 'GET') {
    for (const [name, value] of Object.entries(given)) {
      for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
    }
  }
  const response = await fetch(`${server.url}${path}?${query.toString()}`, {
    method,
    headers: { authorization: `Bearer ${server.token('owner')}`, 'content-type': 'application/json' },
    body: method === 'GET' ? null : JSON.stringify(given),
  });
  return { status: response.status, body: await response.json() };
}

/** Every tool of MCP, as the owner and as a client that only proposes. */
export async function recordMcp(): Promise<string> {
  const server = await serveTestHome();
  try {
    const records: string[] = [];
    for (const role of ['owner', 'proposer'] as const) {
      const client = await connectHttp({ url: `${server.url}/mcp`, token: server.token(role) });
      const call = async (name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> => {
        const answer = await client.callTool({ name, arguments: args }).catch((error: Error) => error.message);
        records.push(`## ${role}: ${name} ${asText(args)}\n\n${asText(answer)}\n`);
        return typeof answer === 'string' ? {} : ((answer.structuredContent ?? {}) as Record<string, unknown>);
      };
      const { tools } = await client.listTools();
      records.push(`## ${role}: tools\n\n${asText(tools)}\n`);
      const written = await call('memory_write', {
        text: `The ladder of the ${role} is in the shed.`,
        tags: ['garden'],
      });
      await call('memory_write', { text: 'Always in mind.', store: 'core' });
      await call('memory_write', { text: 'Never fades.', store: 'vault' });
      await call('memory_search', { query: 'where is the ladder' });
      await call('memory_search', { query: 'ladder', unknown: 1 });
      await call('memory_search', {});
      await call('memory_read', { path: 'MEMORY.md' });
      await call('memory_read', { path: 'nothing.md' });
      await call('memory_get', { path: 'MEMORY.md', from: 1, lines: 2 });
      await call('memory_update', {
        id: typeof written['id'] === 'string' ? written['id'] : 'none',
        text: 'The ladder is in the barn.',
      });
      await call('memory_update', { id: 'MEMORY.md', text: 'x' });
      await call('memory_graph', { query: 'ladder' });
      await call('memory_graph', { entity: 'Nobody' });
      await call('memory_context', { message: 'Where is the ladder?' });
      await call('memory_history', { text: 'ladder' });
      await call('memory_history', {});
      await call('memory_propose', { path: 'notes/garden.md', text: '# Garden\n', why: 'a place for plans' });
      await call('memory_reflect', {});
      await call('memory_forget', { text: 'ladder' });
      const { resources } = await client.listResources();
      records.push(`## ${role}: resources\n\n${asText(resources.map(({ uri }) => uri))}\n`);
      const read = await client.readResource({ uri: 'mneme://core' }).catch(String);
      records.push(`## ${role}: mneme://core\n\n${asText(read)}\n`);
      await client.close();
    }
    return records.join('\n');
  } finally {
    await server.close();
  }
}
