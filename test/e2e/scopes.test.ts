import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { isMnemeError } from '../../src/model/errors.ts';
import { agentsPropose } from '../../src/operations/agents/propose.ts';
import { agentsReview } from '../../src/operations/agents/review.ts';
import { agentsTrust } from '../../src/operations/agents/standing.ts';
import { queryAudit } from '../../src/operations/audit.ts';
import { briefing } from '../../src/operations/briefing.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import { edit } from '../../src/operations/edit.ts';
import { graphExport } from '../../src/operations/graph/export.ts';
import { graphList } from '../../src/operations/graph/list.ts';
import { diff } from '../../src/operations/history/diff.ts';
import { log } from '../../src/operations/history/log.ts';
import { when } from '../../src/operations/history/when.ts';
import { runOperation, type Operation } from '../../src/operations/operation.ts';
import { read } from '../../src/operations/read.ts';
import { remember } from '../../src/operations/remember.ts';
import { recall } from '../../src/operations/search/recall.ts';
import { similar } from '../../src/operations/search/similar.ts';
import { listSessions, showSession } from '../../src/operations/session/list.ts';
import { status } from '../../src/operations/status.ts';
import { why } from '../../src/operations/why.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

const SECRET = 'zanzibar';
let main: Mneme;
let home: string;
let privateItem: { readonly id: string; readonly path: string };
let privateSession: string;

beforeAll(async () => {
  home = path.join(makeTemporaryFolder(), 'home');
  await initTestHome(home);
  main = await openMneme({ home });
  await main.remember('The lighthouse of the harbour is white.');
  privateItem = await main.remember(`The launch password word of Apollo is ${SECRET}.`, { scope: 'project:apollo' });
  await main.graph.add({ name: `${SECRET} Corporation`, type: 'organization', scope: 'project:apollo' });
  const session = await main.session.start({ scope: 'project:apollo' });
  await session.message('user', `Remember that the ${SECRET} island belongs to us.`);
  await session.message('user', `We decided that the ${SECRET} harbour opens in May.`);
  privateSession = session.id;
  await session.end();
  await runAs('subagent:spy', agentsPropose, { text: 'The tide is high at noon.' });
  const insider = { ...main.internals, actor: 'subagent:insider', confinedTo: 'project:apollo' as const };
  await runOperation(agentsPropose, insider, { text: `The ${SECRET} budget is 40 euros.` });
  await main.extract({ sessions: [privateSession] });
  await main.internals.workspace.drain();
}, 120_000);

afterAll(() => main.close());

function contextAs(actor: string, confinedTo?: OperationContext['confinedTo']): OperationContext {
  return { ...main.internals, actor, confinedTo };
}

function runAs<Input extends Parameters<typeof runOperation>[0]['input'], Output>(
  actor: string,
  operation: Operation<Input, Output>,
  input: Parameters<typeof runOperation<Input, Output>>[2],
): Promise<Output> {
  return runOperation(operation, contextAs(actor), input);
}

const OUTSIDERS: readonly [string, () => OperationContext][] = [
  ['a sub-agent', () => contextAs('subagent:spy')],
  ['a reader', () => contextAs('reader:spy')],
  ['a client confined to another scope', () => contextAs('bot:main', 'project:zeus')],
];

/** What an outsider gets to see, or the words it is refused with. */
async function seen(run: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await run());
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

// SPEC SCOPE-3, SCOPE-4
describe.each(OUTSIDERS)('%s', (_who, contextOf) => {
  const attempts: readonly [string, (context: OperationContext) => Promise<unknown>][] = [
    ['recall', (context) => runOperation(recall, context, { query: SECRET })],
    ['recall in the scope', (context) => runOperation(recall, context, { query: SECRET, scope: 'project:apollo' })],
    ['context', (context) => runOperation(briefing, context, { message: `${SECRET}?`, budget: 2000 })],
    ['context in the scope', (context) => runOperation(briefing, context, { message: 'x', scope: 'project:apollo' })],
    ['context at a start', (context) => runOperation(briefing, context, { event: 'session-start', budget: 3000 })],
    ['similar', (context) => runOperation(similar, context, { id: privateItem.id })],
    ['why', (context) => runOperation(why, context, { id: privateItem.id })],
    ['the last receipt', (context) => runOperation(why, context, {})],
    ['read of the file', (context) => runOperation(read, context, { target: privateItem.path })],
    ['read of the item', (context) => runOperation(read, context, { target: privateItem.id })],
    ['read of the session', (context) => runOperation(read, context, { target: privateSession })],
    ['read of a turn', (context) => runOperation(read, context, { target: `${privateSession}#t1` })],
    ['session show', (context) => runOperation(showSession, context, { session: privateSession })],
    ['session list', (context) => runOperation(listSessions, context, {})],
    ['graph list', (context) => runOperation(graphList, context, {})],
    ['graph export', (context) => runOperation(graphExport, context, {})],
    ['graph export of the scope', (context) => runOperation(graphExport, context, { scope: 'project:apollo' })],
    ['audit', (context) => runOperation(queryAudit, context, {})],
    ['log', (context) => runOperation(log, context, { full: true, limit: 100 })],
    ['diff', (context) => runOperation(diff, context, {})],
    ['when', (context) => runOperation(when, context, { text: SECRET })],
    ['status', (context) => runOperation(status, context, {})],
    ['agents review', (context) => runOperation(agentsReview, context, {})],
  ];

  it.each(attempts)('learns nothing private by %s', async (_name, attempt) => {
    const text = (await seen(() => attempt(contextOf())))
      .replaceAll(`said \\"${SECRET}\\"`, '')
      .replaceAll(`"${SECRET}"`, '');
    // The question itself may come back; nothing that stands in the scope does.
    expect(text.replaceAll(`${SECRET}?`, '')).not.toMatch(
      new RegExp(`${SECRET} (?:island|harbour|budget|Corp)|is ${SECRET}`, 'iu'),
    );
    expect(text.replaceAll(`There is no ${privateItem.path}`, '')).not.toContain('scopes/project--apollo');
  });

  it('still finds what is shared', async () => {
    const { hits } = await runOperation(recall, contextOf(), { query: 'lighthouse harbour white' });
    expect(hits[0]?.text).toContain('lighthouse');
  });
});

describe('who works in the scope', () => {
  const inside = (): OperationContext => contextAs('bot:main', 'project:apollo');

  it('finds what is private there, and what is shared', async () => {
    const hits = (await runOperation(recall, inside(), { query: `${SECRET} password word` })).hits;
    expect(hits.some(({ text }) => text.includes(SECRET))).toBe(true);
    expect((await runOperation(recall, inside(), { query: 'lighthouse white' })).hits[0]?.text).toContain('white');
    expect((await runOperation(read, inside(), { target: privateItem.path })).text).toContain(SECRET);
    expect((await runOperation(agentsReview, inside(), {})).markdown).toContain(`${SECRET} budget`);
  });

  it('writes there and nowhere else', async () => {
    const kept = await runOperation(remember, inside(), { text: 'The crane is ours.' });
    expect(kept.path).toContain('memory/scopes/project--apollo/');
    const shared = { text: 'The crane is everybody’s.', scope: 'shared' };
    await expect(runOperation(remember, inside(), shared)).rejects.toThrow(/not into what is shared/u);
    await expect(runOperation(edit, inside(), { path: 'memory/reference/a.md', content: 'x\n' })).rejects.toThrow(
      /does not change/u,
    );
  });
});

describe('what is derived', () => {
  it('of a private conversation stays in its scope', () => {
    const workspace = path.join(home, 'workspace');
    const files = fs
      .readdirSync(workspace, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'));
    const telling = files.filter((file) =>
      fs.readFileSync(path.join(workspace, file), 'utf8').toLowerCase().includes(SECRET),
    );
    expect(telling.length).toBeGreaterThan(1);
    expect(telling.filter((file) => !file.startsWith(path.join('memory', 'scopes', 'project--apollo')))).toEqual([]);
  });

  it('leaves no private words in history and audit log', async () => {
    const words = main.internals.audit
      .query({ limit: 1000 })
      .map(({ summary, trigger }) => `${summary} ${trigger ?? ''}`);
    expect(words.join('\n')).toContain('something of project:apollo');
    expect(words.join('\n')).not.toContain(SECRET);
    const git = main.internals.workspace.git.workspace;
    // A file's name is part of the first line; what was written is not.
    expect((await git.text(['log', '--format=%B'])).replaceAll(/organization--\S+/gu, '')).not.toContain(SECRET);
  });
});

it('lets an agent into a scope only by a person', async () => {
  await expect(runAs('bot:main', agentsTrust, { name: 'spy' })).rejects.toThrow(/only a person/u);
  await expect(runAs('subagent:spy', agentsTrust, { name: 'spy' })).rejects.toThrow(/only a person/u);
  const config = { ...main.internals.config };
  const admitted = { ...config, agents: { ...config.agents, scopes: { spy: ['project:apollo' as const] } } };
  const context = { ...contextAs('subagent:spy'), config: admitted };
  const { hits } = await runOperation(recall, context, { query: `${SECRET} password word`, scope: 'project:apollo' });
  expect(hits.some(({ text }) => text.includes(SECRET))).toBe(true);
});
