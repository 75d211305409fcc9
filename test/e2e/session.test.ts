import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/home.ts';
import { TestCli } from '../support/cli.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { runOperation } from '../../src/operations/operation.ts';
import { listSessions, showSession } from '../../src/operations/session/list.ts';
import { closeIdleSessions } from '../../src/operations/session/open-sessions.ts';

describe('m.session', () => {
  let home: string;
  let m: Mneme;
  beforeEach(async () => {
    home = path.join(makeTemporaryFolder(), 'home');
    await new TestCli(home).init();
    m = await openMneme({ home });
  });
  afterEach(() => m.close());

  it('takes messages and tool calls, found by the next question and kept at the end', async () => {
    const session = await m.session.start({ user: 'Ines', channel: 'library' });
    expect(await session.message('user', 'The lighthouse key hangs behind the freezer.')).toEqual({
      session: session.id,
      turn: 't1',
      triggers: [],
    });
    await session.tool('weather', { place: 'Sagres' }, { degrees: 17 });
    await session.message('assistant', 'I will remember that.');
    const { hits } = await m.recall('where is the lighthouse key?');
    expect(hits[0]?.text).toContain('behind the freezer');
    expect(hits[0]?.provenance).toMatchObject({ session: session.id, turn: 't1' });
    const { path: file, turns } = await session.end();
    expect(turns).toBe(3);
    const text = fs.readFileSync(path.join(home, 'raw', file ?? ''), 'utf8');
    expect(text).toContain('> [tool:weather] {"place":"Sagres"} → {"degrees":17}');
    expect((await m.recall('where is the lighthouse key?')).hits[0]?.path).toBe(file);
    await expect(session.message('user', 'more')).rejects.toThrow('has ended');
  });

  it('keeps the dates that are given', async () => {
    const session = await m.session.start();
    await session.message('user', 'The oolong arrived.', { time: '2024-12-31T23:30:00Z', name: 'Mia' });
    await session.message('user', 'It was good.', { time: new Date('2025-01-02T08:00:00Z') });
    await expect(session.message('user', 'x', { time: 'the day before' })).rejects.toThrow('is no time');
    const { path: file } = await session.end();
    expect(file).toMatch(/^conversations\/2024\/12\/31\/2330-/u);
    const text = fs.readFileSync(path.join(home, 'raw', file ?? ''), 'utf8');
    expect(text).toMatch(/## 23:30 — user \(Mia\)[\s\S]*## 2025-01-02[\s\S]*## 08:00 — user/u);
  });

  it('refuses what is too long, in words, and goes on', async () => {
    const session = await m.session.start();
    await expect(session.message('user', 'a'.repeat(5 * 1024 * 1024))).rejects.toThrow('a message may have');
    await session.tool('cat', 'big.log', 'word '.repeat(2_000_000));
    expect(await session.message('user', 'short')).toMatchObject({ turn: 't2' });
    await expect(session.message('nobody', 'x')).rejects.toThrow('role');
  });

  it('runs many at once', async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => m.session.start()));
    await Promise.all(
      sessions.flatMap((one) => ['a', 'b', 'c'].map((text) => one.message('user', `${one.id} ${text}`))),
    );
    const listed = await runOperation(listSessions, m.internals, {});
    expect(listed.map(({ turns }) => turns)).toEqual(Array(8).fill(3));
    for (const one of sessions) expect((await one.end()).turns).toBe(3);
  });

  it('goes on with a session that was ended, and shows all of it', async () => {
    for (const text of ['first', 'second']) {
      const session = await m.session.start({ id: 'ferry' });
      await session.message('user', text);
      const open = await runOperation(showSession, m.internals, { session: 'ferry' });
      expect(open).toMatchObject({ isOpen: true });
      await session.end();
    }
    const shown = await runOperation(showSession, m.internals, { session: 'ferry' });
    expect(shown).toMatchObject({
      isOpen: false,
      text: expect.stringMatching(/first[\s\S]*first_turn: 2[\s\S]*second/u),
    });
    await expect(runOperation(showSession, m.internals, { session: 'nope' })).rejects.toThrow('There is no session');
  });

  it('ends what a crash left open when a long-running process opens the home', async () => {
    const session = await m.session.start({ id: 'left' });
    await session.message('user', 'nobody ended this');
    expect(await closeIdleSessions(m.internals)).toEqual([]);
    const old = (m.internals.clock.now() - 7 * 3_600_000) / 1000;
    for (const file of ['live/left.jsonl', 'sessions/left.json'])
      fs.utimesSync(path.join(home, 'journal', file), old, old);
    const daemon = await openMneme({ home, watch: true });
    await daemon.close();
    expect(await runOperation(listSessions, m.internals, {})).toEqual([]);
    expect(await runOperation(showSession, m.internals, { session: 'left' })).toMatchObject({ isOpen: false });
  });
});
