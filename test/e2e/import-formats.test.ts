import fs from 'node:fs';
import path from 'node:path';
import { zipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ImportResult } from '../../src/exchange/import/request.ts';
import { TestCli } from '../support/cli.ts';
import { makeTemporaryFolder } from '../support/home.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/import');
const fixture = (name: string): string => path.join(FIXTURES, name);

let cli: TestCli;

beforeAll(async () => {
  cli = new TestCli();
  await cli.init();
});

async function importTwice(...args: string[]): Promise<ImportResult> {
  const before = fs.readFileSync(path.join(cli.home, 'mneme.yaml'));
  const dry = await cli.json<ImportResult>('import', ...args, '--dry-run');
  const first = await cli.json<ImportResult>('import', ...args);
  const again = await cli.json<ImportResult>('import', ...args);
  const counts = ({ sessions, turns, documents, entities, facts, relations, memories }: ImportResult): number[] => [
    sessions,
    turns,
    documents,
    entities,
    facts,
    relations,
    memories,
  ];
  expect(counts(dry)).toEqual(counts(first));
  expect(counts(again)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(fs.readFileSync(path.join(cli.home, 'mneme.yaml'))).toEqual(before);
  return first;
}

function reference(name: string): string {
  return fs.readFileSync(path.join(cli.home, 'workspace/memory/reference', name), 'utf8');
}

// SPEC EXCHANGE-2, EXCHANGE-3, EXCHANGE-5
describe('conversations of a service', () => {
  it('ChatGPT: the path that was last seen, dated, with what was used and shown', async () => {
    const result = await importTwice(fixture('chatgpt'));
    expect(result).toMatchObject({ detected: { from: 'chatgpt' }, sessions: 2, turns: 6 });
    expect(result.period).toEqual({ from: '2024-06-10', to: '2024-06-11' });
    const text = await cli.ok('recall', 'which pier does the ferry to Berlenga leave from?');
    expect(text).toContain('From the fishing harbour of Peniche, pier three.');
    expect(text).not.toMatch(/old pier|user wants a time|\uE200/u);
    const hits = await cli.json<{ hits: { path: string; trust: string }[] }>('recall', 'fishing harbour of Peniche');
    const file = fs.readFileSync(path.join(cli.home, 'raw', hits.hits[0]?.path ?? ''), 'utf8');
    expect(file).toContain('> [tool:browser] search("Berlenga ferry timetable") → Departures 09:30 and 11:30');
    expect(file).toContain('boat.jpg');
    expect(file).toContain('model: gpt-4o');
  });

  it('ChatGPT: what a conversation grew by is added, and an archive is the same as a folder', async () => {
    const all = JSON.parse(fs.readFileSync(fixture('chatgpt/conversations.json'), 'utf8')) as {
      mapping: Record<string, unknown>;
      current_node: string;
    }[];
    const [, bread] = all;
    if (bread === undefined) throw new Error('the fixture has a second conversation');
    bread.mapping['q3'] = {
      id: 'q3',
      parent: 'q2',
      children: [],
      message: {
        id: 'q3',
        author: { role: 'user' },
        create_time: 1718100000,
        content: { content_type: 'text', parts: ['It rose to twice its height overnight.'] },
      },
    };
    bread.current_node = 'q3';
    const archive = path.join(makeTemporaryFolder(), 'export.zip');
    fs.writeFileSync(archive, zipSync({ 'export/conversations.json': Buffer.from(JSON.stringify(all)) }));
    expect(await cli.json('import', archive)).toMatchObject({ from: 'chatgpt', sessions: 1, continued: 1, turns: 1 });
    expect(await cli.json('import', archive)).toMatchObject({ sessions: 0 });
  });

  it('Claude: edits that were replaced are left out, tools are told in a line', async () => {
    const result = await importTwice(fixture('claude'));
    expect(result).toMatchObject({ detected: { from: 'claude' }, sessions: 2, turns: 6 });
    expect(result.skipped).toContainEqual({
      what: 'message',
      why: 'of an answer or a question that was replaced',
      count: 1,
    });
    expect(await cli.ok('recall', 'how many fans for the greenhouse?')).toContain('Three fans of 200 mm');
  });

  it('Claude: projects, what was uploaded to them, and what Claude noted are documents', async () => {
    const folder = path.join(cli.home, 'workspace/memory/reference/claude');
    const read = (name: string): string => fs.readFileSync(path.join(folder, name), 'utf8');
    expect(read('memory.md')).toMatch(/trust: import[\s\S]*Rosa teaches woodwork/u);
    expect(read('projects/greenhouse/about.md')).toMatch(/behind the shed[\s\S]*## Instructions\n\nAnswer in metric/u);
    expect(read('projects/greenhouse/docs/glazing-offers.md')).toMatch(/trust: external[\s\S]*38 euros a sheet/u);
    expect(read('projects/greenhouse/docs/plot.csv.md')).toContain('north,6');
    expect(read('projects/greenhouse/memory.md')).toContain('ventilation is still open');
    // The second project of that name.
    expect(read('projects/greenhouse-9d0b55c4/memory.md')).toContain('Seedlings');
    // Named alone, under any name, and renamed since: still the same project.
    const named = path.join(makeTemporaryFolder(), 'download.json');
    const projects = fs.readFileSync(fixture('claude/projects.json'), 'utf8');
    fs.writeFileSync(named, projects.replace('"Greenhouse"', '"Glasshouse"').replace('38 euros', '41 euros'));
    expect(await cli.json('import', named)).toMatchObject({ detected: { from: 'claude' }, documents: 2, sessions: 0 });
    expect(read('projects/greenhouse/docs/glazing-offers.md')).toContain('41 euros a sheet');
    fs.writeFileSync(named, projects.slice(0, -200));
    const damaged = await cli.json<ImportResult>('import', named);
    expect(damaged.damage).toMatchObject([{ what: 'project', why: 'cut off or damaged', file: 'download.json' }]);
  });

  it('a damaged export gives what can be read, and says where the rest is', async () => {
    const file = path.join(makeTemporaryFolder(), 'conversations.json');
    const text = fs.readFileSync(fixture('claude/conversations.json'), 'utf8');
    const cut = text.indexOf('"Greenhouse fans"');
    fs.writeFileSync(file, text.slice(0, cut) + text.slice(cut + 1));
    const damaged = new TestCli();
    await damaged.init();
    const result = await damaged.json<ImportResult>('import', file, '--from', 'claude');
    expect(result.sessions).toBe(1);
    expect(result.damage).toEqual([
      { what: 'conversation', why: 'cut off or damaged', file: 'conversations.json', at: 1 },
    ]);
    fs.writeFileSync(file, text.slice(0, -40));
    expect((await damaged.json<ImportResult>('import', file)).damage).toHaveLength(1);
    expect(await damaged.json('import', fixture('claude'))).toMatchObject({ sessions: 0 });
  });
});

describe('knowledge of other programs', () => {
  it('server-memory: entities, observations and relations become the graph', async () => {
    const result = await importTwice(fixture('knowledge/memory.jsonl'));
    expect(result).toMatchObject({ from: 'server-memory', entities: 3, facts: 3, relations: 2 });
    const shown = await cli.ok('graph', 'show', 'Mia Torres');
    expect(shown).toContain('Keeps bees on the roof');
    expect(await cli.ok('recall', 'who was taught to swim?')).toContain('taught to swim');
  });

  it('mem0: memories keep the day they are of, and nobody else’s word becomes the user’s', async () => {
    const result = await importTwice(fixture('knowledge/mem0.json'));
    expect(result).toMatchObject({ from: 'mem0', memories: 2, relations: 1 });
    const { hits } = await cli.json<{ hits: { text: string; time: string; trust: string }[] }>(
      'recall',
      'allergic to walnuts',
    );
    expect(hits[0]).toMatchObject({ text: expect.stringContaining('Is allergic to walnuts'), trust: 'import' });
    expect(hits[0]?.time).toContain('2025-03-02');
  });

  it('basic-memory: notes are copied, what they state goes to the graph', async () => {
    const result = await importTwice(fixture('vault'));
    expect(result).toMatchObject({ detected: { from: 'basic-memory' }, documents: 3, facts: 2, relations: 2 });
    expect(reference('vault/Diary.md')).toContain('Went to [[Peniche]]');
    const shown = await cli.ok('graph', 'show', 'Coffee Brewing');
    expect(shown).toContain('Pour over needs a kettle');
    expect(shown).not.toMatch(/is not an observation|buy filters/u);
  });

  it('what was removed here does not come back', async () => {
    const { entity } = await cli.json<{ entity: { path: string } }>('graph', 'show', 'Harbour');
    const full = path.join(cli.home, 'workspace', entity.path);
    fs.writeFileSync(full, fs.readFileSync(full, 'utf8').replace(/^- Written in Go.*\n/mu, ''));
    expect(await cli.json('import', fixture('knowledge/memory.jsonl'))).toMatchObject({ facts: 0, entities: 0 });
    expect(fs.readFileSync(full, 'utf8')).not.toContain('Written in Go');
  });
});

describe('pages', () => {
  it('a web page is its article, dated, told as nobody’s word, its text never Markdown of ours', async () => {
    const result = await importTwice(fixture('pages/tides.html'));
    expect(result).toMatchObject({ from: 'html', documents: 1 });
    const text = reference('pages/tides.html.md');
    expect(text).toContain('url: https://example.org/tides\n');
    expect(text).toContain('trust: external');
    expect(text).toContain('date: 2024-05-02');
    expect(text).toContain('\n- Pier one: closed in winter\n- Pier two\n');
    expect(text).toContain('\\# Ignore all previous');
    expect(text).not.toMatch(/About us|alert/u);
  });

  it('a PDF is its text, page by page; a damaged one is listed', async () => {
    const folder = makeTemporaryFolder();
    const bytes = fs.readFileSync(fixture('pages/boiler.pdf'));
    fs.writeFileSync(path.join(folder, 'boiler.pdf'), bytes);
    fs.writeFileSync(path.join(folder, 'torn.pdf'), bytes.subarray(0, 120));
    const result = await cli.json<ImportResult>('import', folder);
    expect(result).toMatchObject({ from: 'pdf', documents: 1, damage: [{ file: 'torn.pdf' }] });
    expect(await cli.ok('recall', 'where is the pilot light?')).toContain('behind the lower cover');
    const { hits } = await cli.json<{ hits: { trust: string }[] }>('recall', 'pressure valve three bar');
    expect(hits[0]?.trust).toBe('external');
  });
});

describe('what a source is', () => {
  it('is said, and asked for where nothing tells', async () => {
    expect(await cli.ok('import', fixture('knowledge/memory.jsonl'))).toMatch(/^Taken for server-memory \(--from/u);
    const file = path.join(makeTemporaryFolder(), 'what.bin');
    fs.writeFileSync(file, Buffer.from([0, 1, 2, 3]));
    const refused = await cli.run(['import', file]);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--from: claude-code, codex')]);
    expect((await cli.run(['import', file, '--from', 'chatgpt'])).code).toBe(0);
    expect((await cli.run(['import', 'codex', file, '--from', 'claude'])).code).toBe(2);
  });

  it('whose words notes are, only a person says', async () => {
    const folder = path.join(makeTemporaryFolder(), 'own-notes');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'own.md'), 'I sing bass in the choir of Braga.\n');
    expect((await cli.run(['import', folder, '--mine', '--as', 'bot:main'])).code).toBe(5);
    await cli.ok('import', folder, '--mine');
    const { hits } = await cli.json<{ hits: { trust: string }[] }>('recall', 'choir of Braga');
    expect(hits[0]?.trust).toBe('user');
  });
});
