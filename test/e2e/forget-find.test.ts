import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/home.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { findForgettable } from '../../src/operations/forget/find.ts';

const MEMORIES = [
  'Sarah moved to Leeds in March',
  'Her surgery is on 12 June, Sarah says',
  'My brother had a knee surgery last year',
  'I broke up with Tom in January',
  'He owes me 200 euros, that Tom',
  'I take vitamin D in winter',
  'Lena is pregnant, do not tell anyone',
  'Lena joins the platform team in March',
  'We deploy on Thursdays with the blue script',
  'The deploy script needs the VPN',
  'I prefer dark mode in editors',
  'I prefer tea over coffee',
  'Meine Mutter heißt Renate und lebt in Linz',
  'El cumpleaños de Marta es el 5 de mayo',
  'I failed the driving test twice',
  'The project Moss waters the balcony plants',
];

let m: Mneme;

beforeAll(async () => {
  const home = path.join(makeTemporaryFolder(), 'home');
  await initHome({ home, timeZone: 'UTC', isFull: false, command: [] });
  m = await openMneme({ home, actor: 'manual' });
  for (const text of MEMORIES) await m.remember(text, { store: 'episodic' });
  await m.remember('Sarah has a secret project', { scope: 'project:moon' });
});
afterAll(() => m.close());

const found = async (text: string): Promise<string[]> => {
  const { matches } = await findForgettable(m.internals, text);
  return matches.map((match) => match.text).toSorted();
};

describe('what somebody means who wants to forget something', () => {
  it.each([
    ['Sarah', ['Her surgery is on 12 June, Sarah says', 'Sarah moved to Leeds in March']],
    ["Sarah's surgery", ['Her surgery is on 12 June, Sarah says']],
    ['everything I told you about my ex Tom', ['He owes me 200 euros, that Tom', 'I broke up with Tom in January']],
    ['that Lena is pregnant', ['Lena is pregnant, do not tell anyone']],
    ['the deploy script', ['The deploy script needs the VPN', 'We deploy on Thursdays with the blue script']],
    ['coffee', ['I prefer tea over coffee']],
    ['the test', ['I failed the driving test twice']],
    ['meine Mutter', ['Meine Mutter heißt Renate und lebt in Linz']],
    ['el cumpleaños de Marta', ['El cumpleaños de Marta es el 5 de mayo']],
    ['the medication I take', []],
    ['my address', []],
    ['what I told you about the submarine', []],
    ['', []],
  ])('%s', async (text, memories) => {
    expect(await found(text)).toEqual(memories);
  });

  it('is of the scope that is asked about', async () => {
    const { matches } = await findForgettable(m.internals, { text: 'Sarah', scope: 'project:moon' });
    expect(matches.map(({ text }) => text)).toContain('Sarah has a secret project');
    expect(matches.find(({ text }) => text.includes('secret'))?.path).toContain('memory/scopes/project--moon/');
  });

  it('is found among any number of turns that say the same', async () => {
    const session = await m.session.start({ id: 'ses_moss' });
    for (let turn = 0; turn < 130; turn += 1)
      await session.message('user', `Moss, Moss, the project Moss, day ${turn}`);
    await session.end();
    const { matches, notes } = await findForgettable(m.internals, 'the project Moss');
    expect(matches.map(({ text }) => text)).toEqual(['The project Moss waters the balcony plants']);
    expect(notes).toEqual([
      expect.stringContaining('There may be more'),
      expect.stringContaining('100 turns of conversations say it too'),
    ]);
    const everything = await findForgettable(m.internals, { text: 'the project Moss', isPermanent: true, limit: 50 });
    expect(everything.matches).toHaveLength(50);
  });

  it('is cut to the limit, and says that there is more', async () => {
    const { matches, notes } = await findForgettable(m.internals, { text: 'deploy script', limit: 1 });
    expect(matches).toHaveLength(1);
    expect(notes).toEqual([expect.stringContaining('1 more match')]);
  });
});
