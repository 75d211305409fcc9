import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { openMneme, type Mneme } from '../../src/index.ts';
import type { ExtractInput, ExtractResult } from '../../src/operations/extract/extract.ts';

const INES = 'memory/graph/entities/person--ines.md';

let home: string;
let m: Mneme;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  // Learned from when the test says so.
  fs.appendFileSync(path.join(home, 'mneme.yaml'), 'extract:\n  trigger: manual\n');
  m = await openMneme({ home, actor: 'manual' });
});
afterEach(() => m.close());

async function converse(id: string, time: string, ...said: readonly string[]): Promise<void> {
  const session = await m.session.start({ id, user: 'Ines' });
  for (const text of said) await session.message('user', text, { time });
  await session.end();
}

const learn = (input: ExtractInput = {}): Promise<ExtractResult> => m.extract(input);
const textOf = (file: string): string => fs.readFileSync(path.join(home, 'workspace', file), 'utf8');

// SPEC LEARN-1
describe('turning conversations into knowledge', () => {
  it('keeps one current fact and the one it replaced, both dated', async () => {
    await converse('ses_a', '2026-01-10T10:00:00Z', 'By the way, I live in Munich.');
    await converse('ses_b', '2026-03-02T10:00:00Z', 'I moved to Berlin.');
    const { sessions } = await learn();
    expect(sessions.flatMap(({ items }) => items.map(({ action }) => action))).toEqual(['added', 'superseded']);
    const lines = textOf(INES)
      .split('\n')
      .filter((line) => line.startsWith('- ') && !line.includes('[['));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^- ~~.*Munich.*~~ \(until 2026-03-02\) .* 2026-01-10T10:00 .*ses_a#t1 \+\w{13} residence=Munich/u,
    );
    expect(lines[1]).toMatch(/^- .*Berlin.* 2026-03-02T10:00 .*ses_b#t1 -\w{13} residence=Berlin/u);
    const { hits } = await m.recall('where does Ines live?', { at: '2026-02-01' });
    expect(hits.map(({ text }) => text).join('\n')).toContain('Munich');
    expect(hits.map(({ text }) => text).join('\n')).not.toContain('Berlin');
  });

  it('never lets an older conversation replace what was said later', async () => {
    await converse('ses_b', '2026-03-02T10:00:00Z', 'I live in Berlin.');
    await learn();
    await converse('ses_a', '2026-01-10T10:00:00Z', 'I live in Munich.');
    await learn();
    expect(textOf(INES)).toMatch(/^- ~~.*Munich.*~~ \(until 2026-03-02\)/mu);
    expect(textOf(INES)).toMatch(/^- [^~]*Berlin/mu);
  });

  it('does not take another person’s words for the user’s', async () => {
    const session = await m.session.start({ id: 'ses_g', user: 'Ines' });
    await session.message('user', 'I live in Munich.');
    await session.message('user', 'I live in Lisbon.', { name: 'Bob' });
    await session.end();
    await learn();
    expect(textOf(INES)).toMatch(/^- [^~]*Munich/mu);
    expect(textOf(INES)).not.toContain('Lisbon');
    expect(textOf('MEMORY.md')).not.toContain('Lisbon');
  });

  it('asks a person when a web page contradicts the user', async () => {
    const { path: file, store } = await m.remember('I live in Munich.', { trust: 'user' });
    expect(store).toBe('semantic');
    const proposed = await m.remember('The user lives in Paris.', { trust: 'external' });
    expect(proposed).toMatchObject({ store: 'meta', path: expect.stringContaining('memory/meta/proposals/') });
    expect(textOf(file)).not.toContain('Paris');
    expect(textOf(proposed.path)).toContain('Paris');
    expect(await m.remember('I live in Berlin now.', { trust: 'user' })).toMatchObject({
      store: 'semantic',
      path: file,
    });
    expect(textOf(file)).toMatch(/^- ~~.*Munich.*~~ \(until/mu);
  });

  it('keeps apart what belongs to others', async () => {
    await m.remember('I live in Berlin.', { trust: 'user' });
    await m.remember('My sister Anna lives in Porto.', { trust: 'user' });
    await m.remember('I live in fear.', { trust: 'user' });
    const user = textOf('memory/graph/entities/person--user.md');
    expect(user).toMatch(/^- [^~]*Berlin/mu);
    expect(user).toMatch(/^- [^~]*fear/mu);
  });

  it('replaces the value of the thing that is spoken of, and of no other', async () => {
    await m.remember('The berth-board database listens on port 9229.', { trust: 'user' });
    await m.remember('postgres listens on port 5432.', { trust: 'user' });
    await m.remember('The berth-board database listens on port 9300 now.', { trust: 'user' });
    const user = textOf('memory/graph/entities/project--berth-board.md');
    expect(user).toMatch(/^- ~~.*9229.*~~ \(until/mu);
    expect(user).toMatch(/^- [^~]*9300/mu);
    expect(user).not.toContain('5432');
    expect((await m.graph.contradictions()).contradictions).toEqual([]);
  });

  it('swallows nothing of what it is asked to remember', async () => {
    await m.remember('Dana works at Nordwind.', { trust: 'user' });
    const { path: file } = await m.remember('Dana works at Nordwind and is allergic to latex.', { trust: 'user' });
    expect(textOf(file)).toContain('allergic to latex');
  });

  it('processes nothing twice', async () => {
    await converse('ses_a', '2026-01-10T10:00:00Z', 'I live in Munich.');
    await learn();
    const before = textOf(INES);
    expect((await learn()).sessions).toEqual([]);
    const { sessions } = await learn({ sessions: ['ses_a'], again: true });
    expect(sessions[0]?.items.map(({ action }) => action)).toEqual(['skipped']);
    expect(textOf(INES)).toBe(before);
  });

  it('writes nothing in a dry run', async () => {
    await converse('ses_a', '2026-01-10T10:00:00Z', 'I live in Munich.');
    const { sessions } = await learn({ dryRun: true });
    expect(sessions[0]?.items).toMatchObject([{ action: 'added', id: undefined, mutation: undefined }]);
    expect(fs.existsSync(path.join(home, 'workspace', INES))).toBe(false);
    expect((await learn()).sessions).toHaveLength(1);
  });

  it('says that there is no such session', async () => {
    await expect(learn({ sessions: ['ses_none'] })).rejects.toThrow('There is no session ses_none.');
  });
});
