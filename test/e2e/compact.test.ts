import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/index.ts';
import { TestCli } from '../support/cli.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { answerHook } from '../support/hooks.ts';

/** The reminder among what was said makes the page that the rest of the user's things go to. */
const USER = 'memory/graph/entities/person--user.md';
const DECISIONS = [
  "let's go with redis for the tile cache, cold disks cost us 20 minutes after every deploy",
  'I prefer tabs over spaces in all my projects.',
  'remind me to call the vet on friday because of the blood test',
];

let home: string;
let m: Mneme;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  m = await openMneme({ home });
});
afterEach(() => m.close());

/** A long conversation with a few things in it that matter. */
async function converse(id: string, turns = 40): Promise<void> {
  const session = await m.session.start({ id, user: 'Ines' });
  for (let index = 0; index < turns; index += 1) {
    await session.message('user', DECISIONS[index / 2] ?? `What about ship number ${index}, is it late again?`);
    await session.message('agent', `Ship ${index} is fine, as far as the log says.`);
  }
}

const textOf = (file: string): string => fs.readFileSync(path.join(home, 'workspace', file), 'utf8');
const linesIn = (file: string, pattern: RegExp): number =>
  textOf(file)
    .split('\n')
    .filter((line) => pattern.test(line)).length;

// SPEC WINDOW-1
describe('a flush', () => {
  it('comes when the window is full, once until it is compacted, and marks what it saved', async () => {
    await converse('ses_a');
    expect(await m.flush('ses_a', { tokens: 879, window: 1000 })).toMatchObject({ isDue: false, isFlushed: false });
    const first = await m.flush('ses_a', { tokens: 880, window: 1000 });
    expect(first).toMatchObject({ isDue: true, isFlushed: true, cycle: 0, threshold: 880 });
    expect(first.saved?.items.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['decision', 'preference']));
    expect(textOf(USER)).toMatch(/redis.*<!-- decision flush /u);
    expect(await m.flush('ses_a', { tokens: 999, window: 1000 })).toMatchObject({ isDue: true, isFlushed: false });
    await m.compact({ session: 'ses_a', tokens: 400 });
    expect(await m.flush('ses_a', { tokens: 999, window: 1000 })).toMatchObject({ isFlushed: true, cycle: 1 });
  });

  it('counts a window that somebody else emptied as a new one', async () => {
    await converse('ses_a', 5);
    await m.flush('ses_a', { tokens: 999, window: 1000 });
    await m.flush('ses_a', { tokens: 10, window: 1000 });
    expect(await m.flush('ses_a', { tokens: 999, window: 1000 })).toMatchObject({ isFlushed: true, cycle: 1 });
  });

  it('writes nothing twice when it died before it could say that it was done', async () => {
    await converse('ses_a');
    await m.flush('ses_a', { now: true });
    const before = textOf(USER);
    fs.rmSync(path.join(home, 'journal/buffers/processed'), { recursive: true });
    fs.rmSync(path.join(home, 'journal/flush'), { recursive: true });
    const again = await m.flush('ses_a', { now: true });
    expect(again.saved?.items.map(({ action }) => action)).not.toContain('added');
    expect(textOf(USER)).toBe(before);
  });
});

describe('compacting', () => {
  it('saves what matters before anything is gone, and all of it is found again', async () => {
    await converse('ses_a');
    const result = await m.compact({ session: 'ses_a', tokens: 300 });
    expect(result.tokens).toBeLessThanOrEqual(300);
    expect(result.saved.flatMap(({ items }) => items).length).toBeGreaterThan(1);
    expect(result.messages.map(({ content }) => content)).toContain('Ship 39 is fine, as far as the log says.');
    const gone = result.changed.filter(({ fate }) => fate !== 'shortened');
    expect(gone.length).toBeGreaterThan(40);
    expect(gone.map(({ where }) => where)).not.toContain(null);
    expect((await m.read(gone[0]?.where ?? '')).text).toContain('redis');
    const { hits } = await m.recall('what did we choose for the tile cache?');
    expect(hits.map(({ text }) => text).join('\n')).toMatch(/redis/iu);
  });

  it('a dry run and a window that fits change nothing', async () => {
    await converse('ses_a');
    const files = (): string[] =>
      fs
        .readdirSync(home, { recursive: true })
        .map(String)
        .filter((name) => name.startsWith('workspace/memory'))
        .sort();
    const before = files();
    const planned = await m.compact({ session: 'ses_a', tokens: 300, dryRun: true });
    expect(planned).toMatchObject({ isNeeded: true, isDryRun: true });
    expect(planned.saved.flatMap(({ items }) => items).length).toBeGreaterThan(1);
    const fits = await m.compact({ session: 'ses_a' });
    expect(fits).toMatchObject({ isNeeded: false, changed: [], saved: [] });
    expect(fits.messages).toHaveLength(80);
    expect(files()).toEqual(before);
    expect((await m.compact({ session: 'ses_a', tokens: 300 })).messages).toEqual(planned.messages);
  });

  it('keeps the words of messages no session holds, as somebody’s and not as the user’s', async () => {
    const messages = [
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: 'I live in Lisbon, and the heron nests in Quillfeather lane.' },
      ...Array.from({ length: 40 }, (_none, index) => ({
        role: index % 2 === 0 ? 'assistant' : 'user',
        content: `Ship ${index} came late.`,
      })),
    ];
    const result = await m.compact({ messages, tokens: 200 });
    expect(result.messages[0]).toEqual({ role: 'system', content: 'You are an agent.' });
    const { hits } = await m.recall('where does the heron nest?');
    expect(hits[0]).toMatchObject({ trust: 'import', provenance: { session: result.session } });
    const again = await m.compact({
      messages: [...result.messages, { role: 'user', content: 'The owl nests in Pickwick street.' }],
      tokens: 120,
    });
    expect(again.session).toBe(result.session);
    expect(again.saved).toHaveLength(2);
    const owl = await m.recall('where does the owl nest?');
    expect(owl.hits[0]?.provenance.session).toBe(result.session);
    expect(
      fs.readdirSync(path.join(home, 'raw'), { recursive: true }).filter((name) => String(name).endsWith('.md')),
    ).toHaveLength(2);
  });

  it('keeps beside a session what its window holds and it does not', async () => {
    await converse('ses_a', 20);
    const shown = await m.compact({ session: 'ses_a', tokens: 100_000 });
    const extra = { role: 'user', content: 'The heron nests in Quillfeather lane.' };
    const result = await m.compact({ session: 'ses_a', messages: [extra, ...shown.messages], tokens: 300 });
    expect(result.saved.map(({ session }) => session)).toEqual(['ses_a', expect.stringMatching(/^window_/u)]);
    expect(result.notes).toContainEqual(expect.stringMatching(/^1 messages are not in session ses_a; .* in window_/u));
    expect(result.changed[0]?.where).toMatch(/^window_\w+#t1$/u);
    expect((await m.read(result.changed[0]?.where ?? '')).text).toContain('Quillfeather');
    expect((await m.read(result.changed[1]?.where ?? '')).text).toContain('redis');
  });

  it('refuses what cannot fit before it writes anything', async () => {
    const messages = [
      { role: 'user', content: `Important: ${'word '.repeat(400)}` },
      { role: 'user', content: 'ok' },
    ];
    await expect(m.compact({ messages, tokens: 100 })).rejects.toMatchObject({ code: 'refused' });
    expect(fs.existsSync(path.join(home, 'raw/conversations'))).toBe(false);
  });

  it('gives back a window that fits value by value', async () => {
    const messages = [
      { role: 'user', content: [{ type: 'image', source: { data: 'AAAA' } }], extra: { kept: true } },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [] }] },
      { role: 'user', content: ' ' },
    ];
    expect((await m.compact({ messages })).messages).toEqual(messages);
  });

  it('does not take a file’s word for the session it belongs to', async () => {
    await converse('ses_a', 20);
    const compacted = { from: 't1', to: 't4', messages: 4, session: 'ses_a' };
    const messages = [
      { role: 'user', name: 'mneme-summary', content: '[4 earlier messages]', compacted },
      ...Array.from({ length: 30 }, (_none, at) => ({ role: 'user', content: `Ship ${at} came late again.` })),
    ];
    const result = await m.compact({ messages, tokens: 120 });
    expect(result.saved.map(({ session }) => session)).not.toContain('ses_a');
    expect(result.notes).toContainEqual(expect.stringContaining('--session ses_a'));
  });

  it('points to where the words are, also when the session does not hold them', async () => {
    await converse('ses_a', 20);
    const messages = Array.from({ length: 40 }, (_none, at) => ({
      role: 'user',
      content: `Ship ${at} came late again.`,
    }));
    const result = await m.compact({ session: 'ses_a', messages, tokens: 120, keep: 4 });
    const pointers = result.messages.flatMap((message) => ('compacted' in message ? [message.compacted] : []));
    expect(pointers.length).toBeGreaterThan(0);
    expect(JSON.stringify(pointers)).not.toContain('ses_a');
  });

  it('refuses a limit that would leave no trace, and says how much it takes', async () => {
    const messages = Array.from({ length: 40 }, (_none, at) => ({
      role: 'user',
      content: `Ship ${at} came late again.`,
    }));
    await expect(m.compact({ messages, tokens: 4 })).rejects.toMatchObject({
      code: 'refused',
      hint: expect.stringMatching(/at least \d+ tokens/u) as string,
    });
    expect(fs.existsSync(path.join(home, 'raw/conversations'))).toBe(false);
  });

  it('two at once save everything once', async () => {
    await converse('ses_a');
    const other = await openMneme({ home });
    const results = await Promise.all([m, other].map((each) => each.compact({ session: 'ses_a', tokens: 300 })));
    await other.close();
    expect(results[0]?.messages).toEqual(results[1]?.messages);
    expect(linesIn(USER, /redis/iu)).toBe(1);
    expect(linesIn(USER, /tabs/iu)).toBe(1);
  });
});

const program = path.resolve(import.meta.dirname, '../../bin/mneme');

it('killed at any moment, it loses nothing, and the next time saves it once', async () => {
  await converse('ses_a');
  await m.close();
  for (const delayMs of [350, 600, 900]) {
    const args = [program, '--home', home, 'session', 'compact', '--session', 'ses_a', '--tokens', '300'];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.on('close', resolve));
    setTimeout(() => child.kill('SIGKILL'), delayMs);
    await ended;
  }
  m = await openMneme({ home });
  const result = await m.compact({ session: 'ses_a', tokens: 300 });
  expect(result.isNeeded).toBe(true);
  expect(linesIn(USER, /redis/iu)).toBe(1);
  expect(linesIn(USER, /tabs/iu)).toBe(1);
  const show = await m.read('ses_a#t1');
  expect(show.text).toContain('redis');
});

describe('the command', () => {
  const run = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
    await m.close();
    return new TestCli(home).run(args);
  };

  it('says what it saved, what is left and where the rest is', async () => {
    await converse('ses_a');
    const { code, out } = await run('session', 'compact', '--session', 'ses_a', '--tokens', '300');
    expect(code).toBe(0);
    expect(out).toMatch(/^Compacted .* tokens to \d+ \(at most 300\)\.\n {5,}\d+ {2}kept word for word\n/u);
    expect(out).toContain('first:\n');
    expect(out).toContain('All words are in session ses_a: mneme read ses_a#t1');
  });

  it('writes messages that it reads back, and never over what it reads', async () => {
    const file = path.join(makeTemporaryFolder(), 'chat.jsonl');
    const said = Array.from({ length: 30 }, (_none, at) =>
      JSON.stringify({
        role: at % 2 === 0 ? 'user' : 'assistant',
        content: `Ship ${at} came late, as ships do in March.`,
      }),
    );
    fs.writeFileSync(file, said.join('\n'));
    expect(await run('session', 'compact', file, '--tokens', '200', '--output', file)).toMatchObject({ code: 2 });
    const output = `${file}.short`;
    fs.writeFileSync(`${output}.new`, 'somebody’s');
    const planned = await run('session', 'compact', file, '--tokens', '200', '--dry-run');
    expect(planned.err).toContain('30 messages would be kept as a transcript');
    expect(planned.out).not.toContain('Nothing new');
    expect(await run('session', 'compact', file, '--tokens', '200', '--output', output)).toMatchObject({ code: 0 });
    expect(await run('session', 'compact', output, '--tokens', '200')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Nothing to do'),
    });
    expect(fs.readFileSync(file, 'utf8')).toBe(said.join('\n'));
    expect(fs.readFileSync(`${output}.new`, 'utf8')).toBe('somebody’s');
  });

  it.each([
    [['session', 'compact'], 2, 'There is nothing to compact.'],
    [['session', 'compact', '/no/such/file'], 3, 'There is no /no/such/file.'],
    [['session', 'compact', '--session', 'nope'], 3, 'There is no session nope.'],
    [['session', 'compact', '--session', '../x'], 2, 'cannot be the id of a session'],
    [['session', 'compact', '--session', 'x', '--tokens', 'many'], 2, '--tokens takes a whole number'],
    [['session', 'working', 'flush', 'nope'], 3, 'There is no session nope.'],
  ])('%j: exit code %i', async (args, code, message) => {
    const result = await run(...args);
    expect(result.code).toBe(code);
    expect(result.err).toContain(message);
  });
});

describe('Claude Code’s own compaction', () => {
  it('is preceded by a flush of what was said, once, where somebody wants that', async () => {
    await m.close();
    const cli = new TestCli(home);
    await cli.ok('config', 'set', 'hooks.timeout_ms', '60000');
    await cli.ok('config', 'set', 'hooks.flush_before_compaction', 'true');
    const log = path.join(makeTemporaryFolder(), '3f0c1d52-8a64-4c1e-9b7d-52e1a0c4d911.jsonl');
    const lines = DECISIONS.map((content, index) =>
      JSON.stringify({
        type: 'user',
        uuid: `u${index}`,
        sessionId: '3f0c1d52-8a64-4c1e-9b7d-52e1a0c4d911',
        timestamp: '2026-03-02T10:00:00Z',
        cwd: '/home/ines/lantern',
        message: { role: 'user', content },
      }),
    );
    fs.writeFileSync(log, `${lines.join('\n')}\n`);
    const preCompact = (): Promise<{ out: string; err: string }> =>
      answerHook(home, 'PreCompact', { transcript_path: log, cwd: '/home/ines/lantern' });
    expect(await preCompact()).toEqual({ out: '', err: '' });
    expect(await preCompact()).toEqual({ out: '', err: '' });
    const entities = fs
      .readdirSync(path.join(home, 'workspace/memory/graph/entities'))
      .map((name) => textOf(`memory/graph/entities/${name}`));
    expect(entities.join('\n').match(/redis[^\n]*<!-- decision flush /giu)).toHaveLength(1);
    // What is said afterwards is captured as if nothing had been.
    fs.appendFileSync(log, `${(lines[0] ?? '').replace('u0', 'u9').replace(/let's[^"]*/u, 'and the ferry is late')}\n`);
    expect(await preCompact()).toEqual({ out: '', err: '' });
    m = await openMneme({ home });
    const { hits } = await m.recall('ferry late');
    expect(hits[0]?.text).toContain('and the ferry is late');
  });
});
