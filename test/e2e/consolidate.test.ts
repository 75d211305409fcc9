import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/index.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { TestCli } from '../support/cli.ts';
import { makeTemporaryFolder, readWorkspaceFile, writeWorkspaceFile } from '../support/home.ts';

const clock = { time: 0, now: (): number => clock.time };
let home: string;
let m: Mneme;

beforeEach(async () => {
  clock.time = Date.parse('2026-02-16T09:00:00Z');
  home = makeTemporaryFolder();
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
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

  it('shows on a dry run what it would do and writes nothing', async () => {
    writeWorkspaceFile(home, 'memory/episodes/2026-02-03.md', EPISODES);
    const before = allFiles();
    const { isDryRun, steps } = await m.consolidate({ dryRun: true });
    expect(isDryRun).toBe(true);
    expect(steps.find(({ name }) => name === 'facts')?.notes).toEqual(['Vera lives in Graz.']);
    expect(allFiles()).toEqual(before);
  });
});

describe('mneme consolidate', () => {
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
