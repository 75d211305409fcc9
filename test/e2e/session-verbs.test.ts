import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { runOperation } from '../../src/operations/operation.ts';
import { inWords, MAX_MESSAGE_BYTES } from '../../src/operations/session/message.ts';
import { listSessions, showSession } from '../../src/operations/session/list.ts';

let home: string;
let m: Mneme;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  m = await openMneme({ home });
});
afterEach(() => m.close());

const raw = (file: string | null): string => fs.readFileSync(path.join(home, 'raw', file ?? ''), 'utf8');

describe('a session', () => {
  it('tells what it changed in the memory, in lines and above the transcript', async () => {
    const session = await m.session.start({ topic: 'The quay' });
    await session.message('user', 'The quay moves in May.');
    const change = { path: 'memory/facts.md', action: 'added', summary: 'the quay\nmoves', mutation: '01JABC' };
    expect(await session.knowledge([change, { path: 'b.md', action: 'superseded' }])).toMatchObject({ turn: 't2' });
    const text = raw((await session.end()).path);
    expect(text).toMatch(/^## \d\d:\d\d — agent \[memory\]$/mu);
    expect(text).toContain('> [knowledge:added] memory/facts.md — the quay moves\n> [knowledge:superseded] b.md\n');
    expect(text).toMatch(
      /^knowledge_changes:\n[\s\S]*path: memory\/facts\.md\n[\s\S]*mutation: 01JABC\n[\s\S]*superseded/mu,
    );
    await expect(session.knowledge([change])).rejects.toThrow('has ended');
  });

  it('keeps its tags in every part', async () => {
    const session = await m.session.start({ id: 'tagged', tags: ['moorings', 'spring  tide'] });
    await session.message('user', 'The buoy drifts.');
    expect(raw((await session.end()).path)).toMatch(/^tags:.*moorings.*spring tide/msu);
    const again = await m.session.start({ id: 'tagged' });
    await again.message('user', 'It is anchored now.');
    expect(raw((await again.end()).path)).toMatch(/^tags:.*moorings/msu);
  });

  it('lists what was remembered in it, in the part it belongs to and in its own scope only', async () => {
    const session = await m.session.start({ id: 'asked' });
    await session.message('user', 'Remember that the crane is serviced in May.');
    await m.remember('The pilot boat has a new engine.', { session: 'asked' });
    await m.remember('The diver is ill.', { session: 'asked', scope: 'user:kim' });
    const first = raw((await session.reset()).path);
    expect(first).toMatch(/^knowledge_changes:\n[\s\S]*crane is serviced[\s\S]*pilot boat/mu);
    expect(first).not.toContain('diver');
    await session.message('user', 'Good night.');
    expect(raw((await session.end()).path)).not.toContain('knowledge_changes');
  });

  it('keeps attached files once, by their content, and refers to them', async () => {
    const session = await m.session.start();
    const bytes = Buffer.from([0, 1, 2, 255]);
    const { path: kept, turn } = await session.attach('quay plan.PNG', bytes, { note: 'seen from above' });
    expect({ kept, turn }).toEqual({
      kept: expect.stringMatching(/^attachments\/[0-9a-f]{32}\.png$/u) as string,
      turn: 't1',
    });
    expect((await session.attach('copy.png', bytes)).path).toBe(kept);
    expect(fs.readFileSync(path.join(home, 'raw', kept ?? ''))).toEqual(bytes);
    const text = raw((await session.end()).path);
    expect(text).toContain(`> [attachment:${kept}] quay plan.PNG: seen from above`);
    expect(await m.check()).toMatchObject({ findings: [] });
  });

  it('takes secrets out of an attached text, and keeps nothing of a private conversation', async () => {
    const session = await m.session.start();
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const { path: kept } = await session.attach('notes.txt', Buffer.from(`token ${secret}\n`));
    expect(raw(kept)).not.toContain(secret);
    const hidden = await m.session.start({ private: true });
    expect(await hidden.attach('plan.png', Buffer.from([1, 2]))).toMatchObject({ turn: null, path: null });
    expect(fs.readdirSync(path.join(home, 'raw', 'attachments'))).toHaveLength(1);
  });

  it('is shown with all of its parts, whether it is open or not', async () => {
    const first = await m.session.start({ id: 'ses_long', user: 'Ines' });
    await first.message('user', 'one');
    await first.end();
    const second = await m.session.start({ id: 'ses_long' });
    expect(second).toMatchObject({ part: 2, isResumed: true });
    await second.message('user', 'two');
    const shown = await runOperation(showSession, m.internals, { session: 'ses_long' });
    expect(shown).toMatchObject({
      isOpen: true,
      turns: [
        { id: 't1', name: 'Ines', parts: [{ text: 'one' }] },
        { id: 't2', name: 'Ines', parts: [{ text: 'two' }] },
      ],
    });
    expect(await runOperation(listSessions, m.internals, {})).toMatchObject([{ session: 'ses_long', turns: 2 }]);
    await second.end();
    const ended = await runOperation(showSession, m.internals, { session: 'ses_long' });
    expect(ended).toMatchObject({ isOpen: false, text: expect.stringMatching(/one[\s\S]*two/u) as string });
  });

  it('begins with a briefing and goes on after a reset', async () => {
    await m.remember('The quay of the harbour moves in May.', { store: 'episodic' });
    const session = await m.session.start({ project: 'harbour' });
    expect((await session.bootstrap()).prompt).toContain('The quay of the harbour');
    const ask = { session: session.id, event: 'prompt' } as const;
    expect((await m.context('When does the quay of the harbour move?', ask)).prompt).toBe('');
    await session.message('user', 'one');
    expect(raw((await session.reset()).path)).toContain('one');
    expect((await m.context('When does the quay of the harbour move?', ask)).prompt).toContain('in May');
    expect(await session.message('user', 'two')).toMatchObject({ turn: 't2' });
    expect(raw((await session.end()).path)).toMatch(/^part: 2\nfirst_turn: 2$/mu);
  });

  it('exports a buffer for work in the background', async () => {
    const session = await m.session.start();
    await session.message('user', 'The quay moves in May.');
    expect(await session.buffer()).toMatchObject({ from: 1, to: 1, text: expect.stringContaining('in May') as string });
    expect(await session.processed(1)).toEqual({ processed: 1 });
    expect(await session.buffer()).toBeNull();
  });

  it('refuses what is blank or too long in words, and loses nothing by it', async () => {
    const session = await m.session.start();
    await expect(session.message('user', ' \n\t ')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('text is blank') as string,
    });
    const huge = 'x'.repeat(MAX_MESSAGE_BYTES + 1);
    await expect(session.message('user', huge)).rejects.toThrow(`a message may have ${MAX_MESSAGE_BYTES}`);
    expect(await session.message('user', 'still here')).toMatchObject({ turn: 't1' });
  });

  it('refuses a second session of one id when asked to', async () => {
    await m.session.start({ id: 'one', mustBeNew: true });
    await expect(m.session.start({ id: 'one', mustBeNew: true })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is closed by the next who opens the home when a crash left it', async () => {
    const session = await m.session.start({ id: 'crashed' });
    await session.message('user', 'last words');
    const past = Date.now() / 1000 - 7 * 3600;
    for (const name of ['live/crashed.jsonl', 'sessions/crashed.json']) {
      fs.utimesSync(path.join(home, 'journal', name), past, past);
    }
    const other = await openMneme({ home });
    await other.close();
    const shown = await runOperation(showSession, m.internals, { session: 'crashed' });
    expect(shown).toMatchObject({ isOpen: false, text: expect.stringContaining('last words') as string });
  });
});

function circle(): unknown {
  const value: Record<string, unknown> = { a: 1 };
  value['self'] = value;
  return value;
}

describe('tool calls', () => {
  it.each([
    ['a circle', circle(), '{"a":1,"self":"[circular]"}'],
    ['the same twice', ((twice) => [twice, twice])({ b: 2 }), '[{"b":2},{"b":2}]'],
    [
      'what JSON has no word for',
      { big: 7n, run: function go() {}, map: new Map([[1, new Set([2])]]) },
      '{"big":"7n","run":"[function go]","map":[[1,[2]]]}',
    ],
    ['an error', { cause: new TypeError('no') }, '{"cause":"TypeError: no"}'],
    ['bytes', Buffer.from('abc'), expect.stringContaining('97') as string],
    ['nothing', undefined, ''],
  ])('are told whatever they hold: %s', (_what, value, told) => {
    expect(inWords(value)).toEqual(told);
  });

  it('never fail because of what they hold', async () => {
    const hostile = {
      get trap(): never {
        throw new Error('mine');
      },
    };
    expect(inWords(hostile)).toBe('[cannot be shown: mine]');
    let deep: unknown = 'end';
    for (let level = 0; level < 5000; level += 1) deep = [deep];
    expect(inWords(deep)).toContain('…');
    const session = await m.session.start();
    expect(await session.tool('look', circle(), circle())).toMatchObject({ turn: 't1' });
  });
});

describe('a home that was closed', () => {
  it('can be closed again, and says so to whoever goes on', async () => {
    const session = await m.session.start();
    await Promise.all([m.close(), m.close()]);
    await m.close();
    const closed = { code: 'usage', message: expect.stringContaining('was closed') as string };
    await expect(m.recall('anything')).rejects.toMatchObject(closed);
    await expect(m.remember('anything', { store: 'episodic' })).rejects.toMatchObject(closed);
    await expect(m.session.start()).rejects.toMatchObject(closed);
    await expect(session.message('user', 'hello')).rejects.toMatchObject(closed);
  });
});
