import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/index.ts';
import { TestCli } from '../support/cli.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

let home: string;
let m: Mneme;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  m = await openMneme({ home });
});
afterEach(() => m.close());

// SPEC WINDOW-3
describe('an agent’s context', () => {
  it('is loaded by the next process as it was saved, part by part', async () => {
    expect(await m.loadContext()).toMatchObject({ agent: 'main', session: 'standing', revision: 0, prompt: '' });
    await m.saveContext({ session: 'ses_1', working: { focus: { topic: 'cache' }, scratchpad: { port: '8443' } } });
    await m.saveContext({ session: 'ses_1', working: { task: { name: 'ship redis', next: ['deploy'] } } });
    await m.close();
    m = await openMneme({ home });
    const { working, revision, prompt } = await m.loadContext({ session: 'ses_1' });
    expect(revision).toBe(2);
    expect(working).toMatchObject({
      focus: { topic: 'cache', related: [] },
      scratchpad: { port: '8443' },
      task: { name: 'ship redis', state: 'active', next: ['deploy'] },
    });
    expect(prompt).toContain('Task (active): ship redis');
    expect((await m.loadContext()).revision).toBe(0);
  });

  it('tells whoever builds on an older one, and remembers the tasks before', async () => {
    const { revision } = await m.saveContext({ working: { task: { name: 'first' } } });
    await m.saveContext({ revision, working: { task: { name: 'second' } } });
    await expect(m.saveContext({ revision, working: { task: null } })).rejects.toMatchObject({ code: 'conflict' });
    const { working } = await m.loadContext();
    expect([working.task?.name, working.tasks.map(({ name }) => name)]).toEqual(['second', ['first']]);
  });

  it('loses nothing when two save at once', async () => {
    const other = await openMneme({ home });
    const revisions = await Promise.all(
      [m, other, m, other].map((each, index) =>
        each.saveContext({ agent: 'a', working: { focus: { topic: `t${index}` } } }),
      ),
    );
    await other.close();
    expect(new Set(revisions.map(({ revision }) => revision))).toEqual(new Set([1, 2, 3, 4]));
  });

  it('lets go of a fact that the memory no longer holds', async () => {
    const { id } = await m.remember('The admin port of harbor is 8443.', { store: 'episodic' });
    const facts = [{ statement: 'The admin port is 8443.', id }, { statement: 'No id, no check.' }];
    await m.saveContext({ working: { facts } });
    expect((await m.loadContext()).working.facts).toEqual(facts);
    const person = await openMneme({ home, actor: 'manual' });
    const { code } = await person.forget('The admin port of harbor is 8443.');
    await person.confirmForget(code ?? '');
    await person.close();
    const { working, notes } = await m.loadContext();
    expect(working.facts).toEqual([facts[1]]);
    expect(notes).toEqual([`A fact held in mind is no longer in the memory (${id}) and was left out.`]);
  });

  it('holds facts of turns, entities and files, and refuses ids that nobody knows', async () => {
    const session = await m.session.start({ user: 'Ines' });
    await session.message('user', 'The admin port is 8443.');
    await m.append('memory/reference/router.md', 'The router reboots on Sundays.');
    const facts = [`${session.id}#t1`, 'memory/reference/router.md'].map((id) => ({ statement: `From ${id}`, id }));
    await m.saveContext({ working: { facts } });
    expect(await m.loadContext()).toMatchObject({ working: { facts }, notes: [] });
    for (const id of [`${session.id}#t99`, 'memory/reference/nothing.md', '7k2m9x0q4t1za', '../../etc/passwd']) {
      await expect(m.saveContext({ working: { facts: [{ statement: 'x', id }] } })).rejects.toMatchObject({
        code: 'not-found',
        hint: expect.stringContaining('recall --json') as string,
      });
    }
    await session.end();
  });

  it.each([
    ['a part that there is not', { scratchpd: { port: '1' } }, 'scratchpd'],
    ['a note that would vanish', JSON.parse('{"scratchpad": {"__proto__": "x"}}') as object, '__proto__'],
    ['a role that nobody has', { conversation: [{ role: 'hacker', content: 'x' }] }, 'role'],
    ['a misspelt key', { task: { name: 'x', stat: 'done' } }, 'stat'],
  ])('refuses %s, and says so', async (_what, working, named) => {
    await expect(m.saveContext({ working: working as { focus: null } })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(named) as string,
    });
    expect((await m.loadContext()).revision).toBe(0);
  });

  it('holds no secrets', async () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    await m.saveContext({ working: { scratchpad: { token: `use ${token}` } } });
    expect(fs.readFileSync(path.join(home, 'journal/working/main/standing.json'), 'utf8')).not.toContain(token);
  });

  it('says which part is not as it should be', async () => {
    const working = { focus: 5 } as unknown as { focus: null };
    await expect(m.saveContext({ working })).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('the command', () => {
  it('changes and shows what is held in mind', async () => {
    await m.close();
    const cli = new TestCli(home);
    expect(await cli.ok('session', 'working', 'show')).toContain('Nothing is held in mind.');
    await cli.ok('session', 'working', 'focus', 'the', 'cache', '--related', 'redis');
    await cli.ok('session', 'working', 'note', 'host', 'tile-s1');
    await cli.ok('session', 'working', 'note', 'gone', 'x');
    await cli.ok('session', 'working', 'note', 'gone');
    await cli.ok('session', 'working', 'fact', 'the port is 8443');
    await cli.ok('session', 'working', 'task', 'ship redis', '--next', 'conf', 'deploy');
    expect(await cli.ok('session', 'working', 'task', '--done', 'conf', '--state', 'waiting')).toContain(
      '“ship redis” (waiting)',
    );
    const shown = await cli.ok('session', 'working', 'show');
    expect(shown.split('\n').slice(1)).toEqual([
      'Task (waiting): ship redis',
      '  next: deploy',
      '  done: conf',
      'Focus: the cache (also: redis)',
      'In mind:',
      '- the port is 8443',
      'Notes:',
      '- host: tile-s1',
      '',
    ]);
    expect(await cli.ok('session', 'working', 'list')).toBe('main  standing\n');
    await cli.ok('session', 'working', 'clear');
    expect(await cli.ok('session', 'working', 'list')).toBe('No context is saved.\n');
  });

  it.each([
    [['session', 'working', 'task'], '', 'There is no task to change.'],
    [['session', 'working', 'task', 'x', '--state', 'odd'], '', '`mneme session working task --help` shows'],
    [['session', 'working', 'show', '--agent', '../x'], '', 'cannot be the name of an agent'],
    [['session', 'working', 'save'], 'x', 'The input is no JSON object.'],
    [['session', 'working', 'save'], '{"focus": 5}', 'focus: '],
  ])('%j with %j on the input is a mistake it explains', async (args, input, message) => {
    await m.close();
    const { code, err } = await new TestCli(home).run(args, input);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
