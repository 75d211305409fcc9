import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { openMneme, type Mneme, type SessionHandle } from '../../src/index.ts';

let home: string;
let m: Mneme;
let session: SessionHandle;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  m = await openMneme({ home });
  session = await m.session.start({ id: 'ses_quay', user: 'Ines' });
});
afterEach(() => m.close());

const workspaceText = (file: string): string => fs.readFileSync(path.join(home, 'workspace', file), 'utf8');

// SPEC LEARN-3
describe('what a user asks of the memory in passing', () => {
  it('is kept, attributed to the user and the session', async () => {
    const { turn, triggers } = await session.message(
      'user',
      'Looks good. Please remember that the crane inspection is on Tuesdays. Now the tests.',
    );
    expect(triggers).toMatchObject([{ kind: 'remember', content: 'the crane inspection is on Tuesdays' }]);
    const kept = triggers[0]?.remembered;
    const text = workspaceText(kept?.path ?? '');
    expect(text).toContain('the crane inspection is on Tuesdays');
    expect(text).toMatch(/<!-- fact user-explicit .*ses_quay#t1 -->/u);
    expect(turn).toBe('t1');
  });

  it('may mean what was said before', async () => {
    await session.message('agent', 'The staging key rotates every 90 days.');
    const { triggers } = await session.message('user', 'remember that!');
    expect(triggers).toMatchObject([{ kind: 'remember', content: 'The staging key rotates every 90 days.' }]);
  });

  it('is forgotten only in a second step', async () => {
    const memory = await m.remember('The harbour office is in Bergen Street.');
    const { triggers } = await session.message('user', 'Forget about the harbour office in Bergen Street.');
    expect(triggers[0]?.forget).toMatchObject({ permanently: false, matches: [{ id: memory.id }] });
    expect(triggers[0]?.forget?.code).toBeTypeOf('string');
    expect(workspaceText(memory.path)).toContain('Bergen Street');
  });

  it('is answered from memory', async () => {
    await m.remember('The ferry to Oslo leaves at 07:40.');
    const { triggers } = await session.message('user', 'What do you know about the ferry to Oslo?');
    expect(triggers).toMatchObject([{ kind: 'recall' }]);
    expect(triggers[0]?.hits?.[0]?.text).toContain('07:40');
  });

  it('is nobody else’s to ask in a group chat', async () => {
    expect((await session.message('user', 'Remember that I live in Moscow.', { name: 'Bob' })).triggers).toEqual([]);
  });

  it('is in a group chat of strangers the first speaker’s to ask', async () => {
    const group = await m.session.start({ id: 'ses_group' });
    await group.message('user', 'Who comes to the regatta?', { name: 'Lea' });
    const { triggers } = await group.message('user', 'Remember that I live in Moscow.', { name: 'Bob' });
    expect(triggers).toMatchObject([
      { kind: 'remember', note: expect.stringContaining('memory of Lea, and Bob said it') },
    ]);
    expect((await group.message('user', 'Remember that I row.', { name: 'Lea' })).triggers).toHaveLength(1);
  });

  it('is no wish when it is quoted, negated or somebody else’s', async () => {
    for (const text of ['She said "remember that I left".', "Don't remember that.", '> forget about the harbour']) {
      expect((await session.message('user', text)).triggers).toEqual([]);
    }
    expect((await session.message('agent', 'Remember that the port is 8443.')).triggers).toEqual([]);
  });
});
