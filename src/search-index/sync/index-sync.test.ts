import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeHome, makeTemporaryFolder, openWorkspace, writeWorkspaceFile } from '../../../test/support/home.ts';
import { MnemeError } from '../../model/errors.ts';
import { homePaths } from '../../workspace/home-paths.ts';
import { StampTable, ignoredBy } from './stamp-table.ts';

import { CONTEXT, contents, paths, setUp, TURN, write, writeHome } from './testing/set-up.ts';

describe('syncAll', () => {
  it('takes over every file that is searched, compressed ones and live sessions too', async () => {
    const { home, index, sync } = setUp();
    writeHome(home);
    const report = await sync.syncAll();
    expect(report).toMatchObject({ put: 5, removed: 0, isComplete: true, problems: [] });
    expect(await paths(index)).toEqual([
      'live:ses_2.jsonl',
      'raw:conversations/2026/02/16/1000-ses_1-x.md',
      'workspace:MEMORY.md',
      'workspace:memory/archive/2025-11/episodes/2025-11-03.md.gz',
      'workspace:notes/deep/a.md',
    ]);
  });

  it('reads nothing and writes nothing when nothing has changed', async () => {
    const { home, index, files, sync } = setUp();
    writeHome(home);
    await sync.syncAll();
    files.readPaths.length = 0;
    index.changes.length = 0;
    expect(await sync.syncAll()).toMatchObject({ put: 0, removed: 0, unchanged: 5 });
    expect(files.readPaths).toEqual([]);
    expect(index.changes).toEqual([]);
  });

  it('does not believe the stamp of a file that was written a moment ago', async () => {
    const { home, files, sync } = setUp(undefined, { clock: { now: () => Date.now() } });
    write(home, 'workspace/a.md', 'one\n');
    await sync.syncAll();
    files.readPaths.length = 0;
    await sync.syncAll();
    expect(files.readPaths).toEqual(['a.md']);
  });

  it('takes over edits, new files and deletions, and only them', async () => {
    const { home, index, files, sync } = setUp();
    writeHome(home);
    await sync.syncAll();
    files.readPaths.length = 0;
    write(home, 'workspace/MEMORY.md', '# Core\n\n- likes fennel\n');
    write(home, 'workspace/new.md', 'new\n');
    fs.rmSync(path.join(home, 'workspace/notes'), { recursive: true });
    expect(await sync.syncAll()).toMatchObject({ put: 2, removed: 1, unchanged: 3 });
    expect(files.readPaths.sort()).toEqual(['MEMORY.md', 'new.md', 'notes/deep/a.md']);
    const found = await contents(index);
    expect(found).toContain('workspace:MEMORY.md likes fennel');
    expect(found).toContain('workspace:new.md new');
    expect(found.join()).not.toMatch(/rye|a note/);
  });

  it('gives the same answers without its memory of stamps', async () => {
    const { home, index, stamps, sync } = setUp();
    writeHome(home);
    await sync.syncAll();
    const before = await contents(index);
    stamps.close();
    fs.rmSync(homePaths(home).state, { recursive: true });
    const again = setUp(home, { index });
    expect(await again.sync.syncAll()).toMatchObject({ removed: 0 });
    expect(await contents(index)).toEqual(before);
  });

  it('reads every file again when files are cut in another way', async () => {
    const { home, index, sync } = setUp();
    writeHome(home);
    await sync.syncAll();
    const other = setUp(home, { index, context: { ...CONTEXT, timeZone: 'Europe/Vienna' } });
    expect(await other.sync.syncAll()).toMatchObject({ put: 5, unchanged: 0 });
    expect(await other.sync.syncAll()).toMatchObject({ put: 0, unchanged: 5 });
  });

  it('stops when told to and goes on the next time', async () => {
    const { home, index, sync } = setUp();
    for (let number = 0; number < 450; number += 1) write(home, `workspace/n/${number}.md`, `note ${number}\n`);
    const stop = new AbortController();
    const seen: number[] = [];
    const first = await sync.syncAll({
      signal: stop.signal,
      onProgress: ({ done, total }) => {
        seen.push(done, total);
        stop.abort();
      },
    });
    expect(first).toMatchObject({ isComplete: false, put: 200 });
    expect(seen).toEqual([200, 450]);
    expect(await sync.syncAll()).toMatchObject({ isComplete: true, put: 250, unchanged: 200 });
    expect((await index.listDocuments()).length).toBe(450);
  });

  it('takes a file again that was written while it was indexed', async () => {
    const { home, index, sync } = setUp();
    write(home, 'workspace/a.md', 'old\n');
    index.onApply = () => {
      index.onApply = undefined;
      write(home, 'workspace/a.md', 'newer than that\n');
    };
    await sync.syncAll();
    expect(await contents(index)).toEqual(['workspace:a.md newer than that']);
  });

  it('reports a file it cannot read and keeps what it had of it', async () => {
    const { home, index, sync } = setUp();
    write(home, 'workspace/memory/archive/2025-11/x.md.gz', gzipSync('archived words\n'));
    await sync.syncAll();
    write(home, 'workspace/memory/archive/2025-11/x.md.gz', 'no gzip at all');
    write(home, 'workspace/b.md', 'b\n');
    const report = await sync.syncAll();
    expect(report.problems).toHaveLength(1);
    expect(report.problems[0]).toContain('x.md.gz');
    expect(await paths(index)).toEqual(['workspace:b.md', 'workspace:memory/archive/2025-11/x.md.gz']);
    expect((await sync.readState()).dirty).toContain('x.md.gz');
  });

  it('does its work also where stamps cannot be remembered, and says so', async () => {
    class FullTable extends StampTable {
      override update(): void {
        throw new Error('disk full');
      }
    }
    const home = makeTemporaryFolder();
    const { index, sync } = setUp(home, { stamps: new FullTable(path.join(home, 'stamps.db')) });
    write(home, 'workspace/a.md', 'words\n');
    const report = await sync.syncAll({ journalEnd: '1:1' });
    expect(report.problems).toEqual(['What was read could not be remembered, the next sync takes longer: disk full']);
    expect(await contents(index)).toEqual(['workspace:a.md words']);
    expect(await sync.isFresh('1:1')).toBe(true);
  });

  it('leaves out what git ignores, and asks again when the rules change', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    const { index, sync } = setUp(home, { ignored: ignoredBy(workspace.git.workspace) });
    writeWorkspaceFile(home, '.gitignore', 'private/\n');
    writeWorkspaceFile(home, 'private/diary.md', 'secret\n');
    writeWorkspaceFile(home, 'a.md', 'open\n');
    await sync.syncAll();
    expect(await paths(index)).toEqual(['workspace:a.md']);
    await sync.syncAll();
    expect(await paths(index)).toEqual(['workspace:a.md']);
    writeWorkspaceFile(home, '.gitignore', 'a.md\n');
    await sync.syncAll();
    expect(await paths(index)).toEqual(['workspace:private/diary.md']);
    await workspace.close();
  });
});

describe('freshness', () => {
  it('follows the journal as long as every write is indexed', async () => {
    const { sync } = setUp();
    expect(await sync.isFresh('1:10')).toBe(false);
    await sync.syncAll({ journalEnd: '1:10' });
    expect(await sync.isFresh('1:10')).toBe(true);
    await sync.syncChanged({ acknowledged: [], span: { from: '1:10', to: '1:20' }, selfCommitted: [] });
    expect(await sync.isFresh('1:20')).toBe(true);
    // Another process wrote from 20 to 30 without an index.
    await sync.syncChanged({ acknowledged: [], span: { from: '1:30', to: '1:40' }, selfCommitted: [] });
    expect(await sync.isFresh('1:40')).toBe(false);
  });

  it('takes over what a live session said since, and forgets one that is gone', async () => {
    const { home, index, sync } = setUp();
    write(home, 'journal/live/ses_2.jsonl', `${JSON.stringify(TURN)}\n`);
    await sync.syncLive();
    fs.appendFileSync(
      path.join(home, 'journal/live/ses_2.jsonl'),
      `${JSON.stringify({ ...TURN, id: 't2', parts: [{ kind: 'text', text: 'more' }] })}\n`,
    );
    await sync.syncLive();
    expect(await contents(index)).toEqual(['live:ses_2.jsonl hello', 'live:ses_2.jsonl more']);
    index.changes.length = 0;
    await sync.syncLive();
    expect(index.changes).toEqual([]);
    fs.rmSync(path.join(home, 'journal/live/ses_2.jsonl'));
    await sync.syncLive();
    expect(await paths(index)).toEqual([]);
  });
});

describe('rebuild', () => {
  it('makes every document anew while the old ones still answer', async () => {
    const { home, index, sync } = setUp();
    writeHome(home);
    await sync.syncAll();
    const before = await contents(index);
    const during: string[][] = [];
    const check = contents(index).then((found) => during.push(found));
    expect(await sync.rebuild()).toMatchObject({ put: 5, removed: 0, rebuiltBecause: undefined });
    await check;
    expect(during).toEqual([before]);
    expect(await contents(index)).toEqual(before);
  });

  it('interrupted, is gone on with by the next sync', async () => {
    const { home, sync } = setUp();
    for (let number = 0; number < 250; number += 1) write(home, `workspace/n/${number}.md`, `note ${number}\n`);
    await sync.syncAll();
    const stop = new AbortController();
    const report = await sync.rebuild({ signal: stop.signal, onProgress: () => stop.abort() });
    expect(report).toMatchObject({ put: 200, isComplete: false });
    expect(await sync.syncAll()).toMatchObject({ put: 50, unchanged: 200, isComplete: true });
  });

  it('happens by itself, once, when the index turns out to be damaged', async () => {
    const { home, index, sync } = setUp();
    writeHome(home);
    await sync.syncAll();
    const before = await contents(index);
    index.failure = new MnemeError('integrity', 'The search index is damaged: a page.');
    write(home, 'workspace/notes/deep/a.md', 'a note, changed\n');
    const report = await sync.syncAll();
    expect(report).toMatchObject({ put: 5, rebuiltBecause: 'The search index is damaged: a page.' });
    expect((await sync.readState()).rebuilt).toContain('a page');
    expect(await contents(index)).toEqual(before.map((line) => line.replace('a note', 'a note, changed')));
  });
});

it('verify tells what is missing, stale and superfluous', async () => {
  const { home, sync } = setUp();
  writeHome(home);
  await sync.syncAll();
  expect(await sync.verify()).toEqual([]);
  write(home, 'workspace/MEMORY.md', '# Core\n\n- other\n');
  write(home, 'workspace/new.md', 'new\n');
  fs.rmSync(path.join(home, 'workspace/notes/deep/a.md'));
  expect(await sync.verify()).toEqual([
    'workspace: MEMORY.md has changed since it was indexed.',
    'workspace: new.md is not in the index.',
    'workspace: notes/deep/a.md is in the index, but there is no such file.',
  ]);
});

it('verify notices a text in the index that is not the file’s', async () => {
  const { home, index, sync } = setUp();
  write(home, 'workspace/a.md', 'The code is 4711\n');
  await sync.syncAll();
  expect(await sync.verify()).toEqual([]);
  const [document] = index.changes.flatMap(({ put }) => put);
  const forged = document?.passages.map((passage) => ({ ...passage, text: 'The code is 4712' })) ?? [];
  if (document !== undefined) await index.apply({ put: [{ ...document, passages: forged }], remove: [] });
  expect(await sync.verify()).toEqual(['workspace: the index holds another text than a.md.']);
});
