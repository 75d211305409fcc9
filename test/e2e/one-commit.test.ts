import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseLine } from '../../src/audit/line.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { initTestHome, makeTemporaryFolder, workspaceFile } from '../support/home.ts';

let home: string;
let m: Mneme;

beforeEach(async () => {
  home = path.join(makeTemporaryFolder(), 'home');
  await initTestHome(home);
  m = await openMneme({ home, actor: 'manual' });
});
afterEach(() => m.close());

/** What a verb wrote: the mutations the write path acknowledged, and those in the audit log. */
async function written(verb: () => Promise<unknown>): Promise<{ acknowledged: number; audited: number }> {
  const before = audited();
  const mutations = new Set<string>();
  const count = m.internals.workspace.registries.listeners.push((acknowledged) => {
    for (const { record } of acknowledged) mutations.add(record.id);
  });
  await verb();
  m.internals.workspace.registries.listeners.splice(count - 1, 1);
  await m.internals.workspace.drain();
  return { acknowledged: mutations.size, audited: [...audited()].filter((id) => !before.has(id)).length };
}

function audited(): Set<string> {
  const text = fs.readFileSync(workspaceFile(home, 'memory/meta/audit.log'), 'utf8');
  const references = text.split('\n').flatMap((line) => parseLine(line)?.reference ?? []);
  return new Set(references);
}

const ONE = { acknowledged: 1, audited: 1 };

describe('remember writes one mutation', () => {
  it.each([
    ['an entry of the day', 'The lighthouse of the harbour is white.', { store: 'episodic' }],
    ['a fact of the user', 'My name is Alex Berger and I work at Harbour Ltd.', {}],
    ['a danger, which is in core memory too', 'I am allergic to peanuts.', {}],
    ['something for good', 'Remember forever: the vault code word is lighthouse.', { trigger: 'remember forever' }],
    ['steps', 'To open the dock: 1. ring the bell, 2. lower the bridge, 3. wave.', {}],
    ['a line of core memory', 'Alex prefers short answers.', { store: 'core' }],
    ['a private entry', 'The budget is 40 euros.', { scope: 'project:apollo' }],
  ] as const)('for %s', async (_what, text, options) => {
    expect(await written(() => m.remember(text, options))).toEqual(ONE);
  });

  it('for what is said again, in the same or other words, or corrected', async () => {
    await m.remember('The ferry leaves at 9:15.', { store: 'episodic' });
    expect(await written(() => m.remember('The ferry leaves at 9:15.', { store: 'episodic' }))).toEqual(ONE);
    await m.remember('I live in Graz.');
    expect(await written(() => m.remember('I live in Graz.'))).toEqual(ONE);
    expect(await written(() => m.remember('I live in Linz now.'))).toEqual(ONE);
  });
});

describe('remember files one proposal', () => {
  it('for what a web page says against the user', async () => {
    await m.remember('I live in Munich.');
    const result = await written(async () => {
      expect((await m.remember('The user lives in Paris.', { trust: 'external' })).store).toBe('meta');
    });
    expect(result).toEqual(ONE);
  });
});

describe('a reflection', () => {
  beforeEach(async () => {
    await m.remember('I am allergic to latex.');
    await m.remember('My project is the Harbour.');
  });

  it('is one mutation, also where it takes the place of an older one, and so is its approval', async () => {
    expect(await written(() => m.reflect())).toEqual(ONE);
    await m.remember('I live in Linz.');
    expect(await written(() => m.reflect())).toEqual(ONE);
    expect(await written(() => m.approve({ ids: ['reflection'] }))).toEqual(ONE);
  });

  it('is one mutation when it is rejected or taken back', async () => {
    await m.reflect();
    expect(await written(() => m.reject({ ids: ['reflection'] }))).toEqual(ONE);
  });
});
