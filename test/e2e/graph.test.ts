import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TestCli } from '../support/cli.ts';
import { humanGit, readWorkspaceFile, writeWorkspaceFile } from '../support/home.ts';

const FOLDER = 'memory/graph/entities';

interface Shown {
  readonly facts: readonly {
    readonly id: string;
    readonly text: string;
    readonly trust: string;
    readonly premises: readonly string[];
  }[];
  readonly relations: readonly {
    readonly relation: string;
    readonly other: { readonly id: string };
    readonly isInferred: boolean;
  }[];
  readonly aliases: readonly string[];
}

async function makeTown(): Promise<TestCli> {
  const cli = new TestCli();
  await cli.init();
  await cli.ok('graph', 'add', 'Vera Kowalski', '--type', 'person', '--alias', 'Vera');
  await cli.ok('graph', 'add', 'Atlas', '--type', 'project', '--summary', 'The tile server.');
  await cli.ok('graph', 'add', 'Acme', '--type', 'organization');
  return cli;
}

let cli: TestCli;

// SPEC GRAPH-2, GRAPH-3
describe('what is known of somebody', () => {
  beforeEach(async () => void (cli = await makeTown()));

  test('facts hold for their time, and the newer takes the place of the older', async () => {
    const home = ['--attribute', 'residence', '--value'];
    await cli.ok('graph', 'fact', 'Vera', 'Lives in Graz.', ...home, 'Graz', '--from', '2026-01');
    await cli.ok('graph', 'fact', 'Vera', 'Lives in Wien.', ...home, 'Wien', '--from', '2026-06');
    const texts = async (...options: string[]): Promise<string[]> =>
      (await cli.json<Shown>('graph', 'show', 'Vera', ...options)).facts.map(({ text }) => text);
    expect(await texts()).toEqual(['Lives in Wien.']);
    expect(await texts('--at', '2026-03')).toEqual(['Lives in Graz.']);
    expect(await texts('--at', '2025')).toEqual([]);
    expect(await texts('--all')).toEqual(['Lives in Graz.', 'Lives in Wien.']);
    const { formerly } = await cli.json<{ formerly: object[] }>('graph', 'show', 'Vera');
    expect(formerly).toEqual([{ text: 'Lives in Graz.', from: '2026-01', until: '2026-06' }]);
    expect(await cli.ok('graph', 'timeline', 'Vera')).toMatch(
      /2026-01.*Graz[\s\S]*2026-06.*ended.*Graz[\s\S]*2026-06.*Wien/u,
    );
  });

  test('an agent does not replace what the user said: it proposes', async () => {
    await cli.ok('graph', 'fact', 'Vera', 'Lives in Graz.', '--attribute', 'residence', '--value', 'Graz');
    const told = await cli.json(
      'graph',
      'fact',
      'Vera',
      'Lives in Rome.',
      '--attribute',
      'residence',
      '--value',
      'Rome',
      '--as',
      'bot:helper',
    );
    expect(told['outcome']).toBe('proposed');
    expect(await cli.ok('graph', 'show', 'Vera')).not.toContain('Rome');
    await cli.ok('approve', String(told['id']));
    expect(await cli.ok('graph', 'show', 'Vera')).toContain('Rome');
  });

  test('goals, tasks, decisions and typed properties', async () => {
    await cli.ok('graph', 'task', 'Atlas', 'Ship', 'it', '--due', '2026-12');
    const { id } = await cli.json<{ id: string }>(
      'graph',
      'decision',
      'Atlas',
      'Use',
      'Redis',
      '--why',
      'Vera knows it',
    );
    await cli.ok('graph', 'decision', 'Atlas', '--id', id, '--why', 'too slow');
    await cli.ok('graph', 'set', 'Atlas', 'stack=node, redis', 'deadline=2026-12', '--status', 'active');
    const text = readWorkspaceFile(cli.home, `${FOLDER}/project--atlas.md`);
    expect(text).toMatch(/\[ \] Ship it <!-- .*due:2026-12/u);
    expect(text).toMatch(/Use Redis[\s\S]*Rationale: Vera knows it[\s\S]*Reversed: .* — too slow/u);
    expect(text).toMatch(/stack:\s*\n?\s*(?:- node|\[node, redis\])/u);
    const refused = await cli.run(['graph', 'set', 'Atlas', 'deadline=soon']);
    expect([refused.code, refused.err]).toEqual([5, expect.stringContaining('must be a date')]);
  });
});

describe('relations', () => {
  beforeEach(async () => void (cli = await makeTown()));

  test('are written in the ontology’s words, read from both ends, ended and walked', async () => {
    await cli.ok('graph', 'link', 'Vera', 'works at', 'Acme');
    await cli.ok('graph', 'link', 'Vera', 'develops', 'Atlas', '--since', '2026-01');
    expect((await cli.json<Shown>('graph', 'show', 'Acme')).relations).toMatchObject([
      { relation: 'employs', other: { id: 'person--vera-kowalski' } },
    ]);
    expect(await cli.ok('graph', 'path', 'Acme', 'Atlas')).toMatch(
      /Acme — employs → Vera Kowalski[\s\S]*Vera Kowalski — develops → Atlas/u,
    );
    expect(await cli.ok('graph', 'neighbours', 'Acme', '--at', '2025')).not.toContain('Atlas');
    expect(await cli.ok('graph', 'query', '--relation', 'developed-by', '--from', 'Atlas')).toContain('Vera Kowalski');
    await cli.ok('graph', 'unlink', 'Atlas', 'developed-by', 'Vera');
    expect(readWorkspaceFile(cli.home, `${FOLDER}/person--vera-kowalski.md`)).toMatch(
      /~~develops \[\[project--atlas\]\]~~ \(until /u,
    );
    expect(await cli.ok('graph', 'path', 'Acme', 'Atlas')).toContain('Nothing connects');
  });

  test('one of several in a line is ended alone', async () => {
    const file = `${FOLDER}/project--moss.md`;
    writeWorkspaceFile(
      cli.home,
      file,
      '# Moss\n\n## Relations\n\n- Developed by: [[person--vera-kowalski]], [[organization--acme]]\n',
    );
    await cli.ok('graph', 'unlink', 'Moss', 'developed-by', 'Vera', '--until', '2026-02');
    expect(readWorkspaceFile(cli.home, file)).toMatch(
      /- Developed by: \[\[organization--acme\]\]\n- ~~developed-by \[\[person--vera-kowalski\]\]~~ \(until 2026-02\)/u,
    );
  });

  test('what follows is marked with its premises and never the user’s word', async () => {
    await cli.ok('graph', 'add', 'Lab', '--type', 'organization');
    await cli.ok('graph', 'link', 'Vera', 'works-for', 'Lab');
    await cli.ok('graph', 'link', 'Lab', 'part-of', 'Acme');
    expect(await cli.ok('graph', 'infer', 'Vera')).toMatch(
      /works-for Acme[\s\S]*because Vera Kowalski works-for Lab[\s\S]*because Lab part-of Acme/u,
    );
    expect((await cli.json<Shown>('graph', 'show', 'Vera')).relations).toHaveLength(1);
    await cli.ok('graph', 'infer', '--keep');
    expect(readWorkspaceFile(cli.home, `${FOLDER}/person--vera-kowalski.md`)).toMatch(
      /works-for \[\[organization--acme\]\] <!-- source:inferred .*premises:\[/u,
    );
    const { relations } = await cli.json<Shown>('graph', 'show', 'Vera');
    expect(relations.filter(({ isInferred }) => isInferred)).toMatchObject([{ other: { id: 'organization--acme' } }]);
    await cli.ok('graph', 'unlink', 'Lab', 'part-of', 'Acme');
    const report = await cli.run(['graph', 'contradictions']);
    expect([report.code, report.out]).toEqual([7, expect.stringContaining('premise-ended')]);
  });
});

describe('renaming, merging, splitting', () => {
  beforeEach(async () => void (cli = await makeTown()));

  test('every link follows, in one mutation that can be taken back', async () => {
    await cli.ok('graph', 'link', 'Vera', 'develops', 'Atlas');
    await cli.ok('append', 'memory/reference/plan.md', 'See [[project--atlas|the server]] and `[[project--atlas]]`.');
    const { mutation } = await cli.json<{ mutation: string }>('graph', 'rename', 'Atlas', 'Atlas Tiles');
    expect(readWorkspaceFile(cli.home, 'memory/reference/plan.md')).toContain(
      '[[project--atlas-tiles|the server]] and `[[project--atlas]]`',
    );
    expect(readWorkspaceFile(cli.home, `${FOLDER}/person--vera-kowalski.md`)).toContain(
      'develops [[project--atlas-tiles]]',
    );
    expect(await cli.ok('graph', 'show', 'Atlas')).toContain('Atlas Tiles');
    expect(humanGit(cli.home, 'log', '-1', '--format=%s')).toContain('[RENAME]');
    await cli.ok('rollback', mutation);
    expect(readWorkspaceFile(cli.home, 'memory/reference/plan.md')).toContain('[[project--atlas|the server]]');
    expect(fs.existsSync(path.join(cli.home, 'workspace', FOLDER, 'project--atlas.md'))).toBe(true);
  });

  test('a merge waits, moves everything, and leaves a sign; a split takes lines out again', async () => {
    await cli.ok('graph', 'add', 'V. Kowalski', '--type', 'person', '--distinct');
    const { id } = await cli.json<{ id: string }>('graph', 'fact', 'person--v-kowalski', 'Plays chess.');
    await cli.ok('graph', 'link', 'Atlas', 'developed-by', 'person--v-kowalski');
    const { proposal } = await cli.json<{ proposal: string }>('graph', 'merge', 'person--v-kowalski', 'Vera');
    expect((await cli.json<Shown>('graph', 'show', 'person--v-kowalski')).facts).toHaveLength(1);
    await cli.ok('approve', proposal);
    const shown = await cli.json<Shown>('graph', 'show', 'V. Kowalski');
    expect(shown.facts.map((fact) => fact.id)).toEqual([id]);
    expect(shown.relations).toMatchObject([{ relation: 'develops', other: { id: 'project--atlas' } }]);
    const split = await cli.json<{ proposal: string }>('graph', 'split', 'Vera', 'Vera Two', '--items', id);
    await cli.ok('approve', split.proposal);
    expect((await cli.json<Shown>('graph', 'show', 'Vera Two')).facts.map((fact) => fact.id)).toEqual([id]);
    expect((await cli.json<Shown>('graph', 'show', 'person--vera-kowalski')).facts).toEqual([]);
  });

  test('who may be there twice is shown, and proposed when asked for', async () => {
    await cli.ok('graph', 'fact', 'Vera', 'Engineer at Acme in Graz, runs the tile server.');
    await cli.ok('graph', 'add', 'Vera Kowalsky', '--type', 'person');
    await cli.ok('graph', 'fact', 'Vera Kowalsky', 'Engineer at Acme, Graz: the tile server is hers.');
    expect(await cli.json('graph', 'duplicates')).toMatchObject({ pairs: [{ verdict: 'same', proposal: null }] });
    const { pairs } = await cli.json<{ pairs: { proposal: string }[] }>('graph', 'duplicates', '--propose');
    expect(await cli.ok('proposals', 'show', pairs[0]?.proposal ?? '')).toContain('merged_into');
  });
});

describe('verifying', () => {
  beforeEach(async () => void (cli = await makeTown()));

  test('asks the user by a question that approval answers', async () => {
    const { id } = await cli.json<{ id: string }>('graph', 'fact', 'Vera', 'Plays chess.', '--as', 'bot:main');
    const asked = await cli.json<{ question: string; verified: null }>(
      'graph',
      'verify',
      id,
      '--method',
      'user',
      '--as',
      'bot:main',
    );
    expect(asked.verified).toBeNull();
    const refused = await cli.run(['graph', 'verify', id, '--method', 'user', '--answer', 'yes', '--as', 'bot:main']);
    expect(refused.code).toBe(5);
    await cli.ok('approve', asked.question);
    expect(await cli.ok('graph', 'show', 'Vera')).toContain('confirmed ×1');
  });

  test('ends what the user says no to when asked', async () => {
    const { id } = await cli.json<{ id: string }>('graph', 'fact', 'Vera', 'Plays chess.', '--as', 'bot:main');
    const asked = ['graph', 'verify', id, '--method', 'user', '--as', 'bot:main'];
    const { question } = await cli.json<{ question: string }>(...asked);
    await cli.ok('reject', question);
    const file = path.join(cli.home, 'workspace', FOLDER, 'person--vera-kowalski.md');
    expect(fs.readFileSync(file, 'utf8')).toMatch(/~~Plays chess\.~~ \(until/u);
  });

  test('by the clock or by silence confirms nothing', async () => {
    const { id } = await cli.json<{ id: string }>('graph', 'fact', 'Vera', 'Plays chess.');
    for (const method of ['temporal', 'consistency']) {
      expect(await cli.json('graph', 'verify', id, '--method', method)).toMatchObject({
        verified: true,
        mutation: null,
      });
    }
    expect(await cli.ok('graph', 'show', 'Vera')).not.toContain('confirmed ×');
  });

  test('and looking for contradictions agree about what two statements mean', async () => {
    const file = path.join(cli.home, 'workspace', FOLDER, 'person--vera-kowalski.md');
    const facts = [
      '- Vera works from the third floor. <!-- person 0.6 2026-02-01T09:00 s1#t1 --> ^zzzzzzzzzzz11',
      '- Vera works from the fourth floor. <!-- person 0.6 2026-02-09T09:00 s2#t1 --> ^zzzzzzzzzzz12',
    ];
    fs.appendFileSync(file, `## Facts\n\n${facts.join('\n')}\n`);
    const checked = await cli.json<{ verified: boolean }>('graph', 'verify', 'zzzzzzzzzzz12');
    const { out } = await cli.run(['graph', 'contradictions', 'Vera']);
    expect([checked.verified, out.includes('do not go together')]).toEqual([false, true]);
  });

  test('by time, by what else is known, and by what is said elsewhere', async () => {
    const { id: first } = await cli.json<{ id: string }>(
      'graph',
      'fact',
      'Vera',
      'The office of Vera is room 12.',
      '--attribute',
      'office',
      '--value',
      '12',
    );
    const verdict = (method: string, id = first): Promise<unknown> =>
      cli.json('graph', 'verify', id, '--method', method);
    expect(await verdict('consistency')).toMatchObject({ verified: true });
    expect(await verdict('temporal')).toMatchObject({ verified: true });
    expect(await verdict('cross-reference')).toMatchObject({ verified: false, reasons: ['Nothing else says so.'] });
    const file = path.join(cli.home, 'workspace', FOLDER, 'person--vera-kowalski.md');
    fs.appendFileSync(file, '- The office of Vera is room 14. <!-- attribute:office value:14 --> ^zzzzzzzzzzzzz\n');
    expect(await verdict('consistency')).toMatchObject({
      verified: false,
      confidence: 0.5,
      against: [{ id: 'zzzzzzzzzzzzz' }],
    });
    const old = await cli.json<{ id: string }>(
      'graph',
      'fact',
      'Vera',
      'Was in Rome.',
      '--from',
      '2020',
      '--until',
      '2021',
    );
    expect(await verdict('temporal', old.id)).toMatchObject({ verified: false });
  });
});

describe('the generated index', () => {
  beforeEach(async () => void (cli = await makeTown()));

  test('tells a hand edit, keeps it in the history, and is written anew', async () => {
    await cli.ok('graph', 'index');
    const file = 'memory/graph/index.md';
    const made = readWorkspaceFile(cli.home, file);
    expect(made).toContain('| project--atlas | project | Atlas | entities/project--atlas.md | 1.00 |');
    writeWorkspaceFile(cli.home, file, `${made}\nmy own note\n`);
    const { out, err } = await cli.run(['graph', 'index', '--json']);
    expect(JSON.parse(out)).toMatchObject({ wasHandEdited: true });
    expect(err).toContain('was changed by hand');
    expect(readWorkspaceFile(cli.home, file)).toBe(made);
    expect(humanGit(cli.home, 'log', '--format=%s', '-S', 'my own note', '--', file)).not.toBe('');
  });
});

describe('export', () => {
  beforeAll(async () => {
    cli = await makeTown();
    await cli.ok('graph', 'link', 'Vera', 'develops', 'Atlas');
  });

  test.each([
    ['mermaid', /graph LR[\s\S]*n\d+ -- "develops" --> n\d+/u],
    ['dot', /digraph memory \{[\s\S]*"person--vera-kowalski" -> "project--atlas" \[label="develops"\]/u],
    ['graphml', /<edge id="e1" source="person--vera-kowalski" target="project--atlas">/u],
    ['json-ld', /"rel:develops"/u],
  ])('as %s', async (format, expected) => {
    expect(await cli.ok('graph', 'export', '--format', format)).toMatch(expected);
  });
});

describe('bad input is told and loses nothing', () => {
  beforeAll(async () => void (cli = await makeTown()));

  test.each([
    [['graph', 'show', 'Nobody'], 3, /Nobody and nothing is called "Nobody"/u],
    [['graph', 'show', 'Vera Kowalsk'], 3, /Did you mean Vera Kowalski/u],
    [['graph', 'link', 'Vera', 'eats', 'Atlas'], 5, /no word for "eats"[\s\S]*develops/u],
    [['graph', 'link', 'Atlas', 'works-for', 'Acme'], 5, /starts from person, not from project/u],
    [['graph', 'link', 'Vera', 'knows', 'Vera'], 2, /cannot be linked to itself/u],
    [['graph', 'fact', 'Vera', 'x', '--from', 'soon'], 2, /from is a day/u],
    [['graph', 'verify', 'nothing'], 3, /No fact or relation/u],
    [['graph', 'add', ' ', '--type', 'person'], 2, /name must not be empty/u],
    [['graph', 'add', 'x'.repeat(400), '--type', 'person'], 2, /too long for a name/u],
    [['graph', 'merge', 'Vera', 'Vera'], 2, /is one entity already/u],
    [['graph', 'split', 'Vera', 'Two', '--items', 'abc'], 3, /has no item abc/u],
    [['graph', 'unlink', 'Vera', 'any', 'Acme'], 3, /no relation from Vera Kowalski to Acme/u],
    [['graph', 'query'], 2, /What should be found/u],
    [['graph', 'rename', 'Vera', 'New', '--as', 'reader:x'], 5, /may not run graph rename/u],
  ])('%j', async (args, code, message) => {
    const before = humanGit(cli.home, 'rev-parse', 'HEAD');
    const result = await cli.run(args);
    expect([result.code, result.err]).toEqual([code, expect.stringMatching(message)]);
    expect(humanGit(cli.home, 'rev-parse', 'HEAD')).toBe(before);
  });

  test('names that are no file names', async () => {
    for (const name of ['../../x', 'CON', 'a/b\\c', '.git', '🙂']) await cli.ok('graph', 'add', name, '--type', 'tool');
    const files = fs.readdirSync(path.join(cli.home, 'workspace', FOLDER));
    expect(files.filter((file) => !/^[a-z]+--[\p{L}\p{N}.-]+\.md$/u.test(file))).toEqual([]);
    expect(await cli.ok('graph', 'show', '../../x')).toContain('tool--x');
  });

  test('a circle, and a half-broken file', async () => {
    await cli.ok('graph', 'add', 'Lab', '--type', 'organization');
    await cli.ok('graph', 'link', 'Lab', 'part-of', 'Acme');
    const circle = await cli.run(['graph', 'link', 'Acme', 'part-of', 'Lab']);
    expect([circle.code, circle.err]).toEqual([5, expect.stringContaining('would close a circle: Lab part-of Acme')]);
    const broken = '---\nname: [Half\n---\n\n# Half\n\n## Facts\n\n- Half\n';
    writeWorkspaceFile(cli.home, `${FOLDER}/organization--half.md`, broken);
    const refused = await cli.run(['graph', 'fact', 'Half', 'New.']);
    expect([refused.code, refused.err]).toEqual([4, expect.stringContaining('its frontmatter is broken YAML')]);
    expect(readWorkspaceFile(cli.home, `${FOLDER}/organization--half.md`)).toBe(broken);
    expect((await cli.run(['graph', 'contradictions'])).out).toContain('damaged-file');
  });
});
