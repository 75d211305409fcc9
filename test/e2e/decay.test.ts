import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMneme, type Mneme, type OpenOptions } from '../../src/index.ts';
import { lookAtDue } from '../../src/operations/decay/look-at-due.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { TestCli } from '../support/cli.ts';
import { initTestHome, makeTemporaryFolder, writeWorkspaceFile } from '../support/home.ts';
import { DAY_MS } from '../../src/model/time.ts';

const startMs = Date.UTC(2026, 0, 10, 12);
const ALEX = 'memory/graph/entities/person--alex.md';
const ALEX_TEXT = `---
id: person--alex
type: person
name: Alex
---

# Alex

## Facts

- Alex had a cold in January. <!-- source:conversation learned:2026-01-10 --> ^aaaaaaaaaaaaa
- Alex drives a green van. <!-- source:conversation learned:2026-01-10 --> ^bbbbbbbbbbbbb
- Alex keeps walnuts. <!-- source:conversation importance:0.9 learned:2026-01-10 --> ^ccccccccccccc
- Alex collects teapots. <!-- source:conversation pinned learned:2026-01-10 --> ^ddddddddddddd
`;

let home: string;
let m: Mneme;
let nowMs: number;
const clock = { ...systemClock, now: () => nowMs };

const open = (options: Partial<OpenOptions> = {}): Promise<Mneme> =>
  openMneme({ home, actor: 'manual', parts: { clock }, ...options });
const after = (days: number): void => {
  nowMs = startMs + days * DAY_MS;
};
const textOf = (file: string): string => fs.readFileSync(path.join(home, 'workspace', file), 'utf8');
const proposals = () => m.internals.proposals.list({ kind: 'archive' }).proposals;

beforeEach(async () => {
  nowMs = startMs;
  home = makeTemporaryFolder();
  await initTestHome(home);
  writeWorkspaceFile(home, ALEX, ALEX_TEXT);
  m = await open();
});
afterEach(() => m.close());

// SPEC NIGHT-8, FADE-2
describe('fading', () => {
  it('goes from active to faint, and spares what is pinned', async () => {
    const statusOf = async (id: string): Promise<string> => (await m.decay.explain(id)).fading.status;
    const seen: string[] = [];
    for (const days of [1, 50, 90, 150]) {
      after(days);
      seen.push(await statusOf('aaaaaaaaaaaaa'));
    }
    expect(seen).toEqual(['active', 'fading', 'dormant', 'faint']);
    expect(await statusOf('ddddddddddddd')).toBe('active');
    const { stores, total } = await m.decay.status();
    expect(stores).toContainEqual({ store: 'semantic', active: 1, fading: 0, dormant: 0, faint: 3, pinned: 1 });
    expect(total.faint).toBe(3);
  });

  it('explains itself, and so does why', async () => {
    after(90);
    const { fading, gc, kept, wouldArchive } = await m.decay.explain('ccccccccccccc');
    expect(fading.parts).toMatchObject({ base: 0.7, typeWeight: 1.2, habit: 1 });
    expect(fading.becomes.map(({ status }) => status)).toEqual(['faint']);
    expect([kept, wouldArchive]).toEqual(['it is important', null]);
    expect(gc.importance).toBe(0.9);
    const why = await m.why('ccccccccccccc');
    expect(why).toMatchObject({ remembered: { fading: { status: 'dormant', relevance: fading.relevance } } });
    await expect(m.decay.explain('zzzzzzzzzzzzz')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('keeps nothing that is needed from being told, however far it has faded', async () => {
    const told = async (message: string): Promise<string> => (await m.context(message, { event: 'prompt' })).prompt;
    const statement = 'I will park behind the green van that Alex drives';
    expect(await told(statement)).toContain('green van');
    after(90);
    expect(await told(statement)).toContain('green van');
    const { hits } = await m.recall('which van does Alex drive?');
    expect(hits[0]?.text).toContain('green van');
  });
});

describe('a run', () => {
  it('proposes, hides nothing by itself, and adds no second proposal while nobody answers', async () => {
    after(150);
    const first = await m.decay.run();
    expect(first).toMatchObject({ outcome: 'proposed', count: 2 });
    expect(first.candidates.map(({ id }) => id)).toEqual(['aaaaaaaaaaaaa', 'bbbbbbbbbbbbb']);
    for (const days of [151, 180, 430]) {
      after(days);
      expect(await m.decay.run()).toMatchObject({ outcome: 'waiting', proposal: first.proposal });
    }
    expect(proposals()).toHaveLength(1);
    expect(textOf(ALEX)).toBe(ALEX_TEXT);
    expect((await m.recall('Alex green van')).hits[0]?.text).toContain('green van');
  });

  it('lets a proposal that nobody answered for a week grow by what has come due since', async () => {
    const ben = ALEX_TEXT.replaceAll('alex', 'ben').replaceAll('Alex', 'Ben').replaceAll('2026-01-10', '2026-06-01');
    const anchors = ben.replaceAll('aaaaaaaaaaaaa', 'eeeeeeeeeeeee').replaceAll('bbbbbbbbbbbbb', 'fffffffffffff');
    writeWorkspaceFile(
      home,
      'memory/graph/entities/person--ben.md',
      anchors.replaceAll(/^- .*(?:walnuts|teapots).*\n/gmu, ''),
    );
    await m.close();
    m = await open();
    after(150);
    const first = await m.decay.run();
    expect(first).toMatchObject({ outcome: 'proposed', count: 2 });
    after(155);
    expect(await m.decay.run()).toMatchObject({ outcome: 'waiting', proposal: first.proposal });
    after(300);
    const grown = await m.decay.run();
    expect(grown).toMatchObject({ outcome: 'proposed', count: 4 });
    expect(proposals().map(({ id, state }) => [id, state])).toEqual([
      [first.proposal, 'withdrawn'],
      [grown.proposal, 'pending'],
    ]);
  });

  it('puts up what the chain proves like anything else: a proof is no pin', async () => {
    await m.chain.add('Alex drives a green van.', { item: 'bbbbbbbbbbbbb' });
    after(150);
    expect((await m.decay.run()).candidates.map(({ id }) => id)).toContain('bbbbbbbbbbbbb');
  });

  it('changes nothing in a dry run', async () => {
    after(150);
    expect(await m.decay.run({ dryRun: true })).toMatchObject({ outcome: 'dry-run', transitions: 0 });
    expect(proposals()).toEqual([]);
    expect(fs.existsSync(path.join(home, 'workspace/memory/meta/decay-scores.json'))).toBe(false);
  });

  it('counts who changed status, for the audit', async () => {
    after(1);
    await m.decay.run();
    after(60);
    expect((await m.decay.run()).transitions).toBe(3);
    await m.internals.audit.sync();
    expect(
      m.internals.audit.lines().some(({ action, summary }) => action === 'DECAY' && summary.startsWith('3 memories')),
    ).toBe(true);
  });

  it('archives what a person approves; what comes back is as it was and not proposed again', async () => {
    after(150);
    const { proposal } = await m.decay.run();
    await m.internals.proposals.approve(proposal ?? '', { actor: 'manual' });
    expect(textOf(ALEX)).not.toContain('green van');
    expect((await m.archive.list()).entries.map(({ item, reason }) => [item, reason])).toEqual([
      ['aaaaaaaaaaaaa', 'decay'],
      ['bbbbbbbbbbbbb', 'decay'],
    ]);
    const { hits } = await m.archive.search('green van');
    expect(hits[0]).toMatchObject({ archived: 'bbbbbbbbbbbbb' });
    await m.archive.restore('bbbbbbbbbbbbb');
    await m.archive.restore('aaaaaaaaaaaaa');
    expect(textOf(ALEX)).toBe(ALEX_TEXT);
    expect((await m.archive.list()).entries).toEqual([]);
    expect((await m.decay.run()).candidates).toEqual([]);
    await expect(m.archive.restore('aaaaaaaaaaaaa')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('is not stopped by two memories with one anchor', async () => {
    const twice = ['Saw a gull.', 'Saw a seal.'].map((text) => `- ${text} ^0000000000000\n`).join('');
    await m.close();
    writeWorkspaceFile(home, 'memory/episodes/2026-01-09.md', `---\ndate: 2026-01-09\n---\n\n# 2026-01-09\n\n${twice}`);
    m = await open();
    after(150);
    const { outcome, proposal, count } = await m.decay.run();
    expect([outcome, count]).toEqual(['proposed', 3]);
    await m.internals.proposals.approve(proposal ?? '', { actor: 'manual' });
    expect(textOf('memory/episodes/2026-01-09.md')).toContain('Saw a seal');
  });

  it('does not propose again what was rejected', async () => {
    after(150);
    const { proposal } = await m.decay.run();
    await m.internals.proposals.reject(proposal ?? '', { actor: 'manual', why: 'I want to keep it' });
    after(230);
    expect(await m.decay.run()).toMatchObject({ outcome: 'nothing', candidates: [] });
  });

  it('does not propose what has something pinned, important or still to be done below it', async () => {
    await m.close();
    const task = (words: string, child: string): string =>
      `- [ ] ${words} <!-- source:conversation learned:2026-01-10 -->\n  - ${child}\n`;
    writeWorkspaceFile(
      home,
      ALEX,
      `${ALEX_TEXT}\n## Goals and Tasks\n\n${[
        task('Paint the boat.', 'Colour as agreed. <!-- pinned -->'),
        task('Call the yard.', 'They close for good. <!-- importance:0.95 -->'),
        task('Sell the van.', '[ ] Find the papers. <!-- due:2027-09-01 learned:2026-01-10 -->'),
        task('Buy a lamp.', 'The green one.'),
      ].join('')}- [ ] Renew the passport. <!-- source:conversation learned:2026-01-10 due:2026-09-01 -->\n`,
    );
    after(150);
    m = await open();
    const tasks = (await m.decay.run()).candidates.filter(({ text }) => !text.startsWith('Alex'));
    expect(tasks.map(({ text }) => text)).toEqual([expect.stringContaining('Buy a lamp')]);
  });

  it('archives at once where the person set that policy', async () => {
    await m.close();
    fs.appendFileSync(path.join(home, 'mneme.yaml'), '\nproposals:\n  auto_archive: true\n');
    // What was replaced stays, and goes on naming what replaced it.
    const replaced =
      '- ~~Alex drives a blue van.~~ <!-- source:conversation superseded_by:bbbbbbbbbbbbb --> ^fffffffffffff\n';
    writeWorkspaceFile(home, ALEX, `${ALEX_TEXT}${replaced}`);
    after(150);
    m = await open();
    expect(await m.decay.run()).toMatchObject({ outcome: 'archived', count: 2 });
    expect(await new TestCli(home).ok('check')).toContain('agrees');
    expect(textOf(ALEX)).not.toContain('green van');
    expect(textOf(ALEX)).toContain('walnuts');
  });

  it('tells other devices what was used', async () => {
    m.internals.access.recordUses('confirmation', nowMs, ['aaaaaaaaaaaaa']);
    expect(await m.decay.run()).toMatchObject({ isCheckpointed: true });
    expect(textOf('memory/meta/decay-scores.json')).toMatch(/"aaaaaaaaaaaaa [0-9a-f]{12}": \{"count":1,/u);
    expect(await m.decay.run()).toMatchObject({ isCheckpointed: false });
    await m.close();
    fs.rmSync(path.join(home, 'journal/access'), { recursive: true });
    m = await open();
    expect((await m.decay.explain('aaaaaaaaaaaaa')).fading.uses).toBe(1);
  });
});

describe('a night', () => {
  it('looks only at what changed or is due, and finds what looking at everything finds', async () => {
    const { access } = m.internals;
    for (const [days, change] of [
      [1, () => undefined],
      [20, () => access.recordUses('reply', nowMs, ['bbbbbbbbbbbbb'])],
      [45, () => writeWorkspaceFile(home, ALEX, ALEX_TEXT.replace('green van', 'red van'))],
      [90, () => access.recordUses('reply', nowMs, ['aaaaaaaaaaaaa'])],
      [
        120,
        () =>
          writeWorkspaceFile(home, 'memory/episodes/2026-01-09.md', '# 2026-01-09\n\n- Saw a gull. ^eeeeeeeeeeeee\n'),
      ],
      [300, () => fs.rmSync(path.join(home, 'workspace/memory/episodes/2026-01-09.md'))],
      [299, () => fs.rmSync(path.join(home, 'state/fading.db'))],
      [600, () => undefined],
    ] as const) {
      after(days);
      change();
      await m.close();
      m = await open();
      const everything = await m.decay.run({ dryRun: true });
      const look = await lookAtDue(m.internals);
      expect([days, look.memories, look.candidates.map(({ id }) => id).toSorted()]).toEqual([
        days,
        everything.memories,
        everything.candidates.map(({ id }) => id).toSorted(),
      ]);
    }
  });
});

describe('use', () => {
  it('is what a reply says, not what was listed', async () => {
    const session = await m.session.start({ user: 'Ines' });
    await m.context('what should I know about Alex before we bake?', { session: session.id });
    await m.recall('Alex van');
    await session.message('user', 'what should I know about Alex before we bake?');
    await session.message('agent', 'Alex keeps walnuts, so bring a nutcracker.');
    await session.end();
    await m.extract({ sessions: [session.id] });
    const uses = async (id: string): Promise<number> => (await m.decay.explain(id)).fading.uses;
    expect(await uses('ccccccccccccc')).toBe(1);
    expect(await uses('bbbbbbbbbbbbb')).toBe(0);
  });
});

describe('forget --strategy', () => {
  it('shows a plan, and archives what is confirmed', async () => {
    await m.close();
    const cli = new TestCli(home);
    const shown = await cli.json('forget', '--strategy', 'access', '--dry-run');
    expect(shown).toMatchObject({ code: null, matches: [{ id: 'aaaaaaaaaaaaa' }, { id: 'bbbbbbbbbbbbb' }] });
    const { code } = await cli.json<{ code: string }>('forget', '--strategy', 'access', '--limit', '1');
    await cli.ok('forget', '--confirm', code);
    expect(textOf(ALEX)).not.toContain('had a cold');
    expect(textOf(ALEX)).toContain('green van');
    const wrong = await cli.run(['forget', '--strategy', 'mood']);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('age, relevance, importance or access')]);
    expect((await cli.run(['forget', 'x', '--strategy', 'age'])).code).toBe(2);
    expect((await cli.run(['forget', 'x', '--dry-run'])).code).toBe(2);
    expect((await cli.run(['--as', 'reader:x', 'forget', '--strategy', 'age'])).code).toBe(5);
    m = await open();
  });
});
