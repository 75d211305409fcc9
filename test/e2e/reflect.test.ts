import fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestCli } from '../support/cli.ts';
import { readWorkspaceFile, workspaceFile, writeWorkspaceFile } from '../support/home.ts';
import type { Reflected } from '../../src/operations/reflect/reflect.ts';

const USER = 'memory/graph/entities/person--alex.md';
const LOG = 'memory/meta/reflection-log.md';
const PENDING = 'memory/meta/pending-reflection.md';
const EVOLUTION = 'memory/meta/evolution.md';

const ALEX = `---
id: person--alex
type: person
name: Alex
tags: [user]
---

# Alex

## Facts

- Alex is allergic to latex. <!-- category:fact trust:user importance:0.9 learned:2026-02-01 verified:3 --> ^fffffffffff01
- Alex prefers tea in the morning. <!-- category:preference trust:user importance:0.6 learned:2026-02-01 verified:2 --> ^fffffffffff02
- ~~Alex lives in Graz.~~ (until 2026-02-01) <!-- trust:user learned:2025-02-01 superseded_by:fffffffffff04 --> ^fffffffffff03
- Alex lives in Linz. <!-- trust:user learned:2026-02-01 from:2026-02-01 attribute:residence value:Linz --> ^fffffffffff04
- Alex lives in Wels. <!-- trust:user learned:2026-02-09 from:2026-02-09 attribute:residence value:Wels --> ^fffffffffff05
`;

let cli: TestCli;
const text = (file: string): string => readWorkspaceFile(cli.home, file);
const exists = (file: string): boolean => fs.existsSync(workspaceFile(cli.home, file));

beforeEach(async () => {
  cli = new TestCli();
  await cli.init();
  writeWorkspaceFile(cli.home, USER, ALEX);
  const core = text('MEMORY.md');
  const bullet = '- Alex lives in Graz. <!-- states:fffffffffff03 --> ^ccccccccccc01';
  writeWorkspaceFile(
    cli.home,
    'MEMORY.md',
    `${core.trimEnd()}\n\n## Critical Facts\n\n${bullet}\n`.replace(/## Critical Facts\n\n(?=## Critical Facts)/u, ''),
  );
});

// SPEC NIGHT-3, NIGHT-4
describe('a reflection', () => {
  it('is proposed in one readable form and changes nothing by itself', async () => {
    const before = text('MEMORY.md');
    const out = await cli.ok('reflect');
    expect(out).toContain('Reflection #1 waits for your decision');
    expect(out).toContain('1 · Critical Facts: “Alex is allergic to latex.”');
    expect(out).toMatch(/\d · Alex lives in Graz\. — no longer holds/u);
    expect(out).toContain('+- Alex is allergic to latex.');
    expect(out).toContain('mneme approve reflection');
    expect(text('MEMORY.md')).toBe(before);
    expect(text(USER)).toBe(ALEX);
    expect(exists(EVOLUTION)).toBe(false);
    const pending = text(PENDING);
    expect(pending).toContain('## 🪞 New About You');
    expect(pending).toContain('## ⚠️ Needs a Word From You');
    expect(pending).toContain('more than one residence');
    expect(pending).toMatch(/```diff\n[\s\S]*\+- Alex is allergic to latex\./u);
    expect(pending).toMatch(/\*\*Token budget used\*\*: \d+ \/ 8000/u);
  });

  it('applies as one, is logged, and is taken back as one', async () => {
    const before = text('MEMORY.md');
    const { proposal } = await cli.json<Reflected>('reflect');
    await cli.ok('approve', 'reflection');
    expect(text('MEMORY.md')).toContain('Alex is allergic to latex.');
    expect(text('MEMORY.md')).not.toContain('Graz');
    expect(text(USER)).toContain('~~Alex lives in Linz.~~ (until 2026-02-09)');
    expect(text(EVOLUTION)).toContain('## Reflection #1');
    expect(text(LOG)).toMatch(/## Reflection #1 — \S+ \| approved/u);
    expect(text(PENDING)).toContain('No reflection waits');
    expect(await cli.ok('decay', 'explain', 'fffffffffff01')).toMatch(/used once|1 use|1 time/u);
    await cli.ok('rollback', proposal ?? '');
    expect(text('MEMORY.md')).toBe(before);
    expect(text(USER)).toContain('- Alex lives in Linz.');
    expect(exists(EVOLUTION)).toBe(false);
  });

  it('is taken back by its name, too', async () => {
    const before = text('MEMORY.md');
    await cli.ok('reflect');
    await cli.ok('approve', 'reflection');
    await cli.ok('rollback', '--session', 'r-001');
    expect(text('MEMORY.md')).toBe(before);
    expect(text(USER)).toContain('- Alex lives in Linz.');
    expect(text(LOG)).toContain('| approved');
  });

  it('can be approved in part; the rest waits until somebody decides', async () => {
    const { changes } = await cli.json<Reflected>('reflect');
    const core = changes.findIndex(({ path }) => path === 'MEMORY.md') + 1;
    expect(await cli.ok('approve', 'reflection', '--only', String(core))).toContain('the rest waits');
    expect(text('MEMORY.md')).toContain('latex');
    expect(text(USER)).toBe(ALEX);
    expect(text(LOG)).toContain('| partly approved');
    expect(text(PENDING)).not.toContain('+- Alex is allergic');
    await cli.ok('approve', 'reflection');
    expect(text(USER)).toContain('~~Alex lives in Linz.~~');
    expect(text(LOG)).toContain('| approved');
    expect(text(LOG).match(/^## Reflection #/gmu)).toHaveLength(1);
  });

  it('is decided on line by line, each by its number', async () => {
    const out = await cli.ok('reflect');
    const tea = /(\d+) · \S+: “Alex prefers tea/u.exec(out)?.[1] ?? '';
    const latex = /(\d+) · Critical Facts: “Alex is allergic/u.exec(out)?.[1] ?? '';
    await cli.ok('reject', 'reflection', '--only', tea);
    expect(text(PENDING)).not.toContain('+- Alex prefers tea');
    await cli.ok('approve', 'reflection', '--only', latex);
    await cli.ok('approve', 'reflection');
    expect(text('MEMORY.md')).toContain('latex');
    expect(text('MEMORY.md')).not.toMatch(/\btea\b/u);
    expect(text('MEMORY.md')).not.toContain('Graz');
  });

  it('does not propose in other words what was refused', async () => {
    const rules = ['Alex never deploys on Fridays.', 'Alex wants no deployments on a Friday.'];
    const page = (rule: string | undefined): string =>
      ALEX.replace(
        /## Facts\n[\s\S]*/u,
        `## Facts\n\n- ${rule} <!-- preference 0.9 2026-02-01T09:00 s1#t1 --> ^fffffffffff09\n`,
      );
    writeWorkspaceFile(cli.home, USER, page(rules[0]));
    expect(await cli.ok('reflect')).toContain(rules[0]);
    await cli.ok('reject', 'reflection');
    writeWorkspaceFile(cli.home, USER, page(rules[1]));
    await cli.ok('remember', 'Something new happened at the harbour', '--store', 'episodic');
    const { changes } = await cli.json<Reflected>('reflect');
    expect(changes.map(({ path }) => path)).toEqual([EVOLUTION]);
  });

  it('asks about statements that cannot both hold, in whatever words', async () => {
    const facts = [
      '- Alex lives on the third floor of the house. <!-- person 0.6 2026-02-01T09:00 s1#t1 --> ^fffffffffff11',
      '- Alex lives on the fourth floor, no lift. <!-- person 0.6 2026-02-09T09:00 s2#t1 --> ^fffffffffff12',
      '- Alex is vegetarian. <!-- person 0.6 2026-02-01T09:00 s1#t2 --> ^fffffffffff13',
      '- Alex plays the cello. <!-- person 0.6 2026-02-09T09:00 s2#t2 --> ^fffffffffff14',
    ];
    writeWorkspaceFile(cli.home, USER, ALEX.replace(/## Facts\n[\s\S]*/u, `## Facts\n\n${facts.join('\n')}\n`));
    const out = await cli.ok('reflect');
    const number = /(\d+) · .*third floor.*\(s1#t1\).*fourth floor/u.exec(out)?.[1] ?? '';
    expect(out).not.toMatch(/· .*(?:vegetarian|cello).*but later/u);
    await cli.ok('approve', 'reflection', '--only', number);
    expect(text(USER)).toContain('~~Alex lives on the third floor of the house.~~ (until 2026-02-09)');
  });

  it('can be approved with changes in words, and what was left out does not come back', async () => {
    await cli.ok('reflect');
    await cli.ok('approve', 'reflection', '--without', 'tea');
    expect(text('MEMORY.md')).toContain('latex');
    expect(text('MEMORY.md')).not.toContain('tea in the morning');
    await cli.ok('remember', 'Something new happened at the harbour', '--store', 'episodic');
    const again = await cli.json<Reflected>('reflect');
    expect(again.number).toBe(2);
    expect(again.changes.map(({ path }) => path)).toEqual([EVOLUTION]);
    expect(await cli.run(['approve', 'reflection', '--without', 'zeppelin'])).toMatchObject({ code: 3 });
  });

  it('may add a fact that the nightly pass was not sure enough about, and only once it is approved', async () => {
    await cli.ok('remember', 'Alex works at Harbour Ltd.', '--store', 'episodic', '--importance', '0.4');
    const { changes, proposal } = await cli.json<Reflected>('reflect');
    expect(changes.findLast(({ path }) => path === USER)?.diff).toMatch(/^\+- Alex works at Harbour Ltd\./mu);
    expect(await cli.json<Reflected>('reflect')).toMatchObject({ outcome: 'already-waiting', proposal });
    expect(text(USER)).not.toContain('Harbour');
    await cli.ok('approve', 'reflection');
    expect(text(USER)).toMatch(/^- Alex works at Harbour Ltd\./mu);
    expect((await cli.json<Reflected>('reflect')).changes.filter(({ path }) => path === USER)).toEqual([]);
  });

  it('can be approved as a person edits it, and that is taken back as one', async () => {
    const before = text('MEMORY.md');
    const { proposal } = await cli.json<Reflected>('reflect');
    expect(await cli.ok('proposals', 'show', proposal ?? '')).toMatch(/\+- Alex is allergic to latex\./u);
    const person = new TestCli(cli.home, { answers: ['y', 'y'] });
    Object.assign(person.environment, { editor: "sed -i.bak 's/allergic to latex/allergic to latex gloves/'" });
    await person.ok('approve', 'reflection', '--edit');
    expect(text('MEMORY.md')).toContain('Alex is allergic to latex gloves.');
    expect(text(LOG)).toMatch(/\| approved/u);
    await cli.ok('rollback', proposal ?? '');
    expect(text('MEMORY.md')).toBe(before);
    expect(text(USER)).toContain('- Alex lives in Linz.');
  });

  it('is not proposed again once it was rejected, and the reason is kept', async () => {
    await cli.ok('reflect');
    await cli.ok('reject', 'reflection', '--why', 'my core memory is my own');
    expect(text(LOG)).toContain('- reason: my core memory is my own');
    expect(await cli.ok('reflect')).toContain('Nothing is new');
    await cli.ok('remember', 'Something new happened at the harbour', '--store', 'episodic');
    const again = await cli.json<Reflected>('reflect');
    expect(again.changes.map(({ path }) => path)).toEqual([EVOLUTION]);
    expect(again.text).toContain('my core memory is my own');
  });

  it('waits alone: the same is not filed twice, and newer knowledge takes its place', async () => {
    const first = await cli.json<Reflected>('reflect');
    const same = await cli.json<Reflected>('reflect');
    expect(same).toMatchObject({ outcome: 'already-waiting', proposal: first.proposal });
    const more =
      '- Alex is left-handed. <!-- trust:user importance:0.8 learned:2026-02-10 verified:2 --> ^fffffffffff06\n';
    writeWorkspaceFile(cli.home, USER, `${text(USER)}${more}`);
    const next = await cli.json<Reflected>('reflect');
    expect(next).toMatchObject({ outcome: 'proposed', number: 1 });
    expect((await cli.json<{ kind: string }[]>('proposals')).filter(({ kind }) => kind === 'reflection')).toHaveLength(
      1,
    );
  });

  it('takes up what was deferred, and says what it cannot decide', async () => {
    await cli.ok(
      'proposals',
      'add',
      'memory/reference/a.md',
      '--title',
      'Router',
      '--content',
      'Hall.',
      '--as',
      'subagent:scout',
    );
    const [{ id }] = await cli.json<[{ id: string }]>('proposals');
    await cli.ok('proposals', 'defer', id);
    expect(await cli.ok('reflect')).toContain(`Router — from subagent:scout (mneme approve ${id})`);
    expect(await cli.json('proposals', '--state', 'deferred')).toEqual([]);
  });

  it('files nothing on a dry run, and says when nothing is new or waits', async () => {
    expect(await cli.ok('reflect', '--dry-run')).toContain('Reflection #1 would say');
    expect(await cli.json('proposals')).toEqual([]);
    expect(exists(PENDING)).toBe(false);
    const { code, err } = await cli.run(['approve', 'reflection']);
    expect(code).toBe(3);
    expect(err).toContain('mneme learn reflect');
    const empty = new TestCli();
    await empty.init();
    expect(await empty.ok('reflect')).toContain('Nothing is new');
  });

  it('is called reflection wherever an id stands', async () => {
    const { proposal } = await cli.json<Reflected>('reflect');
    expect(await cli.ok('proposals', 'show', 'reflection')).toContain(proposal);
    expect(await cli.ok('proposals', 'defer', 'reflection')).toContain(`${proposal ?? ''} is now deferred`);
    expect(await cli.ok('proposals', 'rebase', 'reflection')).toContain('is now pending');
    expect(await cli.ok('proposals', 'withdraw', 'reflection')).toContain('is now withdrawn');
    expect(text(PENDING)).toContain('No reflection waits');
    expect((await cli.run(['proposals', 'show', 'reflection'])).code).toBe(3);
  });

  it('is decided by a person only', async () => {
    await cli.ok('reflect');
    expect(await cli.run(['approve', 'reflection', '--as', 'bot:main'])).toMatchObject({ code: 5 });
    expect(await cli.run(['approve', 'reflection', '--as', 'subagent:scout'])).toMatchObject({ code: 5 });
  });
});
