import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { TestCli, type CliResult } from '../support/cli.ts';
import { fixture } from '../support/imports.ts';

interface Found {
  readonly hits: readonly {
    readonly id: string;
    readonly path: string;
    readonly startLine: number;
    readonly text: string;
    readonly store: string;
  }[];
  readonly mode: string;
  readonly answered: boolean;
  readonly notes: readonly string[];
}

async function makeMemory(): Promise<TestCli> {
  const cli = new TestCli();
  await cli.init();
  await cli.ok(
    'remember',
    'We deploy on Tuesdays, after the stand-up',
    '--tags',
    'deploy',
    '--type',
    'decision',
    '--importance',
    '0.5',
  );
  await cli.ok('remember', 'The staging server is called heron', '--importance', '0.9');
  await cli.ok('remember', '東京の会議は三時から', '--tags', 'tokyo');
  await cli.ok('remember', 'הפגישה בתל אביב ביום שני');
  await cli.ok('remember', 'Birthday cake 🎂 for Anna');
  await cli.ok('import', 'claude-code', fixture('claude-code'));
  return cli;
}

const bin = path.resolve(import.meta.dirname, '../../bin/mneme');

function spawnMneme(home: string, args: readonly string[], input?: string | Buffer): CliResult {
  const result = spawnSync(process.execPath, [bin, '--home', home, ...args], { encoding: 'utf8', input });
  return { code: result.status ?? -1, out: result.stdout, err: result.stderr };
}

// SPEC SEARCH-1, SEARCH-6
describe('recall', () => {
  let cli: TestCli;
  beforeAll(async () => {
    cli = await makeMemory();
  });

  const texts = async (...args: string[]): Promise<string[]> =>
    (await cli.json<Found>('recall', ...args)).hits.map(({ text }) => text);

  it('names the mutation that wrote a hit when it explains', async () => {
    const { id, mutation } = await cli.json<{ id: string; mutation: string }>(
      'remember',
      'The kettle lives in the shed',
    );
    const { hits } = await cli.json<Found>('recall', 'where is the kettle?', '--explain');
    const hit = hits.find((found) => found.id === id);
    expect(hit).toMatchObject({ provenance: { mutation } });
  });

  it('finds imported conversations when asked about the past up to now', async () => {
    const found = await texts('which port does the parcel service listen on?', '--at', 'HEAD');
    expect(found[0]).toContain('8431');
  });

  it('answers with the documented shape, and the lines are where it says', async () => {
    const { hits, mode, ...rest } = await cli.json<Found>('recall', 'when', 'do', 'we', 'deploy?');
    expect(mode).toBe('hybrid');
    expect(rest).toMatchObject({ tookMs: expect.any(Number) as number, notes: [] });
    expect(hits[0]).toMatchObject({
      id: expect.stringMatching(/^[0-9a-z]{13}$/u) as string,
      text: expect.stringContaining('We deploy on Tuesdays') as string,
      score: expect.any(Number) as number,
      scores: {
        semantic: expect.any(Number) as number,
        lexical: expect.any(Number) as number,
        temporal: expect.any(Number) as number,
        importance: expect.any(Number) as number,
        access: expect.any(Number) as number,
      },
      store: 'episodic',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/u) as string,
      provenance: { source: 'user-explicit', session: null, turn: null, mutation: null },
      trust: 'user',
      why: expect.stringContaining('meaning') as string,
    });
    const first = hits[0];
    const file = fs.readFileSync(path.join(cli.home, 'workspace', first?.path ?? ''), 'utf8');
    const lines = file.split('\n').slice((first?.startLine ?? 1) - 1);
    expect(lines.slice(0, 4).join('\n')).toContain('We deploy on Tuesdays');
  });

  it('shows date, store, place and score on one line, and the words below it', async () => {
    const out = await cli.ok('recall', 'which port does the parcel service listen on?', '--limit', '1');
    expect(out).toMatch(
      /^2026-03-05 09:00 · episodic\/\w+\/t\d · conversations\/2026\/03\/05\/\S+\.md:\d+ · \d\.\d\d$/mu,
    );
    expect(out).toContain('agent: On 8431');
    expect(out).not.toContain('\u001B');
  });

  it('opens the turn of a hit, its session, and its file', async () => {
    const { hits } = await cli.json<Found>('recall', 'add a test for the night of the switch', '--limit', '1');
    const { id = '', path: file = '' } = hits[0] ?? {};
    expect(id).toMatch(/^ses_\w+#t\d+$/u);
    expect(await cli.ok('read', id)).toBe('## 00:05 — user\n\nAnd add a test for the night of the switch.\n');
    expect(await cli.ok('read', file)).toContain('# Tide tables off by an hour');
    expect(await cli.ok('read', `raw/${file}`, '--lines', '1')).toBe('---\n');
    expect(await cli.ok('read', id.replace(/#.*/u, ''))).toContain('Use Europe/Lisbon');
    expect((await cli.run(['read', `${id}99`])).code).toBe(3);
    expect((await cli.run(['read', 'ses_nobody#t1'])).code).toBe(3);
    expect((await cli.run(['read', id, '--at', 'yesterday'])).code).toBe(2);
    expect((await cli.run(['read', 'conversations/../../mneme.yaml'])).code).not.toBe(0);
  });

  it('narrows by store, type, tag, importance, session and time', async () => {
    expect(await texts('deploy', '--types', 'decision')).toEqual([expect.stringContaining('Tuesdays')]);
    expect(await texts('deploy', '--tags', 'deploy,nothing')).toEqual([]);
    expect(await texts('server', '--min-importance', '0.8')).toEqual([expect.stringContaining('heron')]);
    const hits = await cli.json<Found>('recall', 'parcel', '--since', '2026-03-01', '--until', '2026-03-31');
    expect(hits.hits.every(({ path: file }) => file.startsWith('conversations/2026/03'))).toBe(true);
    expect(hits.hits.length).toBeGreaterThan(0);
    expect(await texts('deploy', '--sessions', 'ses_nobody')).toEqual([]);
    expect(await texts('deploy', '--stores', 'vault,core')).toEqual([]);
  });

  it('says in words that nothing was found, which is no error', async () => {
    const { code, out, err } = await cli.run(['recall', 'deploy', '--stores', 'vault']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Nothing remembered about “deploy”.');
    expect(out).toContain('without them');
  });

  it('says that nothing is remembered instead of listing the least unrelated', async () => {
    const { hits, answered, mode } = await cli.json<Found>('recall', 'What is the name of my grandmother’s parrot?');
    expect({ hits, answered, mode }).toEqual({ hits: [], answered: false, mode: 'hybrid' });
    expect(await cli.ok('recall', 'zebra')).toContain('Nothing remembered about “zebra”.');
    const known = await cli.json<Found>('recall', 'what is the staging server called?');
    expect(known.answered).toBe(true);
    expect(known.hits[0]?.text).toContain('heron');
  });

  it('explains what it understood, why a hit is there, and what was left out', async () => {
    const out = await cli.ok('recall', 'what did we say about "deploy" last year?', '--explain', '--limit', '1');
    expect(out).toContain('Understood as');
    expect(out).toMatch(/time +\d{4}-01-01 00:00 … .*“last year”/u);
    expect(out).toContain('exactly');
    expect(out).toMatch(/meaning [█▏▎▍▌▋▊▉░]{8} \d\.\d\d {2}words/u);
    expect(out).toContain('Left out, the best first');
  });

  it.each(['stag', 'the stagi', 'what about the stagin'])(
    'completes the last word of "%s" where asked to',
    async (typed) => {
      expect((await texts(typed, '--prefix'))[0]).toContain('staging server');
      const { hits } = await cli.json<Found & { hits: { words: string }[] }>('recall', typed, '--prefix');
      expect(hits[0]).toMatchObject({ words: 'The staging server is called heron' });
    },
  );

  it('finds nothing for letters that begin no word, and for a beginning that was not said to be one', async () => {
    expect(await texts('xyzzq', '--prefix')).toEqual([]);
    expect(await texts('stagi')).toEqual([]);
  });

  it('gives as many hits as search.max_results allows, and says so', async () => {
    await cli.ok('config', 'set', 'search.max_results', '1');
    const { hits, notes } = await cli.json<Found>('recall', 'deploy staging birthday', '--limit', '20');
    await cli.ok('config', 'unset', 'search.max_results');
    expect(hits).toHaveLength(1);
    expect(notes).toContain('search.max_results allows 1 hits, so 20 were not looked for.');
  });

  it('takes a context instead of a question, and a question from standard input', async () => {
    expect(
      await texts('--task', 'plan the deployment', '--topics', 'deploy', '--time-of-day', 'morning'),
    ).toContainEqual(expect.stringContaining('Tuesdays'));
    const piped = await cli.run(['recall', '-', '--json'], 'what is the staging server called?\n');
    expect((JSON.parse(piped.out) as Found).hits[0]?.text).toContain('heron');
  });

  it('fills a budget of tokens', async () => {
    const { hits } = await cli.json<Found>('recall', 'deploy server meeting clock', '--tokens', '60');
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(60 * 4);
  });

  it('finds what is like an item', async () => {
    const { hits } = await cli.json<Found>('recall', 'deploy', '--limit', '1');
    const { to, hits: like } = await cli.json<Found & { to: { id: string } }>('similar', hits[0]?.id ?? '');
    expect(to.id).toBe(hits[0]?.id);
    expect(like.map(({ id }) => id)).not.toContain(to.id);
    expect(await cli.ok('similar', to.id, '--limit', '1')).toContain('like');
    expect((await cli.run(['similar', 'nothing0has1it'])).code).toBe(3);
  });

  it.each([
    ['tokyo in Japanese', '東京', '東京の会議'],
    ['a right-to-left question', 'מתי הפגישה', 'תל אביב'],
    ['an emoji', '🎂', 'Birthday cake'],
    ['operators and quotes', '"deploy" AND (NEAR/2 *) -NOT ^x: \'; DROP TABLE passages; --', 'Tuesdays'],
    ['an unclosed quote', '"deploy', 'Tuesdays'],
  ])('answers %s', async (_what, query, expected) => {
    const { hits } = JSON.parse(await cli.ok('recall', '--json', '--', query)) as Found;
    expect(hits.map(({ text }) => text)).toContainEqual(expect.stringContaining(expected));
  });

  it('answers a question of 100 KB', async () => {
    const long = `when do we deploy? ${'lorem ipsum dolor '.repeat(6000)}`;
    const { code, out } = await cli.run(['recall', '-', '--json'], long);
    expect(code).toBe(0);
    expect((JSON.parse(out) as Found).hits.length).toBeGreaterThan(0);
    expect((await cli.run(['recall', '-', '--explain'], long)).code).toBe(0);
  });

  it('answers or refuses bytes that are no text', async () => {
    expect((await cli.run(['recall', '-'], 'deploy\0\u0001\u001B[2J')).code).toBe(0);
    const { code, err } = spawnMneme(cli.home, ['recall', '-'], Buffer.from([0x64, 0, 0xff, 0xfe]));
    expect(code).toBe(2);
    expect(err).toContain('not text');
  });

  it.each([
    [['recall'], 2, 'nothing to look for'],
    [['recall', '  '], 2, 'nothing to look for'],
    [['recall', 'x', '--stores', 'nope'], 2, 'does not know "nope"'],
    [['recall', 'x', '--trust', 'blindly'], 2, 'does not know "blindly"'],
    [['recall', 'x', '--scope', 'everybody'], 2, 'scope is shared'],
    [['recall', 'x', '--since', '2026-03-05', '--until', '2026-03-01'], 2, 'nothing can lie between'],
    [['recall', 'x', '--since', 'someday'], 2, 'is not a time'],
    [['recall', 'x', '--limit', 'many'], 2, 'whole number'],
    [['recall', 'x', '--limit', '0'], 2, 'limit'],
    [['recall', 'x', '--tokens', '99999999'], 2, 'tokens'],
    [['recall', 'x', '--min-importance', '7'], 2, 'importance'],
    [['recall', 'x', '--time-of-day', 'noon'], 2, 'time-of-day'],
    [['recall', 'x', '--colour', 'red'], 2, '--colour'],
    [['recall', 'x', '--at', 'no-such-tag'], 3, 'no-such-tag'],
    [['recall', 'x', '--at', '1999-01-01'], 3, '1999'],
  ])('refuses %j in words', async (args, code, message) => {
    const result = await cli.run(args);
    expect(result.code).toBe(code);
    expect(result.err).toContain(message);
  });

  it('lets no control characters of a memory reach the terminal', async () => {
    const own = new TestCli();
    await own.init();
    fs.writeFileSync(
      path.join(own.home, 'workspace', 'evil.md'),
      'The zebra \u001B[2Jpassword is \u202Ereversed\u0007\n',
    );
    const out = await own.ok('recall', 'zebra');
    expect(out).toContain('password');
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    expect(out).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E]/u);
  });
});

describe('recall of what changes', () => {
  it('finds at once what another process wrote, and what a person wrote by hand', async () => {
    const cli = new TestCli();
    await cli.init();
    expect((await cli.json<Found>('recall', 'walrus')).hits).toEqual([]);
    expect(spawnMneme(cli.home, ['remember', 'The walrus sleeps in the bathtub']).code).toBe(0);
    expect(await cli.ok('recall', 'where does the walrus sleep?')).toContain('bathtub');
    fs.writeFileSync(path.join(cli.home, 'workspace', 'notes.md'), '# Birds\n\nThe ostrich lives upstairs.\n');
    const other = spawnMneme(cli.home, ['recall', 'ostrich', '--json']);
    expect((JSON.parse(other.out) as Found).hits[0]?.text).toContain('upstairs');
  });

  it('dates a line of core memory by the page that states the same', async () => {
    const cli = new TestCli();
    await cli.init();
    await cli.ok('remember', 'I am allergic to penicillin');
    const out = await cli.ok('recall', 'what am I allergic to?');
    expect(out).toContain('MEMORY.md');
    expect(out).not.toContain('undated');
  });

  it('answers from the past', async () => {
    const cli = new TestCli();
    await cli.init();
    await cli.ok('import', 'transcript', fixture('transcripts/meeting.md'));
    await cli.ok('remember', 'The office is in Porto');
    await cli.ok('tag', 'before/move');
    const { path: file } = await cli.json<{ path: string }>('remember', 'Lunch is at noon');
    await cli.ok('edit', file, '--replace', 'Porto', '--with', 'Lisbon');
    expect(await cli.ok('recall', 'where is the office?')).toContain('Lisbon');
    const before = await cli.ok('recall', 'where is the office?', '--at', 'before/move');
    expect(before).toContain('Porto');
    expect(before).not.toContain('Lisbon');
  });

  it.each([
    ['deleted', (file: string) => fs.rmSync(file)],
    ['overwritten with garbage', (file: string) => fs.writeFileSync(file, 'garbage'.repeat(5000))],
    ['emptied', (file: string) => fs.truncateSync(file)],
  ])('answers when the index was %s, and repairs it', async (_what, damage) => {
    const cli = new TestCli();
    await cli.init();
    await cli.ok('remember', 'The walrus sleeps in the bathtub');
    for (const name of fs.readdirSync(path.join(cli.home, 'state')).filter((file) => file.startsWith('index.db-'))) {
      fs.rmSync(path.join(cli.home, 'state', name));
    }
    damage(path.join(cli.home, 'state', 'index.db'));
    expect((await cli.run(['status'])).code).toBe(0);
    expect(await cli.ok('recall', 'walrus')).toContain('bathtub');
    expect(await cli.json('index', 'verify')).toEqual({ findings: [] });
    expect(await cli.json('index', 'status')).toMatchObject({ isFresh: true, documents: 2 });
  });
});

describe('a damaged page of the index', () => {
  it('is said with the answer, found by verify, and mended by a rebuild', async () => {
    const cli = await makeMemory();
    const file = path.join(cli.home, 'state', 'index.db');
    const bytes = fs.readFileSync(file);
    bytes.fill(0x5a, 4096);
    fs.writeFileSync(file, bytes);
    const { hits, notes } = await cli.json<Found>('recall', 'which port does the parcel service listen on?');
    expect(hits.map(({ text }) => text)).toContainEqual(expect.stringContaining('8431'));
    expect(notes.join(' ')).toContain('damaged');
    await cli.ok('index', 'rebuild');
    expect(await cli.json('index', 'verify')).toEqual({ findings: [] });
  });
});

describe('index', () => {
  it('says what it holds, syncs, rebuilds to the same answers, and verifies', async () => {
    const cli = await makeMemory();
    const before = await cli.json<Found>('recall', 'deploy the parcel service');
    expect(await cli.json('index', 'sync')).toMatchObject({ removed: 0, isComplete: true, problems: [] });
    expect(await cli.ok('index', 'sync')).toMatch(/^Indexed in \S+ s: \d+ files taken over/u);
    expect(await cli.json('index', 'rebuild')).toMatchObject({ isComplete: true });
    const after = await cli.json<Found>('recall', 'deploy the parcel service');
    expect(after.hits.map(({ id }) => id)).toEqual(before.hits.map(({ id }) => id));
    expect(await cli.ok('index', 'verify')).toContain('agrees');
    expect(await cli.ok('index', 'status')).toMatch(/holds {4}\d+ passages of \d+ files/u);
    expect(await cli.json('status')).toMatchObject({
      index: { isFresh: true, problem: null, models: [{ coverage: 1 }, { coverage: 1 }], provider: 'builtin' },
    });
    expect(await cli.ok('status')).toMatch(
      /^index +\d+ passages of \d+ files, static-minilm\S+, mneme:\d+:384, up to date$/mu,
    );
    expect(await cli.ok('doctor')).toMatch(/^ok +embedder +static-minilm/mu);
    expect(await cli.ok('index')).toMatch(/holds {4}\d+ passages/u);
  });

  it('verify ends with 7 when a file is not as it was indexed', async () => {
    const cli = new TestCli();
    await cli.init();
    await cli.ok('import', 'transcript', fixture('transcripts/meeting.md'));
    const transcript = fs
      .readdirSync(path.join(cli.home, 'raw', 'conversations'), { recursive: true, encoding: 'utf8' })
      .find((name) => name.endsWith('.md'));
    fs.appendFileSync(path.join(cli.home, 'raw', 'conversations', transcript ?? ''), '\n## 23:59 — user\n\nmore\n');
    const { code, out } = await cli.run(['index', 'verify']);
    expect(code).toBe(7);
    expect(out).toContain('1 finding');
  });

  it('stops on Ctrl-C and says that it goes on next time', async () => {
    const made = await makeMemory();
    const cli = new TestCli(made.home, { isInterrupted: true });
    const { code, err } = await cli.run(['index', 'rebuild']);
    expect(code).toBe(1);
    expect(err).toContain('goes on from there');
    expect(await made.json('index', 'sync')).toMatchObject({ isComplete: true });
    expect(await made.json('index', 'verify')).toEqual({ findings: [] });
  });
});

describe('bench', () => {
  it('refuses a tier it does not have', async () => {
    expect((await new TestCli().run(['index', 'bench', '--tier', 'gold'])).code).toBe(2);
  });
});
