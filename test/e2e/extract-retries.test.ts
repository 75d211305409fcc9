import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { TestCli } from '../support/cli.ts';
import { openMneme, type Mneme } from '../../src/index.ts';

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

async function converse(id: string, ...said: readonly string[]): Promise<void> {
  const session = await m.session.start({ id, user: 'Ines' });
  for (const text of said) await session.message('user', text);
  await session.end();
}

const fileOf = (file: string): string => path.join(home, 'workspace', file);
const textOf = (file: string): string => fs.readFileSync(fileOf(file), 'utf8');
const people = (): string[] =>
  fs.readdirSync(fileOf('memory/graph/entities')).filter((name) => name.startsWith('person--'));

// SPEC LEARN-9
describe('a statement that cannot be written', () => {
  it('is told, waits, and is learned once the file is mended; nobody gets a second file meanwhile', async () => {
    await converse('r1', 'I live in Munich.');
    await m.extract({});
    const sound = textOf(INES);
    fs.writeFileSync(fileOf(INES), sound.replace('---\n', '---\nbroken: [a, "b\n'));
    await converse('r2', 'Good morning.', 'I moved to Berlin.');
    const { sessions } = await m.extract({});
    expect(sessions[0]?.items.map(({ action }) => action)).toEqual(['failed']);
    expect(sessions[0]?.notes.join('\n')).toContain('looked at again');
    const { triggers } = await (await m.session.start({ id: 'r3' })).message('user', 'Remember that I live in Oslo.');
    expect(triggers[0]?.note).toContain('person--ines.md');
    expect(people()).toEqual(['person--ines.md']);
    expect((await m.status()).waiting.own).toBe(1);
    fs.writeFileSync(fileOf(INES), sound.replace('aliases: []', 'aliases: [Inky]'));
    await m.extract({});
    expect(textOf(INES)).toMatch(/^- [^~]*Berlin/mu);
    expect((await m.status()).waiting.own).toBe(0);
    expect((await m.extract({})).sessions).toEqual([]);
  });
});

describe('extraction of a part', () => {
  it('leaves the rest to be learned', async () => {
    await converse('p1', 'I live in Munich.', 'We decided to use Postgres for the archive.');
    await m.extract({ extractors: ['people'] });
    const { sessions } = await m.extract({});
    expect(sessions[0]?.items.map(({ kind, action }) => `${kind} ${action}`)).toContain('decision added');
    expect(sessions[0]?.items.filter(({ action }) => action === 'added')).toHaveLength(1);
  });

  it('looks at everything again when no session is named', async () => {
    await converse('p1', 'I live in Munich.');
    await m.extract({});
    expect((await m.extract({ again: true })).sessions.map(({ session }) => session)).toEqual(['p1']);
  });
});

describe('a damaged line in a live log', () => {
  it('keeps nobody from listing, going on or ending, and is kept aside', async () => {
    const session = await m.session.start({ id: 'd1', user: 'Ines' });
    await session.message('user', 'I live in Munich.');
    const log = path.join(home, 'journal/live/d1.jsonl');
    fs.appendFileSync(log, '{"id":"t2","parts":[{"ki\u0000\n');
    const cli = new TestCli(home);
    const listed = await cli.json<readonly { unreadable: number }[]>('session', 'list');
    expect(listed.map(({ unreadable }) => unreadable)).toEqual([1]);
    await session.message('user', 'I like tea.');
    expect(fs.readFileSync(path.join(home, 'journal/live/d1.unreadable'), 'utf8')).toContain('{"id":"t2"');
    await session.end();
    expect((await m.extract({})).sessions[0]?.items.length).toBeGreaterThan(0);
  });
});

describe('what a session is given', () => {
  it('is refused with the rule it breaks', async () => {
    await expect(m.session.start({ id: 'x'.repeat(300) })).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('at most 64'),
    });
    const session = await m.session.start({ id: 'k1' });
    await expect(session.knowledge([{ path: '../../etc/passwd', action: 'added' }])).rejects.toMatchObject({
      code: 'usage',
    });
  });
});
