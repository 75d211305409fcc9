import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { humanGit, makeHome, openWorkspace, writeWorkspaceFile } from '../../../test/support/home.ts';
import { MnemeError } from '../../model/errors.ts';

import { contents, paths, setUp, TURN, write } from './testing/set-up.ts';

// SPEC SEARCH-1
describe('syncChanged, as an indexer of the write path', () => {
  it('finds a write as soon as it is acknowledged, an edit from outside and a deletion too', async () => {
    const home = await makeHome();
    const { index, sync } = setUp(home);
    const workspace = await openWorkspace(home);
    workspace.registries.indexers.push((written) => sync.syncChanged(written));
    const change = { actor: 'bot:test', summary: 'x' } as const;
    await workspace.commit({ ...change, changes: [{ path: 'a.md', edit: () => 'first\n' }] });
    expect(await contents(index)).toEqual(['workspace:a.md first']);
    await workspace.commit({ ...change, changes: [{ path: 'a.md', edit: () => 'second\n' }] });
    expect(await contents(index)).toEqual(['workspace:a.md second']);
    writeWorkspaceFile(home, 'b.md', 'by hand\n');
    await workspace.scan();
    expect(await contents(index)).toEqual(['workspace:a.md second', 'workspace:b.md by hand']);
    fs.rmSync(path.join(home, 'workspace/a.md'));
    await workspace.scan();
    expect(await contents(index)).toEqual(['workspace:b.md by hand']);
    await workspace.close();
  });

  it('hears of what a person changed and committed without us', async () => {
    const home = await makeHome();
    const { index, sync } = setUp(home);
    const workspace = await openWorkspace(home);
    workspace.registries.indexers.push((written) => sync.syncChanged(written));
    const change = { actor: 'bot:test', summary: 'x' } as const;
    await workspace.commit({ ...change, changes: [{ path: 'a.md', edit: () => 'ours\n' }] });
    await workspace.drain();
    writeWorkspaceFile(home, 'a.md', 'theirs\n');
    humanGit(home, 'commit', '-qam', 'by hand');
    await workspace.scan();
    expect(await contents(index)).toEqual(['workspace:a.md theirs']);
    await workspace.close();
  });

  it('lets the transcript of a finished session take the place of its log', async () => {
    const home = await makeHome();
    const { index, sync } = setUp(home);
    const workspace = await openWorkspace(home);
    workspace.registries.indexers.push((written) => sync.syncChanged(written));
    write(home, 'journal/live/ses_2.jsonl', `${JSON.stringify(TURN)}\n`);
    await sync.syncLive();
    expect(await paths(index)).toEqual(['live:ses_2.jsonl']);
    await workspace.commit({
      repository: 'raw',
      actor: 'system:capture',
      session: 'ses_2',
      summary: 'conversation',
      changes: [
        { path: 'conversations/2026/02/16/1000-ses_2.md', content: '## 10:00 — user\n\nhello\n', base: undefined },
      ],
    });
    expect(await paths(index)).toEqual(['raw:conversations/2026/02/16/1000-ses_2.md']);
    await workspace.close();
  });

  it('never fails a write: the index is marked, and the next sync mends it', async () => {
    const home = await makeHome();
    const { index, sync } = setUp(home);
    const workspace = await openWorkspace(home);
    workspace.registries.indexers.push((written) => sync.syncChanged(written));
    index.failure = new MnemeError('failure', 'The disk is full.');
    const change = { path: 'a.md', edit: () => 'kept\n' };
    const result = await workspace.commit({ actor: 'bot:test', summary: 'x', changes: [change] });
    expect(result.indexError).toBe('The disk is full.');
    expect((await sync.readState()).dirty).toBe('The disk is full.');
    index.failure = undefined;
    await sync.syncAll();
    expect((await sync.readState()).dirty).toBeUndefined();
    expect(await contents(index)).toEqual(['workspace:a.md kept']);
    await workspace.close();
  });
});
