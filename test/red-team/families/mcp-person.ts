import fs from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { resolveAccess } from '../../../src/interfaces/mcp/access.ts';
import { CallQueue } from '../../../src/interfaces/mcp/call-queue.ts';
import { OpenHome } from '../../../src/interfaces/mcp/open-home.ts';
import { ResourceChanges } from '../../../src/interfaces/mcp/resource-changes.ts';
import { TokenTable, configuredTokens, serveHttp } from '../../../src/interfaces/mcp/serve-http.ts';
import { MemoryTool } from '../../../src/interfaces/memory-tool/memory-tool.ts';
import { roleOf } from '../../../src/model/mutation.ts';
import { openMneme } from '../../../src/mneme.ts';
import { log } from '../../../src/operations/history/log.ts';
import { runOperation } from '../../../src/operations/operation.ts';
import { remember } from '../../../src/operations/remember.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { initTestHome, makeTemporaryFolder } from '../../support/home.ts';
import { call, connectHttp } from '../../support/mcp.ts';
import { attack, control, type Family } from '../table.ts';
import { contextAs, type World } from '../world.ts';
import type { ApiRole } from '../../../src/interfaces/http/route.ts';

/** Talks MCP to the served home with a token of this role. */
async function asClient<T>({ server }: World, role: ApiRole, body: (client: Client) => Promise<T>): Promise<T> {
  const client = await connectHttp({ url: `${server.url}/mcp`, token: server.token(role) });
  try {
    return await body(client);
  } finally {
    await client.close();
  }
}

/** Who the history says wrote the file last. */
async function lastWriter(world: World, file: string): Promise<string> {
  await world.server.mneme.internals.workspace.drain();
  const { entries } = await runOperation(log, contextAs(world, 'manual'), { path: file, limit: 1 });
  return entries[0]?.actor ?? 'nobody';
}

async function trustOf({ server }: World, words: string): Promise<string | undefined> {
  const { hits } = await server.mneme.recall(words);
  return hits.find(({ text }) => text.includes(words))?.trust;
}

async function mustBeAgents(
  world: World,
  words: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const { structured, isError, text } = await asClient(world, 'owner', (client) =>
    call(client, 'memory_write', { text: words, ...args }),
  );
  // Refusing a claim is as good as ignoring it.
  if (isError) return undefined;
  const writer = await lastWriter(world, String(structured['path']));
  if (writer !== 'bot:owner') return `written by ${writer}: ${text}`;
  const trust = await trustOf(world, words);
  return trust === 'agent' ? undefined : `kept with the trust ${String(trust)}`;
}

/** Each about something else: another number in the same sentence would be a change of it, which waits for the user. */
const CLAIMS: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ['nothing', 'The heron stands in the reeds.', {}],
  ['an actor', 'Nadia paints the boathouse blue.', { actor: 'manual', as: 'manual' }],
  ['a trust', 'The ferry sails every second Sunday.', { trust: 'user' }],
  ['the user’s wish', 'Olive trees need little water.', { source: 'user-explicit' }],
];

export const MCP_PERSON: Family<World> = {
  title: 'No client of an interface for agents acts as a person',
  cases: [
    ...CLAIMS.map(([claim, words, args]) =>
      attack<World>(`the owner’s token over MCP writes, and claims ${claim}`, (world) =>
        mustBeAgents(world, words, args),
      ),
    ),
    attack('the owner’s token over MCP forgets without the user’s turn', async (world) => {
      const words = 'The bittern booms at night.';
      const { path: file } = await runOperation(remember, contextAs(world, 'manual'), {
        text: words,
        store: 'episodic',
      });
      return asClient(world, 'owner', async (client) => {
        const { structured: plan } = await call(client, 'memory_forget', { query: words });
        const { structured } = await call(client, 'memory_forget', { code: plan['code'] });
        const isThere = fs.readFileSync(path.join(world.workspace, file), 'utf8').includes(words);
        return isThere && structured['outcome'] === 'proposed' ? undefined : JSON.stringify(structured);
      });
    }),
    attack('the owner’s token over MCP writes to the vault', async (world) => {
      const text = 'The stork nests on the mill.';
      const args = { text, store: 'vault' };
      const { structured } = await asClient(world, 'owner', (client) => call(client, 'memory_write', args));
      return structured['outcome'] === 'filed' ? undefined : JSON.stringify(structured);
    }),
    attack('a viewer’s token over MCP is offered what writes', (world) =>
      asClient(world, 'viewer', async (client) => {
        const { tools } = await client.listTools();
        const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
        return writing.length === 0 ? undefined : writing.map(({ name }) => name).join(', ');
      }),
    ),
    ...['manual', 'human', 'human:alex', 'external'].map((actor) =>
      attack<World>(`mneme mcp --as ${actor}`, async () => {
        const access = resolveAccess({ actor, usualMode: 'full' });
        return roleOf(access.actor) === 'main' ? undefined : access.actor;
      }),
    ),
    attack('a person’s token of server.tokens', async () => {
      const settings: unknown = { tokens: [{ name: 'alex', role: 'human', token_env: 'T' }] };
      const [token] = configuredTokens(settings as Parameters<typeof configuredTokens>[0], 'full', () => 'token');
      return token?.access.actor === 'bot:alex' ? undefined : token?.access.actor;
    }),
    attack('a server that was handed a person’s access', async (world) => {
      const { mneme, home } = world.server;
      const open = new OpenHome(home, () => Promise.resolve(mneme));
      const onProblem = (): void => undefined;
      const parts = { home: open, calls: new CallQueue(), version: 'test', onProblem };
      const access = { mode: 'full', actor: 'human:alex' } as const;
      const serving = await serveHttp(
        { ...parts, changes: new ResourceChanges(open, onProblem) },
        {
          host: '127.0.0.1',
          port: 0,
          tokens: new TokenTable([{ name: 'alex', token: 'a-token-of-the-test', access }]),
          allowedHosts: [],
          allowedOrigins: [],
          maxBodyBytes: 100_000,
          maxRequestsPerMinute: 0,
          timeoutMs: 20_000,
          clock: systemClock,
        },
      );
      const client = await connectHttp({ url: serving.url, token: 'a-token-of-the-test' });
      const { structured } = await call(client, 'memory_write', { text: 'The crane dances.', store: 'episodic' });
      await client.close();
      await serving.close();
      const writer = await lastWriter(world, String(structured['path']));
      return writer === 'bot:alex' ? undefined : `written by ${writer}`;
    }),
    attack('the memory tool in a program that opened the home as a person', async () => {
      const home = path.join(makeTemporaryFolder(), 'home');
      await initTestHome(home);
      const mneme = await openMneme({ home, actor: 'human:alex' });
      try {
        const tool = new MemoryTool(mneme);
        await tool.execute({ command: 'create', path: '/memories/note.md', file_text: 'The coot is black.\n' });
        await mneme.internals.workspace.drain();
        const { entries } = await runOperation(log, mneme.internals, { path: 'memory/agent-notes/note.md' });
        return entries[0]?.actor === 'bot:alex' ? undefined : `written by ${entries[0]?.actor ?? 'nobody'}`;
      } finally {
        await mneme.close();
      }
    }),
    control('the owner’s token over the API is a person', async (world) => {
      const text = 'The grebe dives for a minute.';
      const { path: file } = await world.server.client('owner').call('remember', { text, store: 'episodic' });
      const writer = await lastWriter(world, file);
      return writer === 'human:owner' ? undefined : `written by ${writer}`;
    }),
    control('the main agent’s token over MCP writes', async (world) => {
      const args = { text: 'The rail is heard at dusk.', store: 'episodic' };
      const { structured } = await asClient(world, 'main', (client) => call(client, 'memory_write', args));
      return structured['outcome'] === 'remembered' ? undefined : JSON.stringify(structured);
    }),
    control('the owner’s token over MCP reads what the owner wrote', async (world) => {
      await runOperation(remember, contextAs(world, 'manual'), { text: 'The egret is white.', store: 'episodic' });
      const { text } = await asClient(world, 'owner', (client) => call(client, 'memory_search', { query: 'egret' }));
      return text.includes('The egret is white.') ? undefined : text;
    }),
  ],
};
