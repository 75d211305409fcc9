import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openMneme } from '../../src/mneme.ts';
import { TestCli } from '../support/cli.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { answerHook } from '../support/hooks.ts';

let cli: TestCli;

beforeEach(async () => {
  cli = new TestCli();
  await cli.init();
});

/** What the memory itself says, transcripts and the rules left out. */
function knowledge(): string {
  const folder = path.join(cli.home, 'workspace');
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => /^(?:MEMORY\.md|memory\/(?:episodes|journal|graph|procedures)\/.*\.md)$/u.test(name))
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
    .join('\n');
}

async function converse(...messages: readonly string[]): Promise<string> {
  const mneme = await openMneme({ home: cli.home, actor: 'human:user' });
  const session = await mneme.session.start({ user: 'Alex' });
  for (const text of messages) {
    await session.message('user', text);
    await session.message('agent', 'I see.');
  }
  await session.end();
  await mneme.extract({ sessions: [session.id] });
  await mneme.close();
  return session.id;
}

describe('an ignore rule', () => {
  it('is a line of a file that a person can read, edit and undo', async () => {
    const added = await cli.json<{ mutation: string }>('ignore', 'add', 'my', 'divorce');
    expect(added).toMatchObject({ rules: ['my divorce'], path: 'memory/meta/ignore.md' });
    await cli.ok('ignore', 'add', 'My Divorce');
    expect((await cli.run(['ignore', 'add', '🎉 ...'])).err).toContain('no word');
    const file = path.join(cli.home, 'workspace', 'memory/meta/ignore.md');
    expect(fs.readFileSync(file, 'utf8')).toMatch(/\n- my divorce\n$/u);
    fs.appendFileSync(file, '- Kaspar\n');
    expect(await cli.ok('ignore', 'list')).toContain('- Kaspar');
    expect(await cli.json('ignore', 'remove', 'kaspar')).toMatchObject({ rules: ['my divorce'] });
    expect((await cli.run(['ignore', 'remove', 'tea'])).err).toContain('The rules are: my divorce.');
    expect(await cli.ok('audit')).toContain('nothing is learned about "my divorce"');
    await cli.ok('rollback', added.mutation);
    expect(await cli.json('ignore', 'list')).toMatchObject({ rules: [] });
  });

  it('keeps statements, relations and the diary free of its subject', async () => {
    await cli.ok('ignore', 'add', 'my divorce, Kaspar');
    await converse(
      'My divorce lawyer is called Jana Kern.',
      'I got divorced in May.',
      'My brother Kaspar lives in Ulm.',
      'I am allergic to penicillin.',
    );
    expect(knowledge()).toContain('penicillin');
    expect(knowledge()).not.toMatch(/divorc|Jana|Kaspar|Ulm/iu);
  });

  it('leaves other statements of the same turn alone', async () => {
    await cli.ok('ignore', 'add', 'my divorce');
    await converse('I am allergic to penicillin. My divorce lawyer lives in Graz.');
    expect(knowledge()).toContain('penicillin');
    expect(knowledge()).not.toContain('Graz');
  });

  it('knows the other names of what it names', async () => {
    await cli.ok('graph', 'add', 'Vera Moreau', '--type', 'person', '--alias', 'Vee');
    await cli.ok('ignore', 'add', 'Vera Moreau');
    await converse('Vee is allergic to nuts.');
    expect(knowledge()).not.toContain('nuts');
  });

  it('refuses what an agent wants to keep, by every way in, and not what the user keeps', async () => {
    await cli.ok('ignore', 'add', 'my divorce');
    const agent = ['--as', 'bot:claude'];
    const note = path.join(cli.home, 'workspace', 'memory/reference/note.md');
    for (const args of [
      ['remember', 'The user is getting divorced.'],
      ['core', 'add', 'The divorce is final in May.'],
      ['append', 'memory/reference/note.md', 'The divorce is final in May.'],
      ['graph', 'add', 'Divorce', '--type', 'event'],
      ['agents', 'propose', 'The divorce is final in May.'],
      ['topics', 'new', 'divorce'],
    ]) {
      const { code, err } = await cli.run([...args, ...agent]);
      expect({ args, isRefused: code !== 0 }).toEqual({ args, isRefused: true });
      expect(err).toContain('nothing kept about "my divorce"');
    }
    const changed = ['edit', 'memory/meta/ignore.md', '--replace', '- my divorce', '--with', '- tea'];
    expect((await cli.run([...changed, ...agent])).err).toContain('only by a person');
    expect(fs.existsSync(note)).toBe(false);
    await cli.ok('remember', 'The tea is green.', ...agent);
    await cli.ok('remember', 'The divorce is final in May.');
    expect(knowledge()).toContain('The divorce is final in May.');
  });

  it('refuses what an agent says of somebody it names, also where the words leave out the name', async () => {
    await cli.ok('graph', 'add', 'Kaspar Lund', '--type', 'person', '--alias', 'Kas');
    await cli.ok('graph', 'add', 'Vera', '--type', 'person');
    await cli.ok('ignore', 'add', 'Kaspar Lund');
    await cli.ok('ignore', 'add', 'Vera salary');
    for (const args of [
      ['fact', 'Kaspar Lund', 'earns 90 thousand'],
      ['fact', 'Kas', 'earns 90 thousand'],
      ['fact', 'Vera', 'has a salary of 90 thousand'],
      ['task', 'Kaspar Lund', 'buy milk'],
      ['decision', 'person--kaspar-lund', 'moves to Ulm'],
      ['link', 'Vera', 'knows', 'Kaspar Lund'],
    ]) {
      const { code, err } = await cli.run(['graph', ...args, '--as', 'bot:claude']);
      expect({ args, code, err }).toEqual({
        args,
        code: 5,
        err: expect.stringContaining('nothing kept about') as string,
      });
    }
    await cli.ok('graph', 'fact', 'Vera', 'lives in Graz', '--as', 'bot:claude');
  });

  it('is made by a message of the user, and by no agent', async () => {
    const mneme = await openMneme({ home: cli.home });
    const session = await mneme.session.start();
    await session.message('agent', "Don't learn anything about tea.");
    const { triggers } = await session.message('user', "Please don't learn anything about my divorce.");
    expect(triggers).toMatchObject([{ kind: 'ignore', content: 'my divorce' }]);
    expect(await mneme.control.ignored()).toMatchObject({ rules: ['my divorce'] });
    await expect(mneme.control.ignore('tea')).rejects.toMatchObject({ code: 'refused' });
    await mneme.close();
  });

  it('is made by a prompt that hooks capture, and the agent is told', async () => {
    await cli.ok('config', 'set', 'hooks.timeout_ms', '20000');
    const log = path.join(makeTemporaryFolder(), 'c0ffee00-0000-4000-8000-000000000001.jsonl');
    const message = { role: 'user', content: "Don't learn anything about my divorce." };
    const line = { type: 'user', uuid: 'a', timestamp: '2026-03-05T10:00:00Z', cwd: '/code/lantern', message };
    fs.writeFileSync(log, `${JSON.stringify(line)}\n`);
    const hook = (event: string, more = {}) => answerHook(cli.home, event, { transcript_path: log, ...more });
    expect(await hook('Stop')).toEqual({ out: '', err: '' });
    expect(await cli.json('ignore', 'list')).toMatchObject({ rules: ['my divorce'] });
    expect((await hook('UserPromptSubmit', { prompt: 'And now?' })).out).toContain('mneme learn ignore list');
  });

  it('is changed through the library by a person', async () => {
    const mneme = await openMneme({ home: cli.home, actor: 'human:user' });
    await mneme.control.ignore('my divorce');
    expect(await mneme.control.unignore('my divorce')).toMatchObject({ rules: [] });
    expect(await mneme.control.ignore('my health')).toMatchObject({ rules: ['my health'] });
    await mneme.close();
  });

  it('leaves its subject out of what is imported from other programs', async () => {
    await cli.ok('ignore', 'add', 'my divorce');
    const file = path.join(makeTemporaryFolder(), 'memory.jsonl');
    const entity = { type: 'entity', name: 'Alex', entityType: 'person' };
    fs.writeFileSync(
      file,
      `${JSON.stringify({ ...entity, observations: ['Alex got divorced in May', 'Alex likes green tea'] })}\n`,
    );
    const result = await cli.json<{ skipped: unknown }>('import', 'server-memory', file);
    expect(JSON.stringify(result.skipped)).toContain('nothing is to be learned about');
    expect(knowledge()).toContain('green tea');
    expect(knowledge()).not.toContain('divorced');
  });

  it('is not found by search', async () => {
    await cli.ok('ignore', 'add', 'my zanzibarite');
    const { hits } = await cli.json<{ hits: readonly unknown[] }>('recall', 'zanzibarite');
    expect(hits).toEqual([]);
  });
});
