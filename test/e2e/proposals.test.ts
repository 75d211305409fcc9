import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MnemeClient } from '../../src/client/client.ts';
import type { Scope } from '../../src/model/provenance.ts';
import { agentsPropose } from '../../src/operations/agents/propose.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import { runOperation } from '../../src/operations/operation.ts';
import { listProposals, showProposal } from '../../src/operations/proposals/show.ts';
import { systemRandom } from '../../src/platform/random.ts';
import type { Proposal } from '../../src/proposals/proposal.ts';
import { TestCli } from '../support/cli.ts';
import { serveTestHome, type TestServer } from '../support/http-server.ts';

const APOLLO = 'project:apollo';
const BUDGET = 'The budget of Apollo is 40 euros.';

let server: TestServer;
let id: string;

beforeAll(async () => {
  server = await serveTestHome();
  const insider = contextAs('subagent:insider', APOLLO);
  ({ id } = await runOperation(agentsPropose, insider, { text: BUDGET }));
  await runOperation(agentsPropose, contextAs('subagent:spy'), { text: 'The tide is high at noon.' });
}, 60_000);
afterAll(() => server.close());

function contextAs(actor: string, confinedTo?: Scope): OperationContext {
  return { ...server.mneme.internals, actor, confinedTo };
}

async function confinedClient(name: string, role: 'owner' | 'main', scope: Scope): Promise<MnemeClient> {
  const token = await server.tokens.add({ name, role, scope }, systemRandom, '');
  return new MnemeClient({ baseUrl: server.url, token });
}

describe('a proposal of a private scope', () => {
  it('opens for its owner over HTTP, at the command line and in the library', async () => {
    const shown = await server.client('owner').call('proposals show', { id });
    expect(shown.text).toContain(BUDGET);
    expect(shown.proposal.scope).toBe(APOLLO);
    const cli = new TestCli(server.home);
    expect(await cli.ok('proposals', 'show', id)).toContain(BUDGET);
    const listed = await cli.json<Proposal[]>('proposals');
    expect(listed.map((proposal) => proposal.id)).toContain(id);
    expect((await runOperation(showProposal, contextAs('manual'), { id: id.slice(0, 20) })).text).toContain(BUDGET);
  });

  it.each(['owner', 'main'] as const)('opens for a confined %s of its scope and no other', async (role) => {
    const inside = await confinedClient(`in-${role}`, role, APOLLO);
    expect((await inside.call('proposals show', { id })).text).toContain(BUDGET);
    expect((await inside.call('proposals list', {})).proposals.map((proposal) => proposal.id)).toEqual([id]);
    const outside = await confinedClient(`out-${role}`, role, 'project:zeus');
    await expect(outside.call('proposals show', { id })).rejects.toMatchObject({ status: 404 });
    expect((await outside.call('proposals list', {})).proposals).toEqual([]);
  });

  it('stays closed to readers and to other sub-agents', async () => {
    await expect(server.client('reader').call('proposals show', { id })).rejects.toMatchObject({ status: 404 });
    const cli = new TestCli(server.home);
    for (const actor of ['reader:eye', 'subagent:spy']) {
      expect((await cli.run(['proposals', 'show', id, '--as', actor])).code).toBe(3);
      await expect(runOperation(showProposal, contextAs(actor), { id })).rejects.toMatchObject({ code: 'not-found' });
    }
    const { proposals } = await runOperation(listProposals, contextAs('subagent:spy'), {});
    expect(proposals.map(({ actor }) => actor)).toEqual(['subagent:spy']);
  });

  it('is decided on by a confined main agent of its scope', async () => {
    const inside = await confinedClient('decider', 'main', APOLLO);
    const outside = await confinedClient('stranger', 'main', 'project:zeus');
    await expect(outside.call('approve', { ids: [id] })).rejects.toMatchObject({ status: 404 });
    const [approved] = await inside.call('approve', { ids: [id] });
    expect(approved).toMatchObject({ id, state: 'applied' });
  });
});

describe('a proposal for a file', () => {
  it('may be filed by a sub-agent for a new file, whichever way it asks', async () => {
    const given = { path: 'memory/reference/gulls.md', after: '# Gulls\n', title: 'Gulls' };
    expect(await server.client('proposer').call('proposals add', given)).toMatchObject({ outcome: 'filed' });
  });

  it('is refused where a confined client does not write', async () => {
    const inside = await confinedClient('adder', 'main', APOLLO);
    const given = { path: 'memory/reference/all.md', after: '# All\n', title: 'For all' };
    await expect(inside.call('proposals add', given)).rejects.toMatchObject({ status: 403 });
    const own = { ...given, path: 'memory/scopes/project--apollo/memory/reference/own.md' };
    expect(await inside.call('proposals add', own)).toMatchObject({ outcome: 'filed' });
    const outside = await confinedClient('peeker', 'main', 'project:zeus');
    await expect(outside.call('proposals add', own)).rejects.toMatchObject({ status: 403 });
  });

  it('is not counted as more trusted than whoever files it', async () => {
    const given = { path: 'memory/reference/tide.md', after: '# Tide\n', title: 'Tide', trust: 'user' } as const;
    const { proposal } = await server.client('proposer').call('proposals add', given);
    expect(proposal.trust).toBe('agent');
  });
});

describe('a sub-agent’s proposal that something contradicts', () => {
  it('needs a choice, whichever verb approves it', async () => {
    const cli = new TestCli();
    await cli.init();
    const propose = (text: string, who: string): Promise<{ id: string }> =>
      cli.json<{ id: string }>('agents', 'propose', text, '--as', `subagent:${who}`);
    const one = await propose('The ferry leaves at 9:15', 'researcher');
    const other = await propose('The ferry leaves at 9:45', 'coder');
    const free = await propose('The cranes are painted blue.', 'coder');
    const { code, err } = await cli.run(['approve', one.id]);
    expect(code).toBe(4);
    expect(err).toContain('--instead');
    const out = await cli.ok('approve', '--all');
    expect(out).toContain(`Approved ${free.id}`);
    expect(out).toContain(`Proposal ${one.id} was left`);
    expect(out).toContain(`Proposal ${other.id} was left`);
    expect((await cli.run(['approve', '--all'])).code).toBe(4);
    expect(await cli.ok('approve', one.id, '--instead')).toContain(`Proposal ${other.id}, which says otherwise, was`);
    expect(await cli.json('proposals')).toEqual([]);
  });
});
