import { attack, control, type RedTeamCase } from '../../table.ts';
import { PEOPLE, type ScopeWorld } from './world.ts';

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
  [
    'a token as a cookie',
    ({ tokens, server }) => ({ cookie: `mneme_session_${new URL(server.url).port}=${tokens.apollo}` }),
  ],
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

export const ACCESS: readonly RedTeamCase<ScopeWorld>[] = [
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
