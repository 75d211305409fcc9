import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openMneme } from '../../src/mneme.ts';
import { TestCli } from '../support/cli.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { answerHook } from '../support/hooks.ts';
import { readEverything } from '../support/read-everything.ts';

const WORD = 'zanzibarite';

let cli: TestCli;
let log: string;
let lines = 0;

beforeEach(async () => {
  cli = new TestCli();
  await cli.init();
  await cli.ok('config', 'set', 'hooks.timeout_ms', '20000');
  log = path.join(makeTemporaryFolder(), 'c0ffee00-0000-4000-8000-000000000001.jsonl');
});
afterEach(() => vi.unstubAllEnvs());

function say(type: 'user' | 'assistant', text: string): void {
  lines += 1;
  const content = type === 'user' ? text : [{ type: 'text', text }];
  const uuid = `00000000-0000-4000-8000-${String(lines).padStart(12, '0')}`;
  const timestamp = new Date(Date.UTC(2026, 2, 5, 10, lines)).toISOString();
  const line = { type, uuid, timestamp, cwd: '/code/lantern', message: { role: type, content } };
  fs.appendFileSync(log, `${JSON.stringify(line)}\n`);
}

const hook = (event: string, more: Record<string, unknown> = {}): Promise<{ out: string; err: string }> =>
  answerHook(cli.home, event, { transcript_path: log, ...more });

/** One exchange as Claude Code reports it. */
async function exchange(prompt: string): Promise<{ out: string; err: string }> {
  const answer = await hook('UserPromptSubmit', { prompt });
  say('user', prompt);
  say('assistant', 'I see.');
  await hook('Stop');
  return answer;
}

interface Summary {
  readonly session: string;
  readonly isPrivate: boolean;
  readonly topic: string | null;
  readonly turns: number;
}

const list = (): Promise<readonly Summary[]> => cli.json<readonly Summary[]>('session', 'list');

describe('a private session through hooks', () => {
  it('keeps nothing of what is said after the user asked for it', async () => {
    const { out, err } = await exchange('This session is private.');
    expect(out).toContain('nothing said in it is kept');
    expect(err).toContain('private');
    await exchange(`My doctor says I have ${WORD}, and I am allergic to it. Remember that I live in ${WORD}.`);
    await hook('PreCompact');
    const [summary] = await list();
    expect(summary).toMatchObject({ isPrivate: true, topic: null, turns: 0 });
    expect(await cli.ok('session', 'list')).toContain('private');
    expect(await cli.ok('status')).toContain(`${summary?.session}: nothing said there is kept`);
    await hook('SessionEnd');
    await cli.ok('extract');
    expect(readEverything(cli.home)).not.toContain(WORD);
    expect(await list()).toEqual([]);
  });

  it('still has memory injected, and leaves no receipt', async () => {
    const mneme = await openMneme({ home: cli.home, actor: 'human:user' });
    const earlier = await mneme.session.start({ user: 'Alex' });
    await earlier.message('user', 'My sister Vera lives in Graz.');
    await earlier.end();
    await mneme.extract({ sessions: [earlier.id] });
    await mneme.close();
    await exchange('off the record');
    const receipts = path.join(cli.home, 'journal', 'receipts');
    const { out } = await exchange('Where does Vera live?');
    expect(out).toContain('Graz');
    expect(fs.existsSync(receipts) ? fs.readdirSync(receipts, { recursive: true }) : []).toEqual([]);
  });

  it('drops and never learns what was said before it became private', async () => {
    await exchange(`My sister Vera lives in ${WORD}.`);
    expect(await list()).toMatchObject([{ isPrivate: false, turns: 2 }]);
    await exchange("Please don't remember this conversation.");
    await hook('SessionEnd');
    await cli.ok('extract');
    const { hits } = await cli.json<{ hits: readonly { readonly snippet: string }[] }>('recall', `Vera ${WORD}`);
    expect(JSON.stringify(hits)).not.toContain(WORD);
    expect(fs.readdirSync(path.join(cli.home, 'journal', 'live'))).toEqual([]);
  });

  it('is found in the log where no prompt hook ran, and no import brings it back', async () => {
    say('user', `This conversation is off the record. I have ${WORD}.`);
    say('assistant', 'I see.');
    await hook('Stop');
    expect(await list()).toMatchObject([{ isPrivate: true }]);
    await hook('SessionEnd');
    const imported = await cli.json<{ sessions: number }>('import', 'claude-code', path.dirname(log));
    expect(imported).toMatchObject({ sessions: 0 });
    expect(readEverything(cli.home)).not.toContain(WORD);
  });

  it('is every session where MNEME_PRIVATE is set, and agents write nothing there', async () => {
    vi.stubEnv('MNEME_PRIVATE', '1');
    const { out } = await hook('SessionStart', { source: 'startup' });
    expect(out).toContain('private');
    await exchange(`I have ${WORD}.`);
    const refused = await cli.run(['remember', `The user has ${WORD}.`, '--as', 'bot:claude']);
    expect(refused).toMatchObject({ code: expect.any(Number) as number });
    expect(refused.err).toContain('MNEME_PRIVATE');
    await hook('SessionEnd');
    expect(readEverything(cli.home)).not.toContain(WORD);
    vi.stubEnv('MNEME_PRIVATE', '');
    await exchange('Goodbye.');
    expect((await list()).map(({ turns }) => turns)).not.toContain(2);
  });

  it.each(['1', 'true', 'YES'])('leaves no question where MNEME_PRIVATE is %s, whoever asks', async (value) => {
    await cli.ok('remember', 'The office closes at six');
    vi.stubEnv('MNEME_PRIVATE', value);
    const prompt = `When does the office close? I have ${WORD}.`;
    expect(await answerHook(cli.home, 'UserPromptSubmit', { prompt })).toMatchObject({
      out: expect.stringContaining('at six') as string,
    });
    await cli.ok('context', prompt, '--as', 'bot:claude');
    await cli.ok('recall', prompt, '--as', 'bot:claude');
    expect(readEverything(cli.home)).not.toContain(WORD);
  });

  it('is not made private by words about privacy', async () => {
    await exchange('Is this session private?');
    expect(await list()).toMatchObject([{ isPrivate: false, turns: 2 }]);
  });
});

describe('a private session through CLI and library', () => {
  it('keeps no message, and says so', async () => {
    const id = (await cli.ok('session', 'start', '--private', '--topic', WORD)).trim();
    expect(await cli.ok('session', 'message', id, 'user', `I have ${WORD}.`)).toContain('private');
    expect(await cli.json('session', 'tool', id, 'search', WORD)).toMatchObject({ turn: null });
    expect(await list()).toMatchObject([{ session: id, isPrivate: true, topic: null }]);
    const refused = await cli.run(['remember', `The user has ${WORD}.`, '--session', id]);
    expect(refused.code).not.toBe(0);
    expect(await cli.json('session', 'end', id)).toMatchObject({ path: null });
    expect(readEverything(cli.home)).not.toContain(WORD);
  });

  it('keeps nothing of a window that is compacted', async () => {
    const id = (await cli.ok('session', 'start', '--private')).trim();
    const window = (...more: readonly string[]): string => {
      const texts = [`I have ${WORD}.`, ...more, ...Array.from({ length: 40 }, (_, at) => `And then came day ${at}.`)];
      const file = path.join(makeTemporaryFolder(), 'window.json');
      fs.writeFileSync(file, JSON.stringify(texts.map((content) => ({ role: 'user', content }))));
      return file;
    };
    const shorten = (file: string, ...more: readonly string[]): Promise<{ notes: readonly string[] }> =>
      cli.json<{ notes: readonly string[] }>('compact', file, '--tokens', '150', '--as', 'bot:claude', ...more);
    const notes = ['Nothing was saved first: the conversation is private.'];
    expect(await shorten(window(), '--session', id)).toMatchObject({ isNeeded: true, notes });
    expect(await shorten(window('This session is private.'))).toMatchObject({ isNeeded: true, notes });
    vi.stubEnv('MNEME_PRIVATE', '1');
    expect(await shorten(window())).toMatchObject({ isNeeded: true, notes });
    expect(readEverything(cli.home)).not.toContain(WORD);
  });

  it('is held in mind by no agent', async () => {
    const id = (await cli.ok('session', 'start', '--private')).trim();
    const agent = ['--as', 'bot:claude'];
    expect((await cli.run(['working', 'fact', WORD, '--session', id, ...agent])).err).toContain('private');
    expect((await cli.run(['working', 'note', 'name', WORD, '--session', id, ...agent])).err).toContain('private');
    vi.stubEnv('MNEME_PRIVATE', '1');
    expect((await cli.run(['working', 'task', WORD, ...agent])).err).toContain('MNEME_PRIVATE');
    expect(readEverything(cli.home)).not.toContain(WORD);
  });

  it('begins in the middle by the user’s message, and never by the agent’s', async () => {
    const mneme = await openMneme({ home: cli.home });
    const session = await mneme.session.start();
    await session.message('agent', 'This session is private.');
    expect(await session.message('user', 'Vera lives in Graz.')).toMatchObject({ turn: 't2' });
    expect(await session.message('user', 'This session is private.')).toMatchObject({ turn: null });
    expect(await session.message('user', `I have ${WORD}.`)).toMatchObject({ turn: null, triggers: [] });
    expect(await session.end()).toMatchObject({ path: null });
    expect((await mneme.session.start({ private: true })).isPrivate).toBe(true);
    await expect(mneme.saveContext({ session: session.id, working: { focus: { topic: WORD } } })).rejects.toMatchObject(
      {
        code: 'refused',
      },
    );
    await mneme.close();
    expect(readEverything(cli.home)).not.toContain(WORD);
  });
});
