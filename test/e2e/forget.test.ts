import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { planRestore } from '../../src/memory/archive/plan-restore.ts';
import { openMneme } from '../../src/mneme.ts';
import type { ForgetPlan } from '../../src/operations/forget.ts';
import { findForgettable } from '../../src/operations/forget/find.ts';
import { TestCli } from '../support/cli.ts';
import { ALEX, ALEX_TEXT, ask, confirm, makeForgetHome, SHIPPING, snapshot, textsOf } from '../support/forget-home.ts';
import { humanGit, readWorkspaceFile, writeWorkspaceFile } from '../support/home.ts';

// SPEC FORGET-1
describe('forget', () => {
  it('shows what concerns the words and why, and changes nothing', async () => {
    const cli = await makeForgetHome();
    const before = snapshot(cli.home);
    const plan = await ask(cli, 'everything I told you about the cello');
    expect(textsOf(plan).toSorted()).toEqual([
      '2026-02-14: Sell the cello.\nRationale: the quartet broke up',
      'Alex plays the cello in a quartet.',
      '[ ] Buy new strings for the cello.',
    ]);
    expect(plan.matches.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(plan.matches[0]).toMatchObject({ path: ALEX, store: 'semantic', why: expect.stringContaining('cello') });
    expect(plan.code).toMatch(/^[0-9A-Z]{6}$/u);
    expect(plan.permanently).toBe(false);
    expect(Date.parse(plan.expires ?? '')).toBeGreaterThan(0);
    expect(snapshot(cli.home)).toEqual(before);
    const shown = await cli.ok('forget', 'cello');
    expect(shown).toContain('Alex plays the cello in a quartet.');
    expect(shown).toMatch(/mneme forget --confirm [0-9A-Z]{6}\n/u);
    // Who wants to forget something does not want it noted down once more.
    const journal = fs.readdirSync(path.join(cli.home, 'journal'), { recursive: true, withFileTypes: true });
    const files = journal.filter((entry) => entry.isFile() && !entry.parentPath.includes('wal'));
    const noted = files.map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), 'utf8')).join('\n');
    expect(noted).not.toContain('cello');
  });

  it('asks on a terminal instead of handing out a code, and does nothing after a no', async () => {
    const { home } = await makeForgetHome();
    const before = snapshot(home);
    const no = await new TestCli(home, { answers: ['n'] }).ok('forget', 'cello');
    expect(no).toContain('Archive 3 memories?');
    expect(no).toMatch(/\[y\/N, or numbers such as 1,3\] n\nNothing was changed\.\n$/u);
    expect(no).not.toContain('--confirm');
    expect(snapshot(home)).toEqual(before);

    const some = await new TestCli(home, { answers: ['1'] }).ok('forget', 'cello');
    expect(some).toContain('Archived from memory/graph/entities/person--alex.md');
    const rest = await ask(new TestCli(home), 'cello');
    expect(rest.matches).toHaveLength(2);
    const wrong = await new TestCli(home, { answers: ['3'] }).run(['forget', 'cello']);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('neither yes, no nor numbers') });
  });

  it('archives everything shown in one mutation, which can be undone to the byte', async () => {
    const cli = await makeForgetHome();
    const before = snapshot(cli.home);
    const plan = await ask(cli, 'cello');
    const done = await confirm(cli, plan.code);
    expect(done.outcome).toBe('archived');
    expect(done.archived).toHaveLength(3);
    expect(done.commit).toMatch(/^[0-9a-f]{40}$/u);
    expect(readWorkspaceFile(cli.home, ALEX)).toBe(
      ALEX_TEXT.replace('- Alex plays the cello in a quartet. ^bbbbbbbbbbbbb\n', '')
        .replace('## Goals and Tasks\n\n- [ ] Buy new strings for the cello. ^ddddddddddddd\n', '## Goals and Tasks\n')
        .replace(/- 2026-02-14.*\n.*broke up\n\n/u, ''),
    );
    expect(humanGit(cli.home, 'log', '-1', '--format=%B')).toMatch(
      /^\[ARCHIVE\] .*\(\+3 more\) — archived 3 memories to be forgotten\n\nMutation: .*\nActor: manual\nApproval: —\nTrigger: forget\n/u,
    );
    expect(await cli.ok('audit', '--action', 'ARCHIVE')).toContain('archived 3 memories');
    const hits = await cli.json<{ hits: { text: string }[] }>('recall', 'cello');
    expect(hits.hits.filter(({ text }) => text.includes('cello'))).toEqual([]);
    const all = await cli.json<{ hits: { text: string; type: string }[] }>('recall', 'cello', '--archived');
    const types = all.hits.filter(({ text }) => text.includes('cello')).map(({ type }) => type);
    expect([...new Set(types)].toSorted()).toEqual(['decision', 'fact', 'task']);
    expect(await cli.ok('check')).toContain('Everything agrees');
    await cli.ok('rollback', done.mutation ?? '');
    expect(snapshot(cli.home)).toEqual(before);
  });

  it('can be put back from the archive, without the history', async () => {
    const cli = await makeForgetHome();
    const before = snapshot(cli.home);
    const done = await confirm(cli, (await ask(cli, 'cello')).code);
    await cli.ok('remember', 'something later', '--store', 'episodic');
    const mneme = await openMneme({ home: cli.home, actor: 'manual' });
    const files = done.archived.map((one) => ({ path: one.path, text: readWorkspaceFile(cli.home, one.path) }));
    const { changes } = planRestore(files);
    await mneme.internals.workspace.commit({ actor: 'manual', summary: 'back', changes });
    await mneme.close();
    expect(readWorkspaceFile(cli.home, ALEX)).toBe(before[ALEX]);
    expect(Object.keys(snapshot(cli.home)).filter((file) => file.includes('archive'))).toEqual([]);
  });

  it('takes only the numbers that were chosen, and the code is used up', async () => {
    const cli = await makeForgetHome();
    const plan = await ask(cli, 'cello');
    const number = plan.matches.find(({ id }) => id === 'ddddddddddddd')?.number ?? 0;
    const done = await confirm(cli, plan.code?.toLowerCase() ?? '', '--only', String(number));
    expect(done.archived.map(({ id }) => id)).toEqual(['ddddddddddddd']);
    expect(readWorkspaceFile(cli.home, ALEX)).toContain('plays the cello');
    const again = await cli.run(['forget', '--confirm', plan.code ?? '']);
    expect(again).toMatchObject({ code: 4, err: expect.stringContaining('was used already') });
  });

  it('moves a whole procedure, and an entity that is named', async () => {
    const cli = await makeForgetHome();
    const before = snapshot(cli.home);
    const plan = await ask(cli, 'zeppelin');
    expect(plan.matches).toMatchObject([{ kind: 'file', path: SHIPPING, store: 'procedural' }]);
    await confirm(cli, plan.code);
    const { code } = await ask(cli, '--id', 'person--alex');
    const done = await confirm(cli, code);
    expect(done.archived.map((one) => one.path)).toEqual([
      expect.stringMatching(/^memory\/archive\/\d{4}-\d{2}\/graph\/entities\/person--alex\.md$/u),
    ]);
    expect(Object.keys(snapshot(cli.home))).not.toContain(ALEX);
    await cli.ok('rollback', done.mutation ?? '');
    expect(readWorkspaceFile(cli.home, ALEX)).toBe(before[ALEX]);
  });

  it('takes a core bullet along that states what is forgotten', async () => {
    const cli = await makeForgetHome();
    writeWorkspaceFile(
      cli.home,
      'MEMORY.md',
      '# Core\n\n## Critical Facts\n\n- Musician, strings. <!-- states:bbbbbbbbbbbbb --> ^hhhhhhhhhhhhh\n- Left-handed. ^jjjjjjjjjjjjj\n',
    );
    const plan = await ask(cli, '--id', '^bbbbbbbbbbbbb');
    expect(plan.matches.map(({ id, why }) => [id, why])).toEqual([
      ['bbbbbbbbbbbbb', 'named'],
      ['hhhhhhhhhhhhh', 'states bbbbbbbbbbbbb in core memory'],
    ]);
    await confirm(cli, plan.code);
    expect(readWorkspaceFile(cli.home, 'MEMORY.md')).toBe(
      '# Core\n\n## Critical Facts\n\n- Left-handed. ^jjjjjjjjjjjjj\n',
    );
  });

  it('leaves what is pinned or in the vault unless a person names it', async () => {
    const cli = await makeForgetHome();
    await cli.ok('remember', '--store', 'vault', 'The walnuts are in the cellar');
    const plan = await ask(cli, 'walnuts');
    expect(plan).toMatchObject({ code: null, matches: [] });
    expect(plan.kept.map(({ reason }) => reason).toSorted()).toEqual([
      'is left: it is in the vault; name it with --id',
      'is left: it is pinned; name it with --id',
    ]);
    const named = await ask(cli, '--id', 'ccccccccccccc');
    const agent = await cli.run(['--as', 'bot:main', 'forget', '--confirm', named.code ?? '']);
    expect(agent).toMatchObject({ code: 5, err: expect.stringContaining('pinned or in the vault') });
    expect((await confirm(cli, named.code)).outcome).toBe('archived');
    expect(readWorkspaceFile(cli.home, ALEX)).not.toContain('walnuts');
  });

  it('says that conversations keep it, and that they are not named without --permanently', async () => {
    const cli = await makeForgetHome();
    await cli.ok('session', 'start', 'ses_talk');
    await cli.ok('session', 'message', 'ses_talk', 'user', 'I sold my cello yesterday and I miss it');
    const plan = await ask(cli, 'cello');
    expect(plan.matches.every(({ kind }) => kind === 'item')).toBe(true);
    expect(plan.notes).toEqual([expect.stringContaining('One turn of a conversation says it too')]);
    const turn = await cli.run(['forget', '--id', 'ses_talk#t1']);
    expect(turn).toMatchObject({ code: 5, err: expect.stringContaining('--permanently') });
  });

  it('hides the turns that say it, until it is restored', async () => {
    const cli = await makeForgetHome();
    await cli.ok('session', 'start', 'ses_talk');
    await cli.ok('session', 'message', 'ses_talk', 'user', 'I sold my cello yesterday and I miss it');
    await cli.ok('session', 'message', 'ses_talk', 'user', 'The ferry to Oslo leaves at nine');
    await cli.ok('session', 'end', 'ses_talk');
    const found = async (...more: readonly string[]): Promise<string> =>
      cli.ok('recall', 'sold my cello yesterday', ...more);
    expect(await found()).toContain('miss it');
    const plan = await ask(cli, 'cello');
    const { archived } = await confirm(cli, plan.code);
    expect(await found()).not.toContain('miss it');
    expect(await found('--archived')).toContain('miss it');
    expect(await cli.ok('recall', 'ferry to Oslo')).not.toContain('miss it');
    await cli.ok('archive', 'restore', archived[0]?.id ?? '');
    expect(await found()).toContain('miss it');
  });

  it('refuses what has changed since, all of it, and says what', async () => {
    const cli = await makeForgetHome();
    const plan = await ask(cli, 'cello');
    writeWorkspaceFile(cli.home, ALEX, ALEX_TEXT.replace('in a quartet', 'in an orchestra'));
    const before = readWorkspaceFile(cli.home, ALEX);
    const refused = await cli.run(['forget', '--confirm', plan.code ?? '']);
    expect(refused).toMatchObject({ code: 4, err: expect.stringContaining('^bbbbbbbbbbbbb') });
    expect(readWorkspaceFile(cli.home, ALEX)).toBe(before);
    const others = plan.matches.filter(({ id }) => id !== 'bbbbbbbbbbbbb').map(({ number }) => number);
    expect((await confirm(cli, plan.code, '--only', others.join(','))).archived).toHaveLength(2);
  });

  it('finds for the session trigger what a sentence means', async () => {
    const cli = await makeForgetHome();
    const mneme = await openMneme({ home: cli.home });
    const { matches } = await findForgettable(mneme.internals, 'what I told you about the kettle');
    expect(matches).toMatchObject([{ text: 'The kettle is blue', store: 'episodic', kind: 'item' }]);
    expect((await findForgettable(mneme.internals, 'the submarine')).matches).toEqual([]);
    await mneme.close();
  });
});

describe('a code', () => {
  let bare: TestCli;
  beforeAll(async () => {
    bare = new TestCli();
    await bare.init();
    await bare.ok('remember', 'The kettle is blue', '--store', 'episodic');
  });

  it('expires after an hour, and its list is not kept longer', async () => {
    const cli = await makeForgetHome();
    let nowMs = Date.parse('2026-11-15T12:00:00Z');
    const clock = { now: () => nowMs };
    const mneme = await openMneme({ home: cli.home, actor: 'manual', parts: { clock } });
    const { code } = await mneme.forget('cello', { permanently: true });
    const file = path.join(cli.home, 'journal/forget', `${code ?? ''}.json`);
    nowMs += 3_600_001;
    await expect(mneme.confirmForget(code ?? '')).rejects.toMatchObject({ code: 'conflict' });
    expect(fs.readFileSync(file, 'utf8')).toContain('cello');
    await mneme.forget('kettle');
    expect(fs.readFileSync(file, 'utf8')).not.toContain('cello');
    await expect(mneme.confirmForget(code ?? '')).rejects.toThrow('has expired');
    nowMs += 25 * 3_600_000;
    await mneme.forget('kettle');
    expect(fs.existsSync(file)).toBe(false);
    await mneme.close();
  });

  it.each([
    [['forget'], 2, 'nothing to forget'],
    [['forget', '   '], 2, 'nothing to forget'],
    [['forget', '--confirm', 'ZZZZZZ'], 3, 'No list of memories waits'],
    [['forget', '--confirm', '../../x'], 3, 'No list of memories waits'],
    [['forget', '--confirm', ''], 2, 'must not be empty'],
    [['forget', '--confirm', 'ABCDEF', 'more words'], 2, 'nothing can be added'],
    [['forget', '--confirm', 'ABCDEF', '--only', '1,x'], 2, '"x" is none'],
    [['forget', '--confirm', 'ABCDEF', '--only', '0'], 2, '"0" is none'],
    [['forget', 'x', '--only', '1'], 2, 'go with --confirm'],
    [['forget', '--id', 'nobody-knows'], 3, 'Nothing remembered has the id'],
    [['forget', '--id', 'MEMORY.md'], 3, 'Nothing remembered has the id'],
    [['forget', '--id', '../../../etc/passwd'], 3, 'Nothing remembered has the id'],
    [['forget', 'x', '--limit', 'many'], 2, '--limit takes a whole number'],
    [['forget', 'x', '--scope', 'nowhere'], 2, 'scope is shared, or'],
    [['forget', 'x'.repeat(20_000)], 2, 'too long'],
    [['--as', 'reader:eve', 'forget', 'kettle'], 5, 'readers only read'],
  ])('%j ends with %i', async (args, code, message) => {
    expect(await bare.run(args)).toMatchObject({ code, err: expect.stringContaining(message) });
  });

  it.each(['\u0000\u0001', '🦆🦆', 'the of and', '^^^', '"', '(((', '- [ ]', 'a'.repeat(9000), 'ß'.repeat(500), '\\'])(
    'nothing is meant by %j',
    async (text) => {
      const { code, out } = await bare.run(['forget', '--json', '--', text]);
      expect([code, (JSON.parse(out) as Partial<ForgetPlan>).matches ?? []]).toEqual([code === 2 ? 2 : 0, []]);
    },
  );

  it('survives a plan file that a crash or a hand has broken', async () => {
    const cli = await makeForgetHome();
    const { code } = await ask(cli, 'kettle');
    const file = path.join(cli.home, 'journal/forget', `${code ?? ''}.json`);
    for (const text of ['', '{', '[]', '{"code":1}', JSON.stringify({ code, state: 'waiting' })]) {
      fs.writeFileSync(file, text);
      expect((await cli.run(['forget', '--confirm', code ?? ''])).code).toBe(3);
    }
    expect((await ask(cli, 'kettle')).matches).toHaveLength(1);
  });

  it('does not lead out of the workspace, whatever stands in the plan', async () => {
    const cli = await makeForgetHome();
    const { code } = await ask(cli, 'kettle');
    const file = path.join(cli.home, 'journal/forget', `${code ?? ''}.json`);
    const plan = JSON.parse(fs.readFileSync(file, 'utf8')) as { items: { path: string; kind: string }[] };
    const items = plan.items.map((item) => ({ ...item, kind: 'file', path: '../mneme.yaml' }));
    fs.writeFileSync(file, JSON.stringify({ ...plan, items }));
    expect((await cli.run(['forget', '--confirm', code ?? ''])).code).toBeGreaterThan(0);
    expect(fs.existsSync(path.join(cli.home, 'mneme.yaml'))).toBe(true);
  });
});

describe('an agent', () => {
  it('may ask, and its confirmation is a proposal', async () => {
    const cli = await makeForgetHome();
    const before = snapshot(cli.home);
    for (const actor of ['bot:main', 'subagent:tidy']) {
      const plan = await ask(cli, 'cello', '--as', actor);
      expect(plan.matches).toHaveLength(3);
      const done = await confirm(cli, plan.code, '--as', actor);
      expect(done).toMatchObject({ outcome: 'proposed', archived: [] });
      expect(snapshot(cli.home)[ALEX]).toBe(before[ALEX]);
      await cli.ok('approve', done.proposal ?? '');
      expect(readWorkspaceFile(cli.home, ALEX)).not.toContain('plays the cello');
      await cli.ok('rollback', done.proposal ?? '');
      expect(readWorkspaceFile(cli.home, ALEX)).toBe(before[ALEX]);
    }
  });

  it('proposes to hide the turns that say it, and approving hides them', async () => {
    const cli = await makeForgetHome();
    await cli.ok('session', 'start', 'ses_talk');
    await cli.ok('session', 'message', 'ses_talk', 'user', 'I sold my cello yesterday and I miss it');
    await cli.ok('session', 'end', 'ses_talk');
    const found = async (): Promise<string> => cli.ok('recall', 'sold my cello yesterday');
    const { code } = await ask(cli, 'cello', '--as', 'bot:main');
    const done = await confirm(cli, code, '--as', 'bot:main');
    expect(await found()).toContain('miss it');
    await cli.ok('approve', done.proposal ?? '');
    expect(await found()).not.toContain('miss it');
    await cli.ok('rollback', done.proposal ?? '');
    expect(await found()).toContain('miss it');
  });

  it('archives with the word of the user, who gave the code back in the conversation', async () => {
    const cli = await makeForgetHome();
    await cli.ok('session', 'start', 'ses_talk');
    const { code } = await ask(cli, 'kettle', '--as', 'bot:main');
    await cli.ok('session', 'message', 'ses_talk', 'user', 'forget about the kettle please');
    await cli.ok('session', 'message', 'ses_talk', 'agent', `shall I? then say ${code ?? ''}`);
    await cli.ok('session', 'message', 'ses_talk', 'user', `yes, ${code?.toLowerCase() ?? ''}`);
    await cli.ok('session', 'message', 'ses_talk', 'user', `No! do not use ${code ?? ''}`);
    const args = ['--as', 'bot:main', 'forget', '--confirm', code ?? '', '--said'];
    for (const turn of ['ses_talk#t1', 'ses_talk#t2', 'ses_talk#t4', 'ses_talk#t9', 'nonsense', ALEX]) {
      expect(await cli.run([...args, turn])).toMatchObject({ code: 5, err: expect.stringContaining('did not give') });
    }
    const done = await confirm(cli, code, '--as', 'bot:main', '--said', 'ses_talk#t3');
    expect(done.outcome).toBe('archived');
    expect(humanGit(cli.home, 'log', '-1', '--format=%B')).toMatch(/Actor: bot:main\nApproval: approved/u);
  });

  it('erases nothing', async () => {
    const cli = await makeForgetHome();
    const plan = await ask(cli, 'kettle', '--permanently', '--as', 'bot:main');
    const refused = await cli.run(['--as', 'bot:main', 'forget', '--confirm', plan.code ?? '']);
    expect(refused).toMatchObject({ code: 5, err: expect.stringContaining('only a person erases') });
  });
});
