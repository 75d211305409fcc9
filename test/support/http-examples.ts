import type { InputOf, RouteName } from '../../src/interfaces/http/routes/routes.ts';
import type { TestServer } from './http-server.ts';

export interface ExampleCall {
  readonly name: RouteName;
  /** Worked out when its turn comes: later calls use what earlier ones made. */
  readonly input: () => Promise<Record<string, unknown>>;
  /** What is expected; 200 when not given. */
  readonly status?: number;
}

const SESSION = 'ses_http';

/** A day with the API, in which every operation has its turn. */
export function exampleCalls(server: TestServer): ExampleCall[] {
  const client = server.client('owner');
  const calls: ExampleCall[] = [];
  const call = <Name extends RouteName>(
    name: Name,
    input: InputOf<Name> | (() => Promise<InputOf<Name>>) = {} as InputOf<Name>,
    status = 200,
  ): void => {
    const given = async (): Promise<Record<string, unknown>> =>
      (typeof input === 'function' ? await (input as () => Promise<InputOf<Name>>)() : input) as Record<
        string,
        unknown
      >;
    calls.push({ name, input: given, status });
  };
  const firstHit = async (): Promise<string> => (await client.call('recall', { query: 'kettle' })).hits[0]?.id ?? '';
  addMemory(call, firstHit, client);
  addConversations(call);
  addKnowledge(call, client);
  addReview(call, client);
  addTrust(call, server.client('proposer'));
  addUpkeep(call, client);
  return calls;
}

type Call = <Name extends RouteName>(
  name: Name,
  input?: InputOf<Name> | (() => Promise<InputOf<Name>>),
  status?: number,
) => void;
type Client = ReturnType<TestServer['client']>;

function addMemory(call: Call, firstHit: () => Promise<string>, client: Client): void {
  call('remember', { text: 'The kettle in the kitchen is broken.', tags: ['kitchen'], store: 'episodic' });
  call('remember', { text: 'The kettle was bought in Lyon.', store: 'semantic' });
  call('recall', { query: 'kettle', explain: true });
  call('similar', async () => ({ id: await firstHit() }));
  call('why', async () => ({ id: await firstHit() }));
  call('pin', async () => ({ target: await firstHit() }));
  call('feedback', async () => ({ id: await firstHit(), verdict: 'not-helpful', prompt: 'where is the key' }));
  call('feedback list', {});
  call('ignore add', { subject: 'my divorce' });
  call('ignore list', {});
  call('ignore remove', { subject: 'my divorce' });
  call('append', { path: 'memory/reference/router.md', text: 'The router is in the hall.' });
  call('edit', { path: 'memory/reference/router.md', replace: 'hall', with: 'cellar' });
  call('read', { target: 'memory/reference/router.md' });
  call('read', { target: '../../../etc/passwd' }, 403);
  call('files list');
  call('files read', { path: 'memory/reference/router.md' });
  call('files preview', { text: '# A text' });
  call('files save', async () => {
    const { path, text, hash } = await client.call('files read', { path: 'memory/reference/router.md' });
    return { path, text: `${text}\nIt is blue.\n`, baseHash: hash };
  });
  call('files save', { path: 'memory/reference/router.md', text: 'x', baseHash: 'old', base: '' }, 409);
  call('files save', { path: 'memory/reference/new.md', text: '# New\n', baseHash: null });
  call('core add', { text: 'Drinks tea in the morning.', block: 'Persona' });
  call('core show');
  call('core edit', async () => {
    const { blocks } = await client.call('core show');
    const id = blocks.flatMap(({ bullets }) => bullets).find((bullet) => bullet.id !== null)?.id ?? '';
    return { id, text: 'Drinks green tea in the morning.' };
  });
  call('episodes');
  call('episodes show', async () => ({ id: (await client.call('episodes')).episodes[0]?.id ?? '' }));
  call('timeline');
  call('context', { message: 'What about the kettle?' });
  call('context', { message: 'And the router?' });
  call('context list');
  call('context show', { receipt: 'last', recompile: true });
  call('context diff', { before: 'last~1', after: 'last' });
  call('compact', { messages: [{ role: 'user', content: 'Hello' }], tokens: 100, flush: false });
  call('forget', { text: 'kettle' });
  call('forget strategy', { strategy: 'age' });
  call('forget confirm', async () => {
    const { code } = await client.call('forget', { text: 'the kettle was bought in Lyon', limit: 1 });
    return { code: code ?? 'none' };
  });
  call('archive list');
  call('archive search', { query: 'kettle' });
  call('archive restore', async () => {
    const { entries } = await client.call('archive list');
    return { ids: [entries[0]?.path ?? ''] };
  });
  call('archive pack', { dryRun: true });
  call('decay status');
  call('decay next');
  call('decay explain', async () => ({ id: await firstHit() }));
  call('decay run', { dryRun: true });
}

function addConversations(call: Call): void {
  call('session start', { id: SESSION, channel: 'test' });
  call('session message', { session: SESSION, role: 'user', text: 'My sister Ada lives in Lyon. Remember that.' });
  call('session tool', { session: SESSION, name: 'search', args: { q: 'Ada' }, result: 'nothing' });
  call('session list');
  call('session show', { session: SESSION });
  call('session buffer', { session: SESSION });
  call('session processed', { session: SESSION, turn: 1 });
  call('session attach', { session: SESSION, name: 'quay.bin', content: 'AAEC' });
  call('session knowledge', { session: SESSION, changes: [{ path: 'MEMORY.md', action: 'updated' }] });
  call('session transcript', { session: SESSION, around: 't1' });
  call('working flush', { session: SESSION, now: true });
  call('topics new', { name: 'Deployments', keywords: ['deploy'], instructions: 'Check the tag.' });
  call('topics list', { session: SESSION });
  call('topics show', { name: 'Deployments' });
  call('topics test', { message: 'Please deploy the service.' });
  call('topics activate', { name: 'Deployments', session: SESSION });
  call('topics deactivate', { name: 'Deployments', session: SESSION });
  call('topics event', { kind: 'webhook', session: SESSION, source: 'email', event: 'new' });
  call('topics tune', { dryRun: true });
  call('topics log');
  call('session reset', { session: SESSION });
  call('session message', { session: SESSION, role: 'user', text: 'Good night.' });
  call('session end', { session: SESSION });
  call('session history');
  call('extract', { sessions: [SESSION], dryRun: true });
  call('working', { change: { kind: 'note', key: 'port', text: '8443' } });
  call('working show');
  call('working list');
  call('working save', { working: { scratchpad: { port: '9000' } } });
  call('working clear');
}

function addKnowledge(call: Call, client: Client): void {
  call('graph add', { name: 'Grace Hopper', type: 'person' });
  call('graph add', { name: 'Atlas', type: 'project' });
  call('graph set', { entity: 'Atlas', status: 'active' });
  call('graph fact', { entity: 'Grace Hopper', text: 'Likes ships.' });
  call('graph task', { entity: 'Atlas', text: 'Write the report.' });
  call('graph decision', { entity: 'Atlas', text: 'Use SQLite.' });
  call('graph alias', { entity: 'Grace Hopper', alias: 'Grace' });
  call('graph link', { from: 'Grace Hopper', relation: 'works-on', to: 'Atlas', loose: true });
  call('graph show', { entity: 'Grace' });
  call('graph list');
  call('graph page', { limit: 10 });
  call('graph neighbours', { entity: 'Grace' });
  call('graph path', { from: 'Grace', to: 'Atlas' });
  call('graph timeline', { entity: 'Grace' });
  call('graph query', { text: 'Grace' });
  call('graph infer');
  call('graph infer keep', { keep: true });
  call('graph contradictions');
  call('graph duplicates');
  call('graph duplicates propose');
  call('graph export', { format: 'json-ld' });
  call('graph verify', async () => {
    const { facts } = await client.call('graph show', { entity: 'Grace' });
    return { id: facts[0]?.id ?? '' };
  });
  call('graph index');
  call('graph rename', { entity: 'Atlas', name: 'Atlas Two' });
  call('graph unlink', { from: 'Grace', to: 'Atlas Two' });
  call('graph merge', { from: 'Atlas Two', into: 'Grace' });
  call('graph split', { entity: 'Grace', name: 'Grace Kelly', items: [] }, 400);
  call('files save', { path: 'memory/procedures/tea.md', text: PROCEDURE, baseHash: null });
  call('procedure list');
  call('procedure show', { name: 'tea' });
  call('procedure match', { message: 'Please make tea.' });
  call('procedure run', { name: 'tea', byHand: true });
  const lastRun = async (): Promise<string> => (await client.call('procedure runs')).runs[0]?.run ?? '';
  call('procedure runs');
  call('procedure resume', async () => ({ run: await lastRun(), answer: 'no' as const }));
  call('procedure pause', { run: 'none' }, 404);
  call('procedure cancel', { run: 'none' }, 404);
  call('procedure run due');
  call('pause', { for: '2h' });
  call('resume');
  call('procedure stats');
  call('procedure refine', { dryRun: true } as InputOf<'procedure refine'>);
  call('procedure learn', { dryRun: true } as InputOf<'procedure learn'>);
  call('patterns');
}

const PROCEDURE = `---
title: tea
---

# tea

## Steps

1. Boil water.
2. Pour it.
`;

function addReview(call: Call, client: Client): void {
  const waiting = async (title: string): Promise<string> => {
    const { proposals } = await client.call('proposals list');
    return proposals.find((proposal) => proposal.title === title)?.id ?? '';
  };
  for (const title of ['one', 'two', 'three', 'four']) {
    call('proposals add', { path: `memory/reference/${title}.md`, after: `# ${title}\n`, title });
  }
  call('proposals list', { state: 'all' });
  call('proposals show', async () => ({ id: await waiting('one') }));
  call('proposals defer', async () => ({ id: await waiting('two') }));
  call('proposals rebase', async () => ({ id: await waiting('one') }));
  call('proposals withdraw', async () => ({ id: await waiting('three'), why: 'not needed' }));
  call('approve', async () => {
    const id = await waiting('four');
    const { text } = await client.call('proposals show', { id });
    return { ids: [id], edited: text.replace('+# four', '+# four, changed') };
  });
  call('approve', { ids: ['a', 'b'], edited: 'x' }, 400);
  call('reject', async () => ({ ids: [await waiting('one')], why: 'no' }));
  call('reflect', { dryRun: true });
  call('consolidate', { dryRun: true });
  call('audit', { limit: 5 });
  call('audit alerts');
  call('proposals count');
  call('audit ack');
  call('audit rebuild');
  call('audit prune', { isDryRun: true });
  call('log', { limit: 3, full: true });
  call('rollback', async () => {
    const { entries } = await client.call('log', { path: 'memory/reference/new.md', limit: 1 });
    return { target: entries[0]?.mutations[0] ?? '', isDryRun: true };
  });
  call('blame', { path: 'memory/reference/router.md' });
  call('when', { text: 'router' });
  call('diff', { from: 'yesterday', to: 'now' });
  call('tag', { name: 'milestone/http', message: 'A test' });
  call('tag list');
  call('tag delete', { name: 'milestone/http' });
  call('explore start', { name: 'what-if' });
  call('explore list');
  call('explore merge', {});
  call('explore drop', { name: 'nothing' }, 404);
  call('explore prune', {});
  call('sync', {} as InputOf<'sync'>, 400);
}

function addTrust(call: Call, proposer: Client): void {
  let number = 0;
  const waiting = async (): Promise<string> => {
    number += 1;
    return (await proposer.call('agents propose', { text: `The boiler in house ${number} is new.` })).id;
  };
  call('agents propose', { text: 'The boiler is loud.' });
  call('agents list');
  call('agents instructions', { name: 'scout' });
  call('agents review');
  call('agents commit', { ids: [] }, 400);
  call('agents override', async () => ({ id: await waiting(), content: 'The boiler is very new.' }));
  call('agents reject', async () => ({ ids: [await waiting()], why: 'no' }));
  call('agents defer', async () => ({ ids: [await waiting()] }));
  call('agents trust', { name: 'scout' });
  call('agents scope', { name: 'scout', to: 'project:atlas' });
  call('chain add', { text: 'The boiler was bought.' });
  call('chain stats');
  call('chain show');
  call('chain verify');
  call('chain prove', { seq: 9999 }, 404);
  call('reconstruct list');
  call('reconstruct start', { name: 'v2', dryRun: true });
  call('reconstruct compare', { name: 'none' }, 404);
  call('reconstruct merge', { name: 'none' }, 404);
  call('reconstruct drop', { name: 'none' }, 404);
}

function addUpkeep(call: Call, client: Client): void {
  call('status');
  call('doctor');
  call('check');
  call('check repair');
  call('growth', { days: 3 });
  call('maintain');
  call('index status');
  call('index verify');
  call('index sync');
  call('index rebuild');
  call('jobs list');
  call('jobs run', { job: 'tags' });
  call('jobs history');
  call('costs');
  call('reasoner status');
  call('reasoner try', { text: 'My sister lives in Lyon.' });
  call('backup create');
  call('backup list');
  call('backup verify', async () => ({ file: (await client.call('backup list'))[0]?.file }));
  call('config get', { key: 'server' });
  call('config set', { key: 'server.timeout_ms', value: '100000' });
  call('config unset', { key: 'server.timeout_ms' });
  call('import', { from: 'no such program' } as never, 400);
  call('erase', { texts: ['The router is in the cellar.'] });
}
