import { beforeEach, describe, expect, it } from 'vitest';
import { openMneme } from '../../src/mneme.ts';
import { syncIndex } from '../../src/operations/search/index-operations.ts';
import { TestCli } from '../support/cli.ts';
import { writeWorkspaceFile } from '../support/home.ts';
import { answerHook } from '../support/hooks.ts';

let cli: TestCli;
let sessions = 0;

const SAID = [
  'My sister Vera lives in Graz.',
  'I am allergic to penicillin.',
  'We never deploy on Fridays.',
  'The staging server is called Heron.',
  'I adopted a greyhound called Biscuit. My sister Vera takes heart pills every morning.',
  'I play the cello in an amateur orchestra on Wednesdays.',
];

beforeEach(async () => {
  cli = new TestCli();
  await cli.init();
  await cli.ok('config', 'set', 'hooks.timeout_ms', '20000');
  const mneme = await openMneme({ home: cli.home, actor: 'human:user' });
  const session = await mneme.session.start({ user: 'Alex' });
  for (const text of SAID) {
    await session.message('user', text);
    await session.message('agent', 'Noted.');
  }
  await session.end();
  await mneme.extract({ sessions: [session.id] });
  await syncIndex(mneme.internals);
  await mneme.close();
});

/** Each prompt in a conversation of its own: nothing was injected there before. */
async function inject(event: string, input: Record<string, unknown>): Promise<string> {
  sessions += 1;
  const log = `/nowhere/0d5b6a9e-0000-4000-8000-${String(sessions).padStart(12, '0')}.jsonl`;
  const { out } = await answerHook(cli.home, event, { cwd: '/nowhere/user', transcript_path: log, ...input });
  return out;
}
const ask = (prompt: string): Promise<string> => inject('UserPromptSubmit', { prompt });
const start = (): Promise<string> => inject('SessionStart', { source: 'startup' });

interface Hit {
  readonly id: string;
  readonly path: string;
  readonly snippet: string;
  readonly type: string;
}

async function idOf(words: string): Promise<string> {
  const { hits } = await cli.json<{ hits: readonly Hit[] }>('recall', words);
  const id = hits.find(({ path }) => path.startsWith('memory/') && !path.startsWith('memory/journal/'))?.id;
  if (id === undefined) throw new Error(`Nothing is known about ${words}.`);
  return id;
}

describe('feedback', () => {
  it('"wrong" keeps a memory, and the turn that said it, out of every prompt until it is undone', async () => {
    expect(await ask('Where does Vera live?')).toContain('Graz');
    expect(await start()).toContain('Graz');
    const { mutation } = await cli.json<{ mutation: string }>('feedback', await idOf('Vera lives in Graz'), 'wrong');
    expect(await ask('Where does Vera live?')).not.toContain('Graz');
    expect(await start()).not.toContain('Graz');
    expect(await cli.ok('recall', 'Vera Graz')).toMatch(/superseded|no longer|until \d{4}/u);
    expect(await cli.ok('audit')).toContain('feedback: wrong');
    await cli.ok('rollback', mutation);
    expect(await ask('Where does Vera live?')).toContain('Graz');
    expect(await start()).toContain('Graz');
  });

  it('"not-helpful" keeps a memory out of prompts like the last one, and in others', async () => {
    const prompt = 'Can we deploy the new release this Friday?';
    expect(await ask(prompt)).toContain('never deploy');
    const id = await idOf('never deploy on Fridays');
    const { words, mutation } = await cli.json<{ words: string; mutation: string }>('feedback', id, 'not-helpful');
    expect(words).toContain('deploy');
    expect(await ask('Can we deploy the release on Friday?')).not.toContain('never deploy');
    const { hits } = await cli.json<{ hits: readonly Hit[] }>('recall', 'never deploy on Fridays');
    expect(hits.map((hit) => hit.id)).toContain(id);
    expect(await start()).toContain('never deploy');
    await cli.ok('rollback', mutation);
    expect(await ask('Can we deploy the new release this Friday?')).toContain('never deploy');
  });

  it('"wrong" ends the edge of the graph that the same words stated, and its undo brings it back', async () => {
    const lives = async (): Promise<string> =>
      JSON.stringify(await cli.json('graph', 'query', '--from', 'Vera', '--relation', 'lives-in'));
    expect(await lives()).toContain('Graz');
    const { mutation } = await cli.json<{ mutation: string }>('feedback', await idOf('Vera lives in Graz'), 'wrong');
    expect(await lives()).not.toContain('Graz');
    expect(JSON.stringify(await cli.json('graph', 'show', 'Vera'))).toContain('sibling-of');
    await cli.ok('rollback', mutation);
    expect(await lives()).toContain('Graz');
  });

  it('"wrong" of one statement leaves the others of its turn alone', async () => {
    await cli.ok('feedback', await idOf('Vera takes heart pills'), 'wrong');
    const told = await start();
    expect(told).not.toContain('heart pills');
    expect(told).toContain('greyhound');
  });

  it('"always" puts a memory into every session start, and pins it', async () => {
    const id = 'lampblinks001';
    writeWorkspaceFile(cli.home, 'memory/reference/router.md', `# Router\n\n- The lamp blinks orange. ^${id}\n`);
    await cli.ok('index', 'sync');
    expect(await start()).not.toContain('blinks orange');
    const { mutation } = await cli.json<{ mutation: string }>('feedback', id, 'always');
    expect(await start()).toContain('blinks orange');
    expect(await cli.ok('read', 'memory/reference/router.md')).toContain('pinned');
    await cli.ok('rollback', mutation);
    expect(await start()).not.toContain('blinks orange');
    expect(await cli.ok('read', 'memory/reference/router.md')).not.toContain('pinned');
    await cli.ok('feedback', id, 'always');
    await start();
    expect(await cli.json('feedback')).toMatchObject({ feedback: [{ id, verdict: 'always' }] });
    expect(await lastItem(id)).toMatchObject({ included: true });
    await cli.ok('feedback', id, 'clear');
    expect(await cli.json('feedback')).toMatchObject({ feedback: [] });
  });

  it('by an agent is a proposal', async () => {
    const id = await idOf('Vera lives in Graz');
    const out = await cli.ok('feedback', id, 'wrong', '--as', 'bot:claude');
    expect(out).toContain('proposal');
    expect(await ask('Where does Vera live?')).toContain('Graz');
    const { proposals } = await cli.json<{ proposals: readonly { id: string }[] }>('status');
    await cli.ok('approve', proposals[0]?.id ?? '');
    expect(await ask('Where does Vera live?')).not.toContain('Graz');
  });

  it('names what it does not know', async () => {
    const unknown = await cli.run(['feedback', '0000000000000', 'wrong']);
    expect(unknown.err).toContain('Nothing remembered has the id');
    expect((await cli.run(['feedback', await idOf('Vera lives in Graz'), 'great'])).err).toContain('not-helpful');
  });
});

async function lastItem(id: string): Promise<{ readonly included: boolean; readonly reason: string }> {
  const { told } = await cli.json<{
    told: { receipt: { items: readonly { id: string; included: boolean; reason: string }[] } };
  }>('why', '--scope', 'project:user');
  const item = told.receipt.items.find((one) => one.id === id);
  if (item === undefined) throw new Error(`The last prompt did not look at ${id}.`);
  return item;
}
