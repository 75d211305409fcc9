import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/index.ts';
import type { ImportResult } from '../../src/exchange/import/request.ts';
import { TestCli } from '../support/cli.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

const THINGS = [
  'kettle',
  'ladder',
  'ferry',
  'compass',
  'anvil',
  'lantern',
  'saddle',
  'violin',
  'beehive',
  'kiln',
] as const;
const PLACES = [
  'attic',
  'cellar',
  'harbour',
  'orchard',
  'garage',
  'chapel',
  'market',
  'library',
  'stable',
  'bakery',
] as const;

let cli: TestCli;
let target: TestCli;
let folder: string;

/** A hundred things in a hundred places, told in every way there is. */
async function fill(m: Mneme): Promise<void> {
  const entries = THINGS.flatMap((thing, row) =>
    PLACES.map((place, column) => ({ thing, place, number: row * 10 + column })),
  );
  const session = await m.session.start({ channel: 'terminal' });
  const inventory: string[] = [];
  for (const { thing, place, number } of entries) {
    const text = `The ${thing} number ${number} stands in the ${place}`;
    if (number % 10 === 0) await m.remember(text);
    else if (number % 3 === 0) await session.message('user', `${text}.`, { time: '2026-03-01T10:00:00Z' });
    else inventory.push(`- ${text}\n`);
  }
  await m.append('memory/reference/inventory.md', inventory.join(''));
  await session.end();
  await m.graph.add({ name: 'Mia Torres', type: 'person' });
  await m.graph.fact('Mia Torres', 'Repairs the violins');
  await m.core.add('Allergic to penicillin');
  await m.remember('The vote is on Thursday', { scope: 'project:apollo' });
  await m.append('SOUL.md', '# Soul\n\nKind and brief.\n');
  await m.topics.new('gardening');
  await m.recall('which kettle stands in the attic?');
}

async function open(home: string): Promise<Mneme> {
  return openMneme({ home, actor: 'manual' });
}

function filesIn(root: string): Map<string, string> {
  if (!fs.existsSync(root)) return new Map();
  const names = fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((name) => !name.split(path.sep).includes('.git') && !name.endsWith('audit.log'));
  return new Map(names.sort().map((name) => [name, fs.readFileSync(path.join(root, name), 'base64')]));
}

beforeAll(async () => {
  [cli, target] = [new TestCli(), new TestCli()];
  folder = makeTemporaryFolder();
  for (const { home } of [cli, target]) await initTestHome(home);
  const m = await open(cli.home);
  await fill(m);
  await m.close();
}, 120_000);

// SPEC EXCHANGE-6
describe('an export of everything', () => {
  it('gives a fresh home the same files and the same answers', async () => {
    const archive = path.join(folder, 'all.zip');
    const exported = await cli.json<{ files: number }>('export', archive);
    const taken = await target.json<ImportResult>('import', archive);
    expect(taken).toMatchObject({ from: 'mneme', sessions: 1, damage: [] });
    for (const part of ['workspace', 'raw']) {
      expect(filesIn(path.join(target.home, part))).toEqual(filesIn(path.join(cli.home, part)));
    }
    expect(exported.files).toBeGreaterThan(8);
    expect(await target.json('import', archive)).toMatchObject({ sessions: 0, documents: 0 });
    // Both with all vectors: what is half embedded may be ranked otherwise.
    await cli.ok('index', 'sync');
    await target.ok('index', 'sync');
    const [first, second] = [await open(cli.home), await open(target.home)];
    const differing: string[] = [];
    for (const thing of THINGS) {
      for (const place of PLACES) {
        const question = `which ${thing} stands in the ${place}?`;
        const answers = await Promise.all([first, second].map((home) => home.recall(question, { limit: 5 })));
        const [one, other] = answers.map(({ hits }) => hits.map(({ id, text, trust }) => ({ id, text, trust })));
        if (JSON.stringify(one) !== JSON.stringify(other) || one?.length === 0) differing.push(question);
      }
    }
    await Promise.all([first.close(), second.close()]);
    expect(differing).toEqual([]);
    expect(await target.ok('check')).toContain('Everything agrees');
  });

  it('holds only what a scope sees', async () => {
    await cli.ok('export', path.join(folder, 'shared'), '--scope', 'shared');
    await cli.ok('export', path.join(folder, 'apollo'), '--scope', 'project:apollo');
    const has = (name: string, words: string): boolean =>
      [...filesIn(path.join(folder, name)).values()].some((text) =>
        Buffer.from(text, 'base64').toString().includes(words),
      );
    expect([has('shared', 'vote is on Thursday'), has('apollo', 'vote is on Thursday')]).toEqual([false, true]);
    expect([has('shared', 'kettle number 1 '), fs.existsSync(path.join(folder, 'shared', 'journal'))]).toEqual([
      true,
      false,
    ]);
    await cli.ok('export', path.join(folder, 'shared.jsonl'), '--scope', 'shared');
    const lines = fs.readFileSync(path.join(folder, 'shared.jsonl'), 'utf8');
    expect(lines).not.toContain('vote is on Thursday');
    expect(new Set(lines.match(/number \d+ stands/gu)).size).toBe(100);
  });

  it('that was changed on the way, or names a place outside, is taken only as far as it is whole', async () => {
    const copy = path.join(folder, 'tampered');
    await cli.ok('export', copy);
    fs.appendFileSync(path.join(copy, 'workspace/memory/reference/inventory.md'), '- a lie\n');
    fs.rmSync(path.join(copy, 'workspace/SOUL.md'));
    const manifest = path.join(copy, 'mneme-export.json');
    const listed = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { files: { path: string }[] };
    listed.files.push({ ...listed.files[0], path: 'workspace/../../evil.md' });
    fs.writeFileSync(manifest, JSON.stringify(listed));
    const fresh = new TestCli();
    await fresh.init();
    const { damage } = await fresh.json<ImportResult>('import', copy);
    expect(damage.map(({ file }) => file).sort()).toEqual([
      'workspace/../../evil.md',
      'workspace/SOUL.md',
      'workspace/memory/reference/inventory.md',
    ]);
    expect(
      filesIn(fresh.home)
        .keys()
        .some((name) => name.includes('inventory') || name.includes('evil')),
    ).toBe(false);
    const refused = await fresh.run(['import', copy, '--as', 'bot:main']);
    expect([refused.code, refused.err]).toEqual([5, expect.stringContaining('Only a person')]);
  });

  it.each([
    [['export', 'TAKEN'], 5, 'is there already'],
    [['export', 'HOME/inside'], 5, 'lies in the memory itself'],
    [['export', 'x', '--format', 'word'], 2, 'mneme, markdown, jsonl'],
    [['export', 'x', '--as', 'reader:x'], 5, 'reader:x'],
    [['export'], 2, 'missing'],
  ])('refuses %j in words', async (args, code, message) => {
    fs.writeFileSync(path.join(folder, 'taken'), 'mine');
    const given = args.map((arg) => arg.replace('TAKEN', path.join(folder, 'taken')).replace('HOME', cli.home));
    const result = await cli.run(given);
    expect([result.code, result.err.toLowerCase()]).toEqual([code, expect.stringContaining(message.toLowerCase())]);
    expect(fs.readFileSync(path.join(folder, 'taken'), 'utf8')).toBe('mine');
  });

  it('tells server-memory a relation in the words it was stated in', async () => {
    await cli.ok('graph', 'add', 'Bo', '--type', 'person');
    await cli.ok('graph', 'link', 'Mia Torres', 'sings-beside', 'Bo', '--loose');
    const file = path.join(folder, 'words.json');
    await cli.ok('export', file, '--format', 'server-memory');
    expect(fs.readFileSync(file, 'utf8')).toContain('"relationType":"sings_beside"');
  });

  it('in other formats is what these programs read', async () => {
    await cli.ok('export', path.join(folder, 'graph.jsonld'));
    expect(fs.readFileSync(path.join(folder, 'graph.jsonld'), 'utf8')).toContain('Mia Torres');
    await cli.ok('export', path.join(folder, 'memory.json'), '--format', 'server-memory');
    const fresh = new TestCli();
    await fresh.init();
    const taken = await fresh.json<ImportResult>('import', path.join(folder, 'memory.json'));
    expect(taken.from).toBe('server-memory');
    // What was told of Mia, and what was learned from the conversation.
    expect(taken.facts).toBeGreaterThanOrEqual(1);
    await cli.ok('export', path.join(folder, 'notes'), '--format', 'markdown');
    expect(fs.existsSync(path.join(folder, 'notes', 'memory/reference/inventory.md'))).toBe(true);
  });
});
