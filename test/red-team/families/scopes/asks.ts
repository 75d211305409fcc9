import type { Client } from '@modelcontextprotocol/client';
import { ApiError, type MnemeClient } from '../../../../src/client/client.ts';
import { attack, control, type RedTeamCase } from '../../table.ts';
import { leaks, OUTSIDERS, PEOPLE, PRIVATE, SCOPE, type Outsider, type ScopeWorld } from './world.ts';

/** What a question is about: the private thing, or one that is not there at all. */
interface Target {
  readonly id: string;
  readonly path: string;
  readonly session: string;
}

const targetOf = ({ item, session }: ScopeWorld): Target => ({ id: item.id, path: item.path, session });
const NOTHING: Target = {
  id: '7000000000000',
  path: 'memory/scopes/project--apollo/memory/episodes/1999-01-01.md',
  session: 'ses_0000000000000',
};

/** How a door answers: in the words of an answer, or with a refusal. */
interface Said {
  readonly code: string;
  readonly text: string;
}

/** `shown` is answered, without what is private; the others are refusals with exactly these words. */
type Expected = 'shown' | readonly [code: string, words: (says: string, target: Target) => string];

interface Ask {
  readonly name: string;
  readonly over: 'HTTP' | 'MCP';
  readonly expected: Expected;
  readonly ask: (world: ScopeWorld, who: Outsider | 'apollo' | 'owner', target: Target) => Promise<Said>;
  /** Who is told the private word by the very same question; nobody where it has nothing to tell. */
  readonly insider: 'apollo' | 'owner' | undefined;
}

const unseen: Expected = ['refused', (says) => `${says} does not see ${SCOPE}.`];
const whole = (verb: string): Expected => [
  'refused',
  (says) => `${says} may not run ${verb}: it concerns the whole memory.`,
];
const noFile: Expected = ['not-found', (_, { path }) => `There is no ${path} in the workspace.`];

async function saidOver(http: () => Promise<unknown>): Promise<Said> {
  try {
    return { code: 'shown', text: JSON.stringify(await http()) ?? '' };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, text: error.message };
  }
}

type Call = (client: MnemeClient, target: Target, world: ScopeWorld) => Promise<unknown>;

function http(name: string, expected: Expected, insider: Ask['insider'], call: Call): Ask {
  const ask: Ask['ask'] = (world, who, target) => {
    const client = who === 'owner' ? world.server.client('owner') : world.clients[who];
    return saidOver(() => call(client, target, world));
  };
  return { name, over: 'HTTP', expected, insider, ask };
}

/** What a tool or resource says; MCP tells a refusal of a tool as an answer with a mark. */
async function saidByMcp(call: () => Promise<object>): Promise<Said> {
  try {
    const answer: {
      readonly isError?: unknown;
      readonly _meta?: Readonly<Record<string, unknown>>;
      readonly content?: unknown;
    } = await call();
    const text = JSON.stringify(answer);
    if (answer.isError !== true) return { code: 'shown', text };
    const [first]: readonly { readonly text?: string }[] = Array.isArray(answer.content) ? answer.content : [];
    return { code: String(answer._meta?.['mneme/code']), text: first?.text?.split('\n')[0] ?? '' };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return { code: String(error.code), text: error.message };
  }
}

function mcp(
  name: string,
  expected: Expected,
  insider: 'apollo' | undefined,
  call: (agent: Client, target: Target) => Promise<object>,
): Ask {
  const ask: Ask['ask'] = (world, who, target) =>
    saidByMcp(() => call(world.agents[who === 'owner' ? 'apollo' : who], target));
  return { name, over: 'MCP', expected, insider, ask };
}

const query = 'the word of Apollo';
const message = 'What is the word of Apollo?';
const entity = 'Harbour Company';

/** The questions name nothing private that could come back as an echo, except where they must. */
const HTTP: readonly Ask[] = [
  http('recall', 'shown', 'apollo', (c) => c.call('recall', { query })),
  http('recall in the scope', unseen, 'apollo', (c) => c.call('recall', { query, scope: SCOPE })),
  http('similar', ['not-found', (_, { id }) => `There is nothing with the id ${id}.`], 'apollo', (c, { id }) =>
    c.call('similar', { id }),
  ),
  http('why of it', ['not-found', (_, { id }) => `Nothing remembered has the id ${id}.`], 'apollo', (c, { id }) =>
    c.call('why', { id }),
  ),
  http('why of something shared that was told in the scope', 'shown', 'apollo', (c, _, { shared }) =>
    c.call('why', { id: shared.id }),
  ),
  http('read of the file', noFile, 'apollo', (c, { path }) => c.call('read', { target: path })),
  http(
    'read of the session',
    ['not-found', (_, { session }) => `There is no ${session} in the workspace.`],
    'apollo',
    (c, { session }) => c.call('read', { target: session }),
  ),
  http('files list', 'shown', 'apollo', (c) => c.call('files list')),
  http('files read', noFile, 'apollo', (c, { path }) => c.call('files read', { path })),
  http('episodes', 'shown', undefined, (c) => c.call('episodes')),
  http('episodes show', ['not-found', (_, { id }) => `No episode has the id ${id}.`], undefined, (c, { id }) =>
    c.call('episodes show', { id }),
  ),
  http('timeline', whole('timeline'), 'owner', (c) => c.call('timeline')),
  http('context', 'shown', 'apollo', (c) => c.call('context', { message })),
  http('context in the scope', unseen, 'apollo', (c) => c.call('context', { message, scope: SCOPE })),
  http('context list', 'shown', 'apollo', (c) => c.call('context list')),
  http('context show', whole('context show'), 'owner', (c) => c.call('context show', { receipt: 'last' })),
  http('session list', 'shown', undefined, (c) => c.call('session list')),
  http(
    'session show',
    ['not-found', (_, { session }) => `There is no session ${session}.`],
    'apollo',
    (c, { session }) => c.call('session show', { session }),
  ),
  http('graph list', 'shown', 'apollo', (c) => c.call('graph list')),
  http('graph show of something shared that the scope links to', 'shown', 'apollo', (c) =>
    c.call('graph show', { entity, all: true }),
  ),
  http('graph page', 'shown', 'apollo', (c) => c.call('graph page')),
  http('graph neighbours', 'shown', 'apollo', (c) => c.call('graph neighbours', { entity })),
  http('graph timeline', 'shown', undefined, (c) => c.call('graph timeline', { entity })),
  http('graph query', 'shown', 'apollo', (c) => c.call('graph query', { text: 'Corporation' })),
  http('graph infer', 'shown', undefined, (c) => c.call('graph infer')),
  http('log', 'shown', 'apollo', (c) => c.call('log', { full: true })),
  http('diff', 'shown', 'apollo', (c) => c.call('diff')),
  http('audit', 'shown', 'apollo', (c) => c.call('audit')),
  http('proposals list', 'shown', 'owner', (c) => c.call('proposals list')),
  http('agents review', 'shown', 'apollo', (c) => c.call('agents review')),
  http('archive list', 'shown', undefined, (c) => c.call('archive list')),
  http('status', 'shown', undefined, (c) => c.call('status')),
];

const noResource = (uri: (target: Target) => string): Expected => [
  '-32602',
  (_, target) => `Resource not found: ${uri(target)}`,
];
const fileUri = ({ path }: Target): string => `mneme://file/${path}`;
const sessionUri = ({ session }: Target): string => `mneme://session/${session}`;

const MCP: readonly Ask[] = [
  mcp('memory_search', 'shown', 'apollo', (a) => a.callTool({ name: 'memory_search', arguments: { query } })),
  mcp('memory_read', noFile, 'apollo', (a, { path }) => a.callTool({ name: 'memory_read', arguments: { path } })),
  mcp('memory_context', 'shown', 'apollo', (a) => a.callTool({ name: 'memory_context', arguments: { message } })),
  mcp('memory_graph', 'shown', 'apollo', (a) => a.callTool({ name: 'memory_graph', arguments: { name: entity } })),
  mcp('memory_history', 'shown', 'apollo', (a) => a.callTool({ name: 'memory_history', arguments: {} })),
  mcp('the list of resources', 'shown', 'apollo', (a) => a.listResources()),
  mcp('a file as a resource', noResource(fileUri), 'apollo', (a, t) => a.readResource({ uri: fileUri(t) })),
  mcp('a session as a resource', noResource(sessionUri), 'apollo', (a, t) => a.readResource({ uri: sessionUri(t) })),
  mcp(
    'a file beside the home as a resource',
    noResource(() => 'mneme://file/..%2F..%2Foutside.md'),
    undefined,
    (a) => a.readResource({ uri: 'mneme://file/..%2F..%2Foutside.md' }),
  ),
];

const ASKS: readonly Ask[] = [...HTTP, ...MCP];

function judge({ expected }: Ask, said: Said, says: string, target: Target): string | undefined {
  const shown = `${said.code}: ${said.text.slice(0, 300)}`;
  if (expected === 'shown') return said.code === 'shown' ? undefined : `was refused: ${shown}`;
  const [code, words] = expected;
  return said.code === code && said.text === words(says, target) ? undefined : `was answered with ${shown}`;
}

function outsiderCases(who: Outsider): RedTeamCase<ScopeWorld>[] {
  const { says, isCalled } = PEOPLE[who];
  return ASKS.map((one) =>
    attack<ScopeWorld>(`${says} by ${one.name} over ${one.over}`, async (world) => {
      const target = targetOf(world);
      const said = await one.ask(world, who, target);
      const held = judge(one, said, isCalled, target) ?? leaks(said.text, [target.path, target.session]);
      if (held !== undefined || one.expected === 'shown') return held;
      // That it is there must not show either: what is not there is refused in the same words.
      return judge(one, await one.ask(world, who, NOTHING), isCalled, NOTHING);
    }),
  );
}

/** Refusing everything would pass above: through the same doors, whoever is outside is told what is shared. */
const SHARED: readonly Pick<Ask, 'name' | 'over' | 'ask'>[] = [
  http('recall', 'shown', undefined, (c) => c.call('recall', { query: 'lighthouse harbour white' })),
  http('read', 'shown', undefined, (c, _, { shared }) => c.call('read', { target: shared.path })),
  http('files read', 'shown', undefined, (c, _, { shared }) => c.call('files read', { path: shared.path })),
  http('why', 'shown', undefined, (c, _, { shared }) => c.call('why', { id: shared.id })),
  http('episodes show', 'shown', undefined, (c, _, { shared }) => c.call('episodes show', { id: shared.id })),
  http('log', 'shown', undefined, (c) => c.call('log', { full: true })),
  mcp('memory_search', 'shown', undefined, (a) =>
    a.callTool({ name: 'memory_search', arguments: { query: 'lighthouse harbour white' } }),
  ),
  mcp('memory_read', 'shown', undefined, (a, { path }) => a.callTool({ name: 'memory_read', arguments: { path } })),
  mcp('a file as a resource', 'shown', undefined, (a, t) => a.readResource({ uri: fileUri(t) })),
];

function sharedCases(who: Outsider): RedTeamCase<ScopeWorld>[] {
  return SHARED.map(({ name, over, ask }) =>
    control<ScopeWorld>(`${PEOPLE[who].says} is told what is shared by ${name} over ${over}`, async (world) => {
      const { code, text } = await ask(world, who, { ...world.shared, session: world.session });
      return code === 'shown' && text.includes('lighthouse') ? undefined : `${code}: ${text.slice(0, 300)}`;
    }),
  );
}

/** Through the same door, with the same question: who may see it does. */
function insiderCases(): RedTeamCase<ScopeWorld>[] {
  return ASKS.flatMap((one) => {
    const { insider } = one;
    if (insider === undefined) return [];
    const says = insider === 'owner' ? 'the owner' : PEOPLE.apollo.says;
    return control<ScopeWorld>(`${says} is told it by ${one.name} over ${one.over}`, async (world) => {
      const { code, text } = await one.ask(world, insider, targetOf(world));
      return code === 'shown' && text.toLowerCase().includes(PRIVATE) ? undefined : `${code}: ${text.slice(0, 300)}`;
    });
  });
}

export const ASKING: readonly RedTeamCase<ScopeWorld>[] = [
  ...OUTSIDERS.flatMap(outsiderCases),
  ...OUTSIDERS.flatMap(sharedCases),
  ...insiderCases(),
];
