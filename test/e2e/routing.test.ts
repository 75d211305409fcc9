import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createContentReader, type RequestStore } from '../../bench/routing/places.ts';
import { openMneme, type Mneme } from '../../src/index.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

let m: Mneme;
let home: string;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  m = await openMneme({ home, actor: 'manual' });
});
afterEach(() => m.close());

const said = (store: RequestStore): string => createContentReader(path.join(home, 'workspace'))(store).join('\n');

describe('what is asked to be remembered', () => {
  it.each<[string, RequestStore, string]>([
    ['I am allergic to penicillin', 'critical', 'allergic to penicillin'],
    ['From now on always answer in bullet points', 'persona', 'bullet points'],
    ['My name is Ines Prado, I am an engineer at Nordwind', 'identity', 'Ines Prado'],
    ['Remember permanently: my blood type is A positive', 'vault', 'blood type is A positive'],
    ['To make the dough: 1. mix the flour 2. rest it for an hour 3. fold it twice', 'procedure', 'fold it twice'],
    ['Save this permanently, pin it: the hull number is NL-4471', 'vault', 'The hull number is NL-4471'],
    [
      'Our staging cluster is called Heron, remember that',
      'project-fact',
      'Heron: Our staging cluster is called Heron',
    ],
    ['Remember that Marek is the new head of procurement', 'person-fact', 'Marek: Marek is the new head'],
    ['We decided to go with Postgres instead of MongoDB', 'decision', 'Postgres'],
    ['Remember to renew my passport before June', 'task', 'has to renew'],
    ['Today I ran my first half marathon', 'episode', 'half marathon'],
    ['I prefer window seats on trains', 'preference', 'window seats'],
  ])('%s: stands in its place (%s)', async (text, store, words) => {
    await m.remember(text);
    expect(said(store)).toContain(words);
  });

  it('is kept without the words that only ask', async () => {
    await m.remember('Our staging cluster is called Heron, remember that');
    await m.remember('Save this permanently, pin it: the hull number is NL-4471');
    await m.remember('Please remember that I live in Lisbon');
    const kept = (['project-fact', 'vault', 'identity'] as const).map(said).join('\n');
    expect(kept).not.toMatch(/remember|save this|pin it/iu);
  });

  it('tells a danger unasked also when it goes into the vault', async () => {
    await m.remember('Never forget that I am allergic to bee stings');
    expect(said('vault')).toContain('allergic to bee stings');
    expect(said('critical')).toContain('allergic to bee stings');
  });

  it('is undone as one: page and core memory', async () => {
    const { mutation, block } = await m.remember('I am allergic to penicillin');
    expect(block).toBe('Critical Facts');
    await m.rollback({ target: mutation });
    expect(said('critical')).toBe('');
    expect(fs.existsSync(path.join(home, 'workspace/memory/graph/entities/person--user.md'))).toBe(false);
  });

  it('goes into core memory only on the user’s own word', async () => {
    await m.close();
    m = await openMneme({ home, actor: 'bot:main' });
    const { store, block } = await m.remember('The user is allergic to penicillin', { source: 'user-explicit' });
    expect([store, block]).toEqual(['semantic', undefined]);
    expect(said('critical')).toBe('');
  });

  it('goes to the same page when it is said in passing', async () => {
    const session = await m.session.start({ id: 'ses_a' });
    await session.message('user', 'The Falcon API listens on port 8443.');
    await session.message('agent', 'Noted.');
    await session.end();
    await m.extract({});
    expect(said('project-fact')).toContain('Falcon: The Falcon API listens on port 8443');
    const again = await m.remember('The Falcon API listens on port 8443.');
    expect(again.path).toBe('memory/graph/entities/project--falcon.md');
    expect(said('project-fact').match(/8443/gu)).toHaveLength(1);
  });
});

describe('a request inside a message', () => {
  it('is filed like the command, for good where it says so', async () => {
    await m.close();
    m = await openMneme({ home, actor: 'bot:main' });
    const session = await m.session.start({ id: 'ses_a', user: 'Ines' });
    await session.message('user', 'Remember that I am allergic to penicillin.');
    await session.message('agent', 'Noted.');
    await session.message('user', 'Never forget: the deed is at notary Behrens.');
    await session.message('agent', 'Noted.');
    await session.end();
    await m.extract({});
    expect(said('critical').match(/penicillin/gu)).toHaveLength(1);
    expect(said('vault')).toContain('notary Behrens');
    const { prompt } = await m.context('', { event: 'session-start' });
    expect(prompt).toMatch(/^- (?!\[).*allergic to penicillin/mu);
  });

  it('is learned once, and gives way to what the user says later', async () => {
    for (const [id, text] of [
      ['ses_a', 'Remember that I live in Lisbon.'],
      ['ses_b', 'I moved to Berlin.'],
    ] as const) {
      const session = await m.session.start({ id, user: 'Ines' });
      await session.message('user', text);
      await session.message('agent', 'Noted.');
      await session.end();
      await m.extract({ sessions: [id] });
    }
    const folder = path.join(home, 'workspace/memory/graph/entities');
    const pages = fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
    const facts = pages.join('\n').match(/^- .*Lisbon.*$/gmu);
    expect(facts).toEqual([expect.stringMatching(/^- ~~.*~~/u)]);
    expect(said('identity')).not.toContain('Lisbon');
  });
});
