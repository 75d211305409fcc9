import type { Client } from '@modelcontextprotocol/client';
import { MnemeClient } from '../../../../src/client/client.ts';
import type { ApiRole } from '../../../../src/interfaces/http/route.ts';
import { agentsPropose } from '../../../../src/operations/agents/propose.ts';
import { graphFact } from '../../../../src/operations/graph/fact.ts';
import { runOperation } from '../../../../src/operations/operation.ts';
import { systemRandom } from '../../../../src/platform/random.ts';
import { connectHttp } from '../../../support/mcp.ts';
import { contextAs, makeWorld, type World } from '../../world.ts';

export const SCOPE = 'project:apollo';
/** Stands in the scope and nowhere else. */
export const PRIVATE = 'zanzibar';
/** The same, for what is asked about by the first word. */
const BESIDE = 'cloves';

export type Outsider = 'spy' | 'eye' | 'zeus';
export type Who = Outsider | 'apollo';

export interface ScopeWorld extends World {
  readonly item: { readonly id: string; readonly path: string };
  readonly shared: { readonly id: string; readonly path: string };
  readonly session: string;
  readonly fact: string;
  readonly clients: Readonly<Record<Who, MnemeClient>>;
  readonly agents: Readonly<Record<Who, Client>>;
  readonly tokens: Readonly<Record<Who, string>>;
}

export const PEOPLE: Readonly<
  Record<Who, { readonly role: ApiRole; readonly scope?: string; readonly says: string; readonly isCalled: string }>
> = {
  spy: { role: 'proposer', says: 'a sub-agent', isCalled: 'subagent:spy' },
  eye: { role: 'reader', says: 'a reader', isCalled: 'reader:eye' },
  zeus: {
    role: 'main',
    scope: 'project:zeus',
    says: 'an agent of another scope',
    isCalled: 'Who is confined to project:zeus',
  },
  apollo: { role: 'main', scope: SCOPE, says: 'an agent of the scope', isCalled: 'Who is confined to project:apollo' },
};
export const OUTSIDERS: readonly Outsider[] = ['spy', 'eye', 'zeus'];

export async function makeScopeWorld(): Promise<ScopeWorld> {
  const world = await makeWorld();
  const { mneme, tokens: file, url } = world.server;
  const shared = await mneme.remember('The lighthouse of the harbour is white.', { store: 'episodic' });
  const item = await mneme.remember(`The word of Apollo is ${PRIVATE}.`, { scope: SCOPE, store: 'episodic' });
  await mneme.graph.add({ name: 'Harbour Company', type: 'organization' });
  await mneme.graph.add({ name: 'Pier', type: 'place' });
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

/** What outsiders call something of their own by, when they try every verb with it. */
const COMPANY = /zanzibar[ -]corporation/gu;

/** Private words in what somebody was told; what they named themselves is no news to them. */
export function leaks(answer: string, asked: readonly string[]): string | undefined {
  const own = asked.reduce((text, word) => text.replaceAll(word, ''), answer);
  const lower = own.toLowerCase().replaceAll(COMPANY, '');
  const isTold = [PRIVATE, BESIDE, 'project--apollo'].some((word) => lower.includes(word));
  return isTold
    ? own.slice(Math.max(0, lower.search(/zanzibar|cloves|project--apollo/u) - 100)).slice(0, 400)
    : undefined;
}
