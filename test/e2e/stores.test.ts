import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/index.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

let home: string;
let m: Mneme;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  m = await openMneme({ home, actor: 'manual' });
});
afterEach(() => m.close());

const textOf = (file: string): string => fs.readFileSync(path.join(home, 'workspace', file), 'utf8');

describe('core memory', () => {
  it('shows its lines with ids and how full each block is', async () => {
    const { id } = await m.core.add('Allergic to penicillin', { pinned: true });
    const { blocks, tokens, maxTokens } = await m.core.show();
    const facts = blocks.find(({ name }) => name === 'Critical Facts');
    expect(facts?.bullets).toEqual([
      { id, text: 'Allergic to penicillin', pinned: true, trust: 'user', source: 'user-explicit' },
    ]);
    expect(facts?.tokens).toBeGreaterThan(0);
    expect(tokens).toBeLessThan(maxTokens);
  });

  it('is reworded, unpinned and cleared by id, and every step can be taken back', async () => {
    const { id } = await m.core.add('Works on Mneme', { block: 'Active Context' });
    await m.core.edit(id, 'Works on Mneme, the memory');
    expect(textOf('MEMORY.md')).toContain('- Works on Mneme, the memory');
    await m.core.pin(id);
    expect(textOf('MEMORY.md')).toMatch(new RegExp(`Works on Mneme, the memory <!-- .*pinned --> \\^${id}`, 'u'));
    await m.core.pin(id, { off: true });
    const { mutation } = await m.core.remove(id);
    expect(textOf('MEMORY.md')).not.toContain('Works on Mneme');
    await m.rollback({ target: mutation ?? '' });
    expect(textOf('MEMORY.md')).toContain('Works on Mneme, the memory');
  });

  it('makes room for a machine, keeps what is pinned and says where the rest went', async () => {
    await m.close();
    m = await openMneme({ home, actor: 'bot:test' });
    const long = (number: number): string => `Fact ${number}: ${'something worth knowing '.repeat(12)}`;
    const pinned = await m.core.add('Never forget this', { pinned: true });
    let moved = 0;
    for (let number = 0; number < 20; number += 1) moved += (await m.core.add(long(number))).moved.length;
    const { blocks, share } = await m.core.show();
    const facts = blocks.find(({ name }) => name === 'Critical Facts');
    expect(facts?.tokens).toBeLessThanOrEqual(facts?.maxTokens ?? 0);
    expect(share).toBeLessThanOrEqual(1);
    expect(moved).toBeGreaterThan(0);
    expect(facts?.bullets.some(({ id }) => id === pinned.id)).toBe(true);
    await expect(m.core.edit(pinned.id, 'changed by a machine')).rejects.toMatchObject({ code: 'refused' });
  });

  it('says so when a line is not there', async () => {
    await expect(m.core.remove('nothing')).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('episodes', () => {
  it('are listed newest first and narrowed by type, tag and day', async () => {
    await m.remember('The migration failed twice', { store: 'episodic', type: 'error', tags: ['deploy'] });
    await m.remember('Lunch with Priya', { store: 'episodic', type: 'event', tags: ['people'] });
    const { episodes } = await m.episodes();
    expect(episodes.map(({ text }) => text)).toEqual(['Lunch with Priya', 'The migration failed twice']);
    expect((await m.episodes({ type: 'error' })).episodes).toHaveLength(1);
    expect((await m.episodes({ tag: 'people' })).episodes).toHaveLength(1);
    expect((await m.episodes({ until: '2000-01-01' })).episodes).toEqual([]);
  });

  it('answer a question by likeness, importance and recency', async () => {
    await m.remember('The migration failed twice', { store: 'episodic', importance: 0.2 });
    await m.remember('The migration failed and lost a table', { store: 'episodic', importance: 1 });
    const { episodes } = await m.episodes({ query: 'migration failed' });
    expect(episodes[0]?.text).toContain('lost a table');
    expect(episodes[0]?.score).toBeGreaterThan(episodes[1]?.score ?? 0);
  });
});

describe('pinning', () => {
  it('marks an entry, a line or a file, and is undone by --off', async () => {
    const { id, path: day } = await m.remember('Deployed the tile service', { store: 'episodic' });
    const before = textOf(day);
    expect(await m.pin({ target: id })).toMatchObject({ path: day, pinned: true });
    expect(textOf(day)).toMatch(/<!-- .*pinned -->/u);
    expect(await m.pin({ target: id })).toMatchObject({ mutation: null });
    await m.pin({ target: id, off: true });
    expect(textOf(day)).toBe(before);
  });

  it('leaves the vault alone', async () => {
    const { path: note } = await m.remember('The codeword', { store: 'vault' });
    await expect(m.pin({ target: note, off: true })).rejects.toMatchObject({ code: 'usage' });
  });
});
