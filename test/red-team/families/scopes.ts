import fs from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { MnemeClient } from '../../../src/client/client.ts';
import type { ApiRole } from '../../../src/interfaces/http/route.ts';
import { agentsPropose } from '../../../src/operations/agents/propose.ts';
import { briefing } from '../../../src/operations/briefing.ts';
import { graphFact } from '../../../src/operations/graph/fact.ts';
import { graphInfer } from '../../../src/operations/graph/infer.ts';
import { graphShow } from '../../../src/operations/graph/show.ts';
import { runOperation } from '../../../src/operations/operation.ts';
import { systemRandom } from '../../../src/platform/random.ts';
import { makeTemporaryFolder } from '../../support/home.ts';
import { connectHttp } from '../../support/mcp.ts';
import { attack, control, type Family, type RedTeamCase } from '../table.ts';
import { contextAs, everyByte, makeWorld, mustBeRefused, type World } from '../world.ts';

const SCOPE = 'project:apollo';
/** Stands in the scope and nowhere else. */
const PRIVATE = 'zanzibar';

type Outsider = 'spy' | 'eye' | 'zeus';
type Who = Outsider | 'apollo';

export interface ScopeWorld extends World {
  readonly item: { readonly id: string; readonly path: string };
  readonly shared: { readonly id: string; readonly path: string };
  readonly session: string;
  readonly fact: string;
  readonly clients: Readonly<Record<Who, MnemeClient>>;
  readonly agents: Readonly<Record<Who, Client>>;
  readonly tokens: Readonly<Record<Who, string>>;
}

const PEOPLE: Readonly<Record<Who, { readonly role: ApiRole; readonly scope?: string; readonly says: string }>> = {
  spy: { role: 'proposer', says: 'a sub-agent' },
  eye: { role: 'reader', says: 'a reader' },
  zeus: { role: 'main', scope: 'project:zeus', says: 'an agent of another scope' },
  apollo: { role: 'main', scope: SCOPE, says: 'an agent of the scope' },
};
const OUTSIDERS: readonly Outsider[] = ['spy', 'eye', 'zeus'];

export async function makeScopeWorld(): Promise<ScopeWorld> {
  const world = await makeWorld();
  const { mneme, tokens: file, url } = world.server;
  const shared = await mneme.remember('The lighthouse of the harbour is white.', { store: 'episodic' });
  const item = await mneme.remember(`The word of Apollo is ${PRIVATE}.`, { scope: SCOPE, store: 'episodic' });
  await mneme.graph.add({ name: 'Harbour Company', type: 'organization' });
  await mneme.graph.add({ name: `${PRIVATE} Corporation`, type: 'organization', scope: SCOPE });
  const company = `${PRIVATE} Corporation`;
  await mneme.graph.link(company, 'part-of', 'Harbour Company', { scope: SCOPE, loose: true });
  const person = contextAs(world, 'manual');
  const { id: fact } = await runOperation(graphFact, person, {
    entity: `${PRIVATE} Corporation`,
    text: `Sells ${PRIVATE} cloves.`,
    scope: SCOPE,
  });
  const session = await mneme.session.start({ scope: SCOPE });
  await session.message('user', `We decided that the ${PRIVATE} harbour opens in May.`);
  await session.end();
  // A shared memory that was asked for, and told, inside of the scope.
  await mneme.recall(`lighthouse ${PRIVATE}`, { scope: SCOPE });
  await mneme.context(`Is the lighthouse of ${PRIVATE} white?`, { scope: SCOPE });
  await runOperation(agentsPropose, contextAs(world, 'subagent:insider', SCOPE), {
    text: `The ${PRIVATE} budget is 40.`,
  });
  await mneme.internals.workspace.drain();
  const tokens: Partial<Record<Who, string>> = {};
  const clients: Partial<Record<Who, MnemeClient>> = {};
  const agents: Partial<Record<Who, Client>> = {};
  for (const who of ['spy', 'eye', 'zeus', 'apollo'] as const) {
    const { role, scope } = PEOPLE[who];
    const token = await file.add({ name: who, role, scope }, systemRandom, new Date(0).toISOString());
    tokens[who] = token;
    clients[who] = new MnemeClient({ baseUrl: url, token });
    agents[who] = await connectHttp({ url: `${url}/mcp`, token });
  }
  const known = { item, shared, session: session.id, fact };
  return {
    ...world,
    ...known,
    tokens: tokens as ScopeWorld['tokens'],
    clients: clients as ScopeWorld['clients'],
    agents: agents as ScopeWorld['agents'],
  };
}

export async function closeScopeWorld({ agents, server }: ScopeWorld): Promise<void> {
  for (const agent of Object.values(agents)) await agent.close();
  await server.close();
}

type Ask = readonly [name: string, ask: (client: MnemeClient, world: ScopeWorld) => Promise<unknown>];

/** The questions name nothing private that could come back as an echo, except where they must. */
const HTTP: readonly Ask[] = [
  ['recall', (c) => c.call('recall', { query: 'the word of Apollo' })],
  ['recall in the scope', (c) => c.call('recall', { query: 'the word of Apollo', scope: SCOPE })],
  ['similar', (c, { item }) => c.call('similar', { id: item.id })],
  ['why of the item', (c, { item }) => c.call('why', { id: item.id })],
  ['why of something shared that was told in the scope', (c, { shared }) => c.call('why', { id: shared.id })],
  ['why of the last prompt', (c) => c.call('why', {})],
  ['read of the file', (c, { item }) => c.call('read', { target: item.path })],
  ['read of the session', (c, { session }) => c.call('read', { target: session })],
  ['files list', (c) => c.call('files list')],
  ['files read', (c, { item }) => c.call('files read', { path: item.path })],
  ['episodes', (c) => c.call('episodes')],
  ['episodes show', (c, { item }) => c.call('episodes show', { id: item.id })],
  ['timeline', (c) => c.call('timeline')],
  ['context', (c) => c.call('context', { message: 'What is the word of Apollo?' })],
  ['context in the scope', (c) => c.call('context', { message: 'What is the word of Apollo?', scope: SCOPE })],
  ['context list', (c) => c.call('context list')],
  ['context show', (c) => c.call('context show', { receipt: 'last' })],
  ['session list', (c) => c.call('session list')],
  ['session show', (c, { session }) => c.call('session show', { session })],
  ['graph list', (c) => c.call('graph list')],
  [
    'graph show of something shared that the scope links to',
    (c) => c.call('graph show', { entity: 'Harbour Company', all: true }),
  ],
  ['graph page', (c) => c.call('graph page')],
  ['graph neighbours', (c) => c.call('graph neighbours', { entity: 'Harbour Company' })],
  ['graph timeline', (c) => c.call('graph timeline', { entity: 'Harbour Company' })],
  ['graph query', (c) => c.call('graph query', { text: 'Corporation' })],
  ['graph infer', (c) => c.call('graph infer')],
  ['log', (c) => c.call('log', { full: true })],
  ['diff', (c) => c.call('diff')],
  ['audit', (c) => c.call('audit')],
  ['proposals list', (c) => c.call('proposals list')],
  ['agents review', (c) => c.call('agents review')],
  ['archive list', (c) => c.call('archive list')],
  ['status', (c) => c.call('status')],
];

type AskAgent = readonly [name: string, ask: (agent: Client, world: ScopeWorld) => Promise<unknown>];

const MCP: readonly AskAgent[] = [
  ['memory_search', (a) => a.callTool({ name: 'memory_search', arguments: { query: 'the word of Apollo' } })],
  ['memory_read', (a, { item }) => a.callTool({ name: 'memory_read', arguments: { path: item.path } })],
  ['memory_context', (a) => a.callTool({ name: 'memory_context', arguments: { message: 'the word of Apollo?' } })],
  ['memory_graph', (a) => a.callTool({ name: 'memory_graph', arguments: { name: 'Harbour Company' } })],
  ['memory_history', (a) => a.callTool({ name: 'memory_history', arguments: {} })],
  ['the list of resources', (a) => a.listResources()],
  ['a file as a resource', (a, { item }) => a.readResource({ uri: `mneme://file/${item.path}` })],
  ['a session as a resource', (a, { session }) => a.readResource({ uri: `mneme://session/${session}` })],
  ['a file beside the home as a resource', (a) => a.readResource({ uri: 'mneme://file/..%2F..%2Foutside.md' })],
];

/** What comes back, as text; a refusal is an answer too. */
async function answerOf(ask: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await ask()) ?? '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What was asked for may be named in the refusal: that is the asker's own word. */
function leaks(answer: string, { item, session }: ScopeWorld): string | undefined {
  const own = answer.replaceAll(item.path, '').replaceAll(session, '');
  return own.toLowerCase().includes(PRIVATE) || own.includes('project--apollo') ? own.slice(0, 400) : undefined;
}

function outsiderCases(who: Outsider): RedTeamCase<ScopeWorld>[] {
  const { says } = PEOPLE[who];
  return [
    ...HTTP.map(([name, ask]) =>
      attack<ScopeWorld>(`${says} by ${name} over HTTP`, async (world) =>
        leaks(await answerOf(() => ask(world.clients[who], world)), world),
      ),
    ),
    ...MCP.map(([name, ask]) =>
      attack<ScopeWorld>(`${says} by ${name} over MCP`, async (world) =>
        leaks(await answerOf(() => ask(world.agents[who], world)), world),
      ),
    ),
    control(`${says} finds what is shared`, async ({ clients }) => {
      const { hits } = await clients[who].call('recall', { query: 'lighthouse harbour white' });
      return hits.some(({ text }) => text.includes('lighthouse')) ? undefined : JSON.stringify(hits);
    }),
  ];
}

const OTHERS: readonly RedTeamCase<ScopeWorld>[] = [
  attack('the main agent, outside of the scope, by graph show', async (world) => {
    const shown = await runOperation(graphShow, contextAs(world, 'bot:main'), { entity: 'Harbour Company', all: true });
    return leaks(JSON.stringify(shown), world);
  }),
  attack('the briefing of a hook in another project', async (world) => {
    const input = { event: 'session-start' as const, project: 'zeus', scope: 'project:zeus' };
    return leaks(JSON.stringify(await runOperation(briefing, contextAs(world, 'bot:main'), input)), world);
  }),
  attack('the export of another scope', async (world) => {
    const target = path.join(makeTemporaryFolder(), 'export');
    await world.server.mneme.export(target, { scope: 'project:zeus' });
    return leaks(everyByte(target), world);
  }),
  attack('the export of what is shared', async (world) => {
    const target = path.join(makeTemporaryFolder(), 'export.jsonl');
    await world.server.mneme.export(target, { scope: 'shared', format: 'jsonl' });
    return leaks(fs.readFileSync(target, 'utf8'), world);
  }),
  attack('a conclusion from private premises, kept in a shared file', async (world) => {
    await runOperation(graphInfer, contextAs(world, 'bot:main'), { scope: SCOPE, keep: true });
    return leaks(everyByte(path.join(world.workspace, 'memory/graph')), world);
  }),
  attack('an agent of another scope replacing a fact by its id', async (world) =>
    mustBeRefused(() =>
      runOperation(graphFact, contextAs(world, 'bot:main', 'project:zeus'), {
        entity: 'Harbour Company',
        text: 'Sells nothing.',
        replaces: world.fact,
      }),
    ),
  ),
  attack('an agent of a scope changing what is shared through the graph', async (world) =>
    mustBeRefused(() =>
      runOperation(graphFact, contextAs(world, 'bot:main', 'project:zeus'), {
        entity: 'Harbour Company',
        text: 'Belongs to zeus.',
      }),
    ),
  ),
  attack('the words of the scope in the history’s summaries', async ({ server }) => {
    const entries = JSON.stringify(server.mneme.internals.audit.query({}).map(({ summary }) => summary));
    return entries.toLowerCase().includes(PRIVATE) ? entries.slice(0, 300) : undefined;
  }),
  attack('the words of the scope in the entries of the chain', async ({ server }) => {
    const folder = path.join(server.home, 'chain');
    const entries = fs.existsSync(path.join(folder, 'chain.jsonl'))
      ? fs.readFileSync(path.join(folder, 'chain.jsonl'), 'utf8')
      : '';
    return entries.toLowerCase().includes(PRIVATE) ? entries.slice(0, 300) : undefined;
  }),
  control('an agent of the scope finds what is private there', async ({ clients }) => {
    const { hits } = await clients.apollo.call('recall', { query: 'the word of Apollo' });
    return hits.some(({ text }) => text.includes(PRIVATE)) ? undefined : JSON.stringify(hits);
  }),
  control('an agent of the scope reads its file', async ({ clients, item }) => {
    const { text } = await clients.apollo.call('read', { target: item.path });
    return text.includes(PRIVATE) ? undefined : text;
  }),
  control('an agent of the scope sees its part of the graph', async ({ clients }) => {
    const shown = await clients.apollo.call('graph show', { entity: 'Harbour Company', scope: SCOPE });
    return shown.relations.some(({ other }) => other.name.includes(PRIVATE)) ? undefined : JSON.stringify(shown);
  }),
  control('an agent of the scope finds it over MCP', async ({ agents }) => {
    const said = await answerOf(() =>
      agents.apollo.callTool({ name: 'memory_search', arguments: { query: 'the word of Apollo' } }),
    );
    return said.includes(PRIVATE) ? undefined : said.slice(0, 300);
  }),
  control('an agent of the scope states a fact there', async (world) => {
    const as = contextAs(world, 'bot:main', SCOPE);
    const { outcome } = await runOperation(graphFact, as, { entity: `${PRIVATE} Corporation`, text: 'Has a pier.' });
    return outcome === 'added' ? undefined : outcome;
  }),
  control('a person exports the scope with its words', async ({ server }) => {
    const target = path.join(makeTemporaryFolder(), 'export');
    await server.mneme.export(target, { scope: SCOPE });
    return everyByte(target).includes(PRIVATE) ? undefined : 'they are missing';
  }),
];

/** A request with whatever credentials; the answer's status. */
async function statusOf(
  { server }: ScopeWorld,
  headers: Readonly<Record<string, string>>,
  { route = 'core/show', body }: { readonly route?: string; readonly body?: string } = {},
): Promise<number> {
  const response = await fetch(`${server.url}/api/v1/${route}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return response.status;
}

type Credentials = readonly [name: string, headers: (world: ScopeWorld) => Record<string, string>];

const BAD: readonly Credentials[] = [
  ['no token', () => ({})],
  ['an empty token', () => ({ authorization: 'Bearer ' })],
  ['a made-up token', () => ({ authorization: 'Bearer mneme_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' })],
  ['half a token', ({ tokens }) => ({ authorization: `Bearer ${tokens.apollo.slice(0, 20)}` })],
  ['a token by another name', ({ tokens }) => ({ authorization: `Basic ${btoa(`x:${tokens.apollo}`)}` })],
  ['a token as a cookie', ({ tokens }) => ({ cookie: `mneme_session=${tokens.apollo}` })],
  ['the name of a token', () => ({ authorization: 'Bearer apollo' })],
];

const WRITES: readonly (readonly [route: string, body: object])[] = [
  ['remember', { text: 'A tern.' }],
  ['edit', { path: 'memory/reference/x.md', content: '# X\n' }],
  ['append', { path: 'memory/reference/x.md', text: 'x' }],
  ['core/add', { text: 'A tern.' }],
  ['graph/add', { name: 'Tern', type: 'thing' }],
  ['erase', { texts: ['lighthouse'] }],
];

const ACCESS: readonly RedTeamCase<ScopeWorld>[] = [
  ...BAD.map(([name, headers]) =>
    attack<ScopeWorld>(`a request with ${name}`, async (world) => {
      const status = await statusOf(world, headers(world));
      return status === 401 || status === 429 ? undefined : String(status);
    }),
  ),
  ...(['spy', 'eye'] as const).flatMap((who) =>
    WRITES.map(([route, body]) =>
      attack<ScopeWorld>(`${PEOPLE[who].says} writing by ${route}`, async (world) => {
        const headers = { authorization: `Bearer ${world.tokens[who]}` };
        const status = await statusOf(world, headers, { route, body: JSON.stringify(body) });
        return status === 403 ? undefined : String(status);
      }),
    ),
  ),
  control('a request with a good token', async (world) => {
    const status = await statusOf(world, { authorization: `Bearer ${world.tokens.eye}` });
    return status === 200 ? undefined : String(status);
  }),
  control('a sub-agent proposes', async ({ clients }) => {
    const { outcome } = await clients.spy.call('agents propose', { text: 'The tide is high at noon.' });
    return outcome === 'filed' ? undefined : outcome;
  }),
];

export const SCOPES: Family<ScopeWorld> = {
  title: 'Scopes and roles, through every door',
  cases: [...OUTSIDERS.flatMap(outsiderCases), ...OTHERS, ...ACCESS],
};
