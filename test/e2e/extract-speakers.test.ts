import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { openMneme, type Mneme } from '../../src/index.ts';

const USER = 'memory/graph/entities/person--user.md';
const INES = 'memory/graph/entities/person--ines.md';

let home: string;
let m: Mneme;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  fs.appendFileSync(path.join(home, 'mneme.yaml'), 'extract:\n  trigger: manual\n');
  m = await openMneme({ home, actor: 'manual' });
});
afterEach(() => m.close());

async function converse(id: string, user: string | undefined, ...said: readonly string[]): Promise<void> {
  const session = await m.session.start({ id, ...(user === undefined ? {} : { user }) });
  for (const text of said) await session.message('user', text);
  await session.end();
}

const textOf = (file: string): string => fs.readFileSync(path.join(home, 'workspace', file), 'utf8');
const people = (): string[] =>
  fs.readdirSync(path.join(home, 'workspace/memory/graph/entities')).filter((name) => name.startsWith('person--'));

// SPEC TRUST-1
describe('who speaks', () => {
  it('is the same person before and after their name is known', async () => {
    await converse('n1', undefined, 'I live in Munich.');
    await m.extract({});
    await converse('n2', 'Ines', 'I moved to Berlin.');
    const { sessions } = await m.extract({});
    expect(sessions.flatMap(({ items }) => items.map(({ action }) => action))).toEqual(['superseded']);
    expect(people()).toEqual(['person--user.md']);
    expect(textOf(USER)).toMatch(/^name: Ines$/mu);
    expect(textOf(USER)).toMatch(/^- ~~.*Munich.*~~/mu);
    expect(textOf(USER)).toMatch(/^- [^~]*Berlin/mu);
    await converse('n3', 'Ines', 'I live in Hamburg now.');
    await m.extract({});
    expect(textOf(USER)).toMatch(/^- [^~]*Hamburg/mu);
  });

  it('goes on being learned from in conversations without a name', async () => {
    await converse('n1', 'Ines', 'I live in Munich.');
    await converse('n2', undefined, 'I moved to Berlin.');
    await converse('n3', 'user', 'I moved to Hamburg.');
    await m.extract({});
    expect(people()).toEqual(['person--ines.md']);
    expect(textOf(INES)).toMatch(/^- [^~]*Hamburg/mu);
  });

  it('may be somebody else, whose words are never kept as the owner’s, and who is told so', async () => {
    await converse('n1', 'Ines', 'I live in Munich.');
    await m.extract({});
    const before = textOf(INES);
    const session = await m.session.start({ id: 'b1', user: 'Bob' });
    const { triggers } = await session.message('user', 'Remember that I am allergic to nuts.');
    expect(triggers).toEqual([expect.objectContaining({ note: expect.stringContaining('memory of Ines') })]);
    await session.message('user', 'I live in Lisbon.');
    await session.end();
    const { sessions } = await m.extract({});
    expect(sessions[0]?.notes.join('\n')).toContain('Bob said it');
    expect(textOf(INES)).toBe(before);
    const { hits } = await m.recall('allergic to nuts');
    expect(hits.filter((hit) => hit.path.startsWith('memory/'))).toEqual([]);
  });

  it('may be known by another name', async () => {
    await converse('n1', 'Ines', 'I live in Munich.');
    await m.extract({});
    await m.graph.alias('Ines', 'ikow');
    await converse('n2', 'ikow', 'I moved to Berlin.');
    await m.extract({});
    expect(textOf(INES)).toMatch(/^- [^~]*Berlin/mu);
  });
});

describe('what an agent said', () => {
  it('stays the agent’s word when the user asks to remember it', async () => {
    const session = await m.session.start({ id: 'a1', user: 'Ines' });
    await session.message('user', 'What is the build server called?');
    await session.message('agent', 'The build server is called Otter and stands in the basement.');
    const { triggers } = await session.message('user', 'ok, remember this please');
    expect(triggers[0]?.remembered?.warnings.join()).toContain('word of the agent');
    const { hits } = await m.recall('build server Otter');
    const kept = hits.filter((hit) => hit.path.startsWith('memory/'));
    expect(kept.map(({ trust, provenance }) => [trust, provenance.source])).toEqual([['agent', 'conversation']]);
  });

  it('stays the user’s own when they said it themselves', async () => {
    const session = await m.session.start({ id: 'a2', user: 'Ines' });
    await session.message('user', 'The oven timer runs two minutes fast.');
    await session.message('user', 'Remember that.');
    const { hits } = await m.recall('oven timer');
    const kept = hits.filter((hit) => hit.path.startsWith('memory/'));
    expect(kept.map(({ trust }) => trust)).toEqual(['user']);
  });
});
