import { expect, it } from 'vitest';
import { openCounter } from '../../../compile/tokens/open-counter.ts';
import { MCP_MODES } from '../access.ts';
import { compatTools } from '../compat/server-memory.ts';
import { createServer, type ServerParts } from '../server.ts';
import { CallQueue } from '../call-queue.ts';
import { OpenHome } from '../open-home.ts';
import { ResourceChanges } from '../resource-changes.ts';
import { toolsFor } from './tools.ts';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { Client } from '@modelcontextprotocol/client';

/** The price in every conversation of every client before the first question. */
const MAX_LIST_TOKENS = 1600;

/** The list as it goes over the wire, with all that the protocol adds. */
async function listed(mode: (typeof MCP_MODES)[number], compat?: 'server-memory'): Promise<string> {
  const onProblem = (): void => undefined;
  const home = new OpenHome('/nowhere', () => new Promise(() => undefined));
  const changes = new ResourceChanges(home, onProblem);
  const parts: ServerParts = { home, calls: new CallQueue(), changes, compat, version: '0', onProblem };
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createServer(parts, { mode, actor: 'bot:main' }, 'lasting-2025');
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(far), client.connect(near)]);
  const { tools } = await client.listTools();
  await client.close();
  return JSON.stringify(tools);
}

// SPEC MCP-2
it.each(MCP_MODES)('the tools of mode %s cost at most 1,600 tokens, counted exactly', async (mode) => {
  const { counter, notes } = await openCounter('gpt-5');
  expect([counter.id, notes]).toEqual(['o200k_base', []]);
  expect(counter.count(await listed(mode))).toBeLessThanOrEqual(MAX_LIST_TOKENS);
  expect(counter.count(await listed(mode, 'server-memory'))).toBeLessThanOrEqual(MAX_LIST_TOKENS);
});

it('the tools of everyday use are always loaded, and none counts as destructive', async () => {
  const tools = JSON.parse(await listed('full')) as {
    readonly name: string;
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly annotations: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
    readonly inputSchema: { readonly required?: readonly string[] };
  }[];
  const always = tools.filter(({ _meta }) => _meta?.['anthropic/alwaysLoad'] === true);
  expect(always.map(({ name }) => name)).toEqual(['memory_search', 'memory_write']);
  for (const { annotations } of tools)
    expect(annotations.readOnlyHint === true || annotations.destructiveHint === false).toBe(true);
  expect(always.map(({ inputSchema }) => inputSchema.required)).toEqual([['query'], ['text']]);
});

it('each mode offers what it may', () => {
  const reading = ['memory_search', 'memory_read', 'memory_context', 'memory_graph', 'memory_history'];
  const writing = ['memory_write', 'memory_update', 'memory_forget', 'memory_propose'];
  const names = (mode: (typeof MCP_MODES)[number]): string[] =>
    toolsFor(mode)
      .map(({ name }) => name)
      .toSorted();
  expect(names('read-only')).toEqual(reading.toSorted());
  expect(names('proposer')).toEqual([...reading, ...writing].toSorted());
  expect(names('full')).toEqual([...reading, ...writing, 'memory_reflect'].toSorted());
  expect(compatTools('server-memory', 'full')).toHaveLength(9);
  expect(compatTools('server-memory', 'read-only').map(({ name }) => name)).toEqual([
    'read_graph',
    'search_nodes',
    'open_nodes',
  ]);
});
