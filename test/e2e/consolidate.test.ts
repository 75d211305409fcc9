import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/index.ts';
import { TestCli } from '../support/cli.ts';
import { initTestHome, makeTemporaryFolder, readWorkspaceFile, writeWorkspaceFile } from '../support/home.ts';

const clock = { time: 0, now: (): number => clock.time };
let home: string;
let m: Mneme;

beforeEach(async () => {
  clock.time = Date.parse('2026-02-16T09:00:00Z');
  home = makeTemporaryFolder();
  await initTestHome(home);
  m = await openMneme({ home, parts: { clock } });
});
afterEach(() => m.close());

function allFiles(): Record<string, string> {
  const root = path.join(home, 'workspace', 'memory');
  const files = fs.readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const full = path.join(entry.parentPath, entry.name);
      return [path.relative(root, full), fs.readFileSync(full, 'utf8')];
    }),
  );
}

const EPISODES = `---
type: episodes
date: 2026-02-03
---

# 2026-02-03

## 10:00 | decision
<!-- importance:0.8 source:user-explicit trust:user -->
Vera lives in Graz. ^aaaaaaaaaaaaa

## 11:00 | event
<!-- importance:0.2 -->
The printer was out of paper. ^bbbbbbbbbbbbb

## 12:00 | error
The upload failed twice, then worked. ^ccccccccccccc
`;

// SPEC NIGHT-1, NIGHT-2
describe('the daily pass', () => {
  it('tells a day from its entries, carries over what matters, and links it', async () => {
    writeWorkspaceFile(home, 'memory/episodes/2026-02-03.md', EPISODES);
    const { steps } = await m.consolidate();
    expect(steps.map(({ name, state }) => [name, state])).toEqual([
      ['journal', 'done'],
      ['patterns', 'done'],
      ['facts', 'done'],
      ['graph', 'done'],
    ]);
    const journal = readWorkspaceFile(home, 'memory/journal/2026-02-03.md');
    expect(journal).toContain('- The printer was out of paper.');
    expect(journal).toContain('## Errors and Recoveries\n\n- The upload failed twice, then worked.');
    expect(journal).toContain('- entries: 3');
    expect(journal).toContain('sessions: []');
    const vera = readWorkspaceFile(home, 'memory/graph/entities/person--vera.md');
    const fact = /Vera lives in Graz\..*\^(\S+)/u.exec(vera)?.[1];
    expect(readWorkspaceFile(home, 'memory/episodes/2026-02-03.md')).toContain(`consolidated_into:${fact}`);
    expect(readWorkspaceFile(home, 'memory/graph/index.md')).toContain('person--vera');
  });

  it('adds nothing when it is run again, with or without its record of progress', async () => {
    writeWorkspaceFile(home, 'memory/episodes/2026-02-03.md', EPISODES);
    await m.consolidate();
    const after = allFiles();
    const again = await m.consolidate();
    expect(again.steps.every(({ state }) => state === 'done-before')).toBe(true);
    fs.rmSync(path.join(home, 'journal', 'consolidation.json'));
    const anew = await m.consolidate();
    expect(anew.steps.flatMap(({ mutations }) => mutations)).toEqual([]);
    expect(allFiles()).toEqual(after);
  });

  it('leaves what a person changed in a journal as it is', async () => {
    writeWorkspaceFile(home, 'memory/episodes/2026-02-03.md', EPISODES);
    await m.consolidate();
    const file = 'memory/journal/2026-02-03.md';
    const edited = readWorkspaceFile(home, file).replace(
      '- The printer was out of paper.',
      '- The printer again. I hate it.',
    );
    writeWorkspaceFile(home, file, edited);
    await m.consolidate({ date: '2026-02-03' });
    expect(readWorkspaceFile(home, file)).toContain('- The printer again. I hate it.');
    expect(readWorkspaceFile(home, file)).not.toContain('out of paper');
  });

  it('proposes what would replace a fact instead of writing it', async () => {
    await m.graph.add({ name: 'Vera', type: 'person' });
    clock.time = Date.parse('2026-02-01T09:00:00Z');
    await m.remember('Vera lives in Linz.');
    clock.time = Date.parse('2026-02-16T09:00:00Z');
    writeWorkspaceFile(home, 'memory/episodes/2026-02-03.md', EPISODES);
    const { steps } = await m.consolidate();
    expect(steps.flatMap(({ proposals }) => proposals)).toHaveLength(1);
    const vera = readWorkspaceFile(home, 'memory/graph/entities/person--vera.md');
    expect(vera).toContain('Vera lives in Linz.');
    expect(vera).not.toContain('Graz');
  });

  it('is not stopped by a day that a person has to mend first', async () => {
    writeWorkspaceFile(home, 'memory/episodes/2026-02-03.md', EPISODES);
    writeWorkspaceFile(
      home,
      'memory/episodes/2026-02-04.md',
      '# 2026-02-04\n\n## 10:00 | event\n\nWent sailing. ^sssssssssssss\n',
    );
    const damaged = '---\ntype: [journal\n---\n\n# mine\n';
    writeWorkspaceFile(home, 'memory/journal/2026-02-03.md', damaged);
    const { steps } = await m.consolidate();
    expect(steps.find(({ name }) => name === 'journal')).toMatchObject({
      state: 'done',
      files: ['memory/journal/2026-02-04.md'],
      notes: [expect.stringContaining('memory/journal/2026-02-03.md')],
    });
    expect(readWorkspaceFile(home, 'memory/journal/2026-02-03.md')).toBe(damaged);
  });

  it('shows on a dry run what it would do and writes nothing', async () => {
    writeWorkspaceFile(home, 'memory/episodes/2026-02-03.md', EPISODES);
    const before = allFiles();
    const { isDryRun, steps } = await m.consolidate({ dryRun: true });
    expect(isDryRun).toBe(true);
    expect(steps.find(({ name }) => name === 'facts')?.notes).toEqual(['Vera lives in Graz.']);
    expect(allFiles()).toEqual(before);
  });
});

function journalOf(date: string, points: Record<string, readonly string[]>, decisions: readonly string[] = []): string {
  const topics = Object.entries(points).map(
    ([name, lines]) => `### ${name}\n\n${lines.map((line) => `- ${line}\n`).join('')}`,
  );
  const decided = decisions.length === 0 ? '' : `\n## Decisions\n\n${decisions.map((line) => `- ${line}\n`).join('')}`;
  return `---\ntype: journal\ndate: ${date}\nsessions: [ses_${date}]\n---\n\n# ${date}\n\n## What Happened\n\n${topics.join('\n')}${decided}`;
}

describe('the weekly pass', () => {
  beforeEach(() => {
    writeWorkspaceFile(home, 'memory/journal/2026-02-09.md', journalOf('2026-02-09', { Tiles: ['Seeded the cache.'] }));
    const friday = journalOf('2026-02-13', { tiles: ['Moved to Postgres.'], Garden: ['Planted beans.'] }, [
      'Use Postgres.',
    ]);
    writeWorkspaceFile(home, 'memory/journal/2026-02-13.md', friday);
  });

  it('summarises the week from its day files, reports figures, and keeps what a person changed', async () => {
    const { steps } = await m.consolidate({ period: 'week' });
    expect(steps.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'roll-up done',
      'procedures done',
      'duplicates done',
      'core done',
      'report done',
    ]);
    const file = 'memory/journal/weekly/2026-W07.md';
    const week = readWorkspaceFile(home, file);
    expect(week).toMatch(/### Tiles\n[\s\S]*- Seeded the cache\.\n- Moved to Postgres\.\n[\s\S]*### Garden/u);
    expect(week).toContain('## Decisions\n\n- Use Postgres.');
    expect(week).toContain('- days: 2');
    expect(readWorkspaceFile(home, 'memory/meta/reports/2026-W07.md')).toContain('- captures per day: 0.0');
    writeWorkspaceFile(home, file, week.replace('- Planted beans.', '- Planted peas.'));
    writeWorkspaceFile(home, 'memory/journal/2026-02-15.md', journalOf('2026-02-15', { Garden: ['Watered it.'] }));
    await m.consolidate({ period: 'week', date: '2026-02-15' });
    const again = readWorkspaceFile(home, file);
    expect(again).toContain('- Planted peas.');
    expect(again).not.toContain('beans');
    expect(again).toContain('- Watered it.');
    expect(again.match(/### Garden/gu)).toHaveLength(1);
  });

  it('proposes to merge who is there twice, once, and not again when refused', async () => {
    for (const name of ['Vera Kowalski', 'Vera Kowalsky']) {
      await m.graph.add({ name, type: 'person' });
      await m.graph.fact(name, 'Engineer at Acme in Graz, runs the tile server.');
    }
    await m.graph.add({ name: 'Tomasz Nowak', type: 'person' });
    const merges = async (date: string): Promise<readonly string[]> => {
      clock.time = Date.parse(`${date}T09:00:00Z`);
      const { steps } = await m.consolidate({ period: 'week' });
      return steps.find(({ name }) => name === 'duplicates')?.proposals ?? [];
    };
    const [proposal = '', ...more] = await merges('2026-02-18');
    expect(more).toEqual([]);
    const { proposals } = await m.proposals.list();
    expect(proposals.map(({ title }) => title)).toContainEqual(expect.stringMatching(/^Merge Vera Kowalsk. /u));
    expect(await merges('2026-02-25')).toEqual([]);
    const person = await openMneme({ home, actor: 'human:ines', parts: { clock } });
    await person.reject({ ids: [proposal], why: 'They are cousins.' });
    await person.close();
    await m.graph.fact('Vera Kowalsky', 'Plays chess.');
    expect(await merges('2026-03-04')).toEqual([]);
  });

  it('tells a week again in the next one, when more days of it are over', async () => {
    clock.time = Date.parse('2026-02-12T09:00:00Z');
    await m.consolidate({ period: 'week' });
    expect(readWorkspaceFile(home, 'memory/journal/weekly/2026-W07.md')).not.toContain('Postgres');
    clock.time = Date.parse('2026-02-18T09:00:00Z');
    await m.consolidate({ period: 'week' });
    expect(readWorkspaceFile(home, 'memory/journal/weekly/2026-W07.md')).toContain('Moved to Postgres.');
    const after = allFiles();
    fs.rmSync(path.join(home, 'journal', 'consolidation.json'));
    await m.consolidate({ period: 'week' });
    expect(allFiles()).toEqual(after);
  });
});

describe('the monthly pass', () => {
  it('tells the month and lists what to look at in projects and people', async () => {
    writeWorkspaceFile(home, 'memory/journal/2026-02-09.md', journalOf('2026-02-09', { Tiles: ['Seeded the cache.'] }));
    await m.graph.add({ name: 'Nemo', type: 'person' });
    await m.graph.add({ name: 'Harbour', type: 'project' });
    const project = 'memory/graph/entities/project--harbour.md';
    const tasks = '\n## Goals and Tasks\n\n- [ ] Paint the buoys. <!-- due:2026-02-10 --> ^ttttttttttt01\n';
    writeWorkspaceFile(home, project, `${readWorkspaceFile(home, project).trimEnd()}\n${tasks}`);
    const { steps } = await m.consolidate({ period: 'month' });
    expect(steps.find(({ name }) => name === 'review')?.summary).toBe('2 projects and people, 2 to look at');
    expect(readWorkspaceFile(home, 'memory/journal/monthly/2026-02.md')).toContain('- Seeded the cache.');
    const review = readWorkspaceFile(home, 'memory/meta/reviews/2026-02.md');
    expect(review).toContain('## [[person--nemo]]\n\n- nothing is known');
    expect(review).toContain('- was due 2026-02-10: Paint the buoys.');
  });
});

describe('jobs', () => {
  it('condense and reflect by themselves, once', async () => {
    writeWorkspaceFile(home, 'memory/episodes/2026-02-03.md', EPISODES);
    expect(await m.jobs.run('daily')).toMatchObject({ state: 'done', summary: expect.stringContaining('1 day told') });
    expect(await m.jobs.run('daily')).toMatchObject({ summary: 'everything was done before' });
    expect(await m.jobs.run('checkpoint')).toMatchObject({ summary: 'no open session holds enough that is new' });
    expect(await m.jobs.run('reflect')).toMatchObject({ summary: expect.stringContaining('reflection #1 waits') });
    expect(await m.jobs.run('reflect')).toMatchObject({ summary: 'too little is new' });
  });

  it('learn at a checkpoint from a conversation that goes on', async () => {
    const session = await m.session.start({});
    for (let turn = 0; turn < 11; turn += 1) await session.message('user', `I decided to buy boat number ${turn}.`);
    expect(await m.jobs.run('checkpoint')).toMatchObject({ summary: '1 open session looked at' });
    expect(await m.jobs.run('checkpoint')).toMatchObject({ summary: 'no open session holds enough that is new' });
  });

  it('learn within minutes from a short conversation that pauses', async () => {
    // When a session was last written to is told by its files.
    clock.time = Date.now();
    const session = await m.session.start({ id: 'ses_short' });
    await session.message('user', 'We decided to use Kafka for the event pipeline.');
    await session.message('assistant', 'Noted.');
    expect(await m.jobs.run('checkpoint')).toMatchObject({ summary: 'no open session holds enough that is new' });
    clock.time += 4 * 60_000;
    expect(await m.jobs.run('checkpoint')).toMatchObject({ summary: '1 open session looked at' });
    expect(JSON.stringify(allFiles())).toContain('use Kafka for the event pipeline');
  });

  it('look back after a long conversation, and when a message asks for it', async () => {
    const session = await m.session.start({});
    for (let turn = 0; turn < 41; turn += 1) await session.message('user', `My sister Fiona lives in house ${turn}.`);
    await session.end();
    await m.close();
    m = await openMneme({ home, parts: { clock } });
    const [proposal] = m.internals.proposals.list({ kind: 'reflection' }).proposals;
    expect(proposal?.trigger).toBe('reflect session-end');
    const next = await m.session.start({});
    const { triggers } = await next.message('user', 'Please reflect on your memories.');
    expect(triggers).toMatchObject([{ kind: 'reflect', reflection: { number: 1, proposal: proposal?.id } }]);
  });
});

describe('mneme learn consolidate', () => {
  it('says what it did, refuses what is no period or no day, and never twice at once', async () => {
    const cli = new TestCli(home);
    writeWorkspaceFile(home, 'memory/episodes/2026-02-03.md', EPISODES);
    expect(await cli.ok('consolidate')).toContain('journal: 1 day told');
    expect(await cli.ok('consolidate')).toContain('was condensed before');
    expect(await cli.run(['consolidate', 'fortnight'])).toMatchObject({ code: 2 });
    expect(await cli.run(['consolidate', '--date', 'tomorrow'])).toMatchObject({ code: 2 });
    expect(await cli.run(['consolidate', '--date', '2999-01-01'])).toMatchObject({ code: 2 });
    const both = await Promise.allSettled([
      m.consolidate({ date: '2026-02-03' }),
      m.consolidate({ date: '2026-02-03' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
