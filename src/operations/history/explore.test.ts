import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { humanGit, readWorkspaceFile, workspaceFile, writeWorkspaceFile } from '../../../test/support/home.ts';
import { runOperation } from '../operation.ts';
import { dropExploration, exploreList, mergeExploration, pruneExplorations, startExploration } from './explore.ts';
import { openTestHome, type TestHome } from './testing.ts';
import { DAY_MS } from '../../model/time.ts';

async function homeWithNotes(): Promise<TestHome> {
  const home = await openTestHome();
  await home.write({ 'memory/reference/a.md': '# A\n\n- one\n', 'memory/reference/b.md': '# B\n' });
  return home;
}

function isClean(home: string): boolean {
  return humanGit(home, 'status', '--porcelain') === '';
}

describe('explore', () => {
  it('sends everything written from the start on to the branch, and drops it again', async () => {
    const { home, context, write } = await homeWithNotes();
    const started = await runOperation(startExploration, context, { name: 'what-if' });
    expect(started).toEqual({
      name: 'what-if',
      from: 'main',
      started: '2026-02-16T12:00:01.000Z',
      isCurrent: true,
      commits: 0,
      files: [],
    });
    await write({ 'memory/reference/a.md': '# A\n\n- one\n- tried\n', 'memory/reference/new.md': 'new\n' });
    await write({ 'memory/reference/b.md': undefined });
    expect(await runOperation(exploreList, context, {})).toMatchObject([
      {
        name: 'what-if',
        isCurrent: true,
        commits: 2,
        files: ['a', 'b', 'new'].map((name) => `memory/reference/${name}.md`),
      },
    ]);
    expect(humanGit(home, 'log', '--format=%s', 'main')).not.toContain('new.md');
    const dropped = await runOperation(dropExploration, context, {});
    expect(dropped).toMatchObject({ name: 'what-if', backTo: 'main' });
    expect(readWorkspaceFile(home, 'memory/reference/a.md')).toBe('# A\n\n- one\n');
    expect(readWorkspaceFile(home, 'memory/reference/b.md')).toBe('# B\n');
    expect(fs.existsSync(workspaceFile(home, 'memory/reference/new.md'))).toBe(false);
    expect(isClean(home)).toBe(true);
    expect(humanGit(home, 'branch', '--show-current').trim()).toBe('main');
    expect(humanGit(home, 'log', '--format=%s', dropped.kept)).toContain('new.md');
    expect(await runOperation(exploreList, context, {})).toEqual([]);
    // Nothing of it is taken for somebody's edit.
    expect(await context.workspace.scan()).toEqual([]);
    await context.workspace.drain();
    expect(humanGit(home, 'log', '--format=%an', 'main')).not.toContain('external');
  });

  it('merges what it found by block, and says what both sides changed', async () => {
    const { home, context, write, conflicts } = await homeWithNotes();
    await runOperation(startExploration, context, { name: 'x' });
    await write({ 'memory/reference/a.md': '# A\n\n- one, tried\n', 'memory/reference/new.md': 'new\n' });
    await context.workspace.drain();
    humanGit(home, 'worktree', 'add', '-q', `${home}/other`, 'main');
    fs.writeFileSync(`${home}/other/memory/reference/a.md`, '# A\n\n- one, decided\n');
    humanGit(home, '-C', `${home}/other`, 'commit', '-qam', 'mine');
    humanGit(home, 'worktree', 'remove', `${home}/other`);
    const merged = await runOperation(mergeExploration, context, { name: 'explore/x' });
    expect(merged).toMatchObject({
      name: 'x',
      into: 'main',
      files: ['memory/reference/a.md', 'memory/reference/new.md'],
      conflicts: [{ path: 'memory/reference/a.md', kind: 'text', places: 1 }],
    });
    const text = readWorkspaceFile(home, 'memory/reference/a.md');
    expect(text).toContain('tried');
    expect(text).toContain('decided');
    expect(conflicts).toMatchObject([{ path: 'memory/reference/a.md', mutation: merged.mutation }]);
    expect(humanGit(home, 'log', '-1', '--format=%s')).toContain('[MERGE]');
    expect(humanGit(home, 'log', '-1', '--format=%s', merged.kept)).toContain('new.md');
    expect(isClean(home)).toBe(true);
  });

  it('merges an exploration that changed nothing', async () => {
    const { context } = await homeWithNotes();
    await runOperation(startExploration, context, { name: 'x' });
    expect(await runOperation(mergeExploration, context, {})).toMatchObject({
      mutation: null,
      files: [],
      conflicts: [],
    });
  });

  it('keeps edits made outside, on the branch they were made on', async () => {
    const { home, context } = await homeWithNotes();
    writeWorkspaceFile(home, 'memory/reference/mine.md', 'typed before\n');
    await runOperation(startExploration, context, { name: 'x' });
    writeWorkspaceFile(home, 'memory/reference/a.md', '# A\n\n- typed within\n');
    const { kept } = await runOperation(dropExploration, context, {});
    expect(readWorkspaceFile(home, 'memory/reference/mine.md')).toBe('typed before\n');
    expect(readWorkspaceFile(home, 'memory/reference/a.md')).toBe('# A\n\n- one\n');
    expect(humanGit(home, 'show', `${kept}:memory/reference/a.md`)).toContain('typed within');
    expect(isClean(home)).toBe(true);
  });

  it('does not overwrite an edit that is kept out of history', async () => {
    const { home, context, write } = await homeWithNotes();
    await runOperation(startExploration, context, { name: 'x' });
    await write({ 'memory/reference/a.md': 'tried\n' });
    const secret = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n-----END PRIVATE KEY-----\n`;
    writeWorkspaceFile(home, 'memory/reference/a.md', secret);
    await expect(runOperation(dropExploration, context, {})).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('secret') as string,
    });
    expect(readWorkspaceFile(home, 'memory/reference/a.md')).toBe(secret);
    expect(humanGit(home, 'branch', '--show-current').trim()).toBe('explore/x');
  });

  it('splits what is written at the same time exactly at the switch', async () => {
    const { home, context } = await homeWithNotes();
    const acknowledged: string[] = [];
    let isDone = false;
    const writers = [0, 1, 2].map(async (writer) => {
      for (let index = 0; !isDone; index += 1) {
        const line = `- w${writer}-${index}`;
        await context.workspace.commit({
          actor: 'bot:writer',
          summary: line,
          changes: [{ path: `memory/reference/w${writer}.md`, edit: (current) => `${current ?? ''}${line}\n` }],
        });
        acknowledged.push(line);
      }
    });
    await runOperation(startExploration, context, { name: 'busy' });
    const before = acknowledged.length;
    while (acknowledged.length < before + 30) await new Promise((resolve) => setTimeout(resolve, 5));
    await runOperation(mergeExploration, context, {});
    isDone = true;
    await Promise.all(writers);
    await context.workspace.drain();
    const text = [0, 1, 2].map((writer) => readWorkspaceFile(home, `memory/reference/w${writer}.md`)).join('');
    expect(text.trim().split('\n').sort()).toEqual([...acknowledged].sort());
    expect(isClean(home)).toBe(true);
  });

  it('lets explorations begin within each other', async () => {
    const { context, home, write } = await homeWithNotes();
    await runOperation(startExploration, context, { name: 'outer' });
    await write({ 'memory/reference/outer.md': 'outer\n' });
    await runOperation(startExploration, context, { name: 'inner' });
    await write({ 'memory/reference/inner.md': 'inner\n' });
    await expect(runOperation(mergeExploration, context, { name: 'outer' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await runOperation(mergeExploration, context, {})).toMatchObject({ name: 'inner', into: 'explore/outer' });
    await runOperation(mergeExploration, context, {});
    expect(readWorkspaceFile(home, 'memory/reference/inner.md')).toBe('inner\n');
    expect(humanGit(home, 'branch', '--show-current').trim()).toBe('main');
  });

  it('prunes what nobody came back to', async () => {
    const { context, clock, write } = await homeWithNotes();
    await runOperation(startExploration, context, { name: 'old' });
    clock.advance(8 * DAY_MS);
    expect(await runOperation(pruneExplorations, context, {})).toEqual({ dropped: [], inUse: ['old'], maxAgeDays: 7 });
    await write({ 'memory/reference/a.md': 'x\n' });
    await runOperation(mergeExploration, context, {});
    expect(await runOperation(pruneExplorations, context, { days: 0 })).toMatchObject({ dropped: [], inUse: [] });
  });

  it('explains bad names and a missing exploration, and refuses sub-agents', async () => {
    const { context } = await homeWithNotes();
    await expect(runOperation(startExploration, context, { name: 'two words' })).rejects.toMatchObject({
      code: 'usage',
    });
    await expect(runOperation(dropExploration, context, {})).rejects.toMatchObject({ code: 'usage' });
    await expect(runOperation(mergeExploration, context, { name: 'x' })).rejects.toMatchObject({ code: 'not-found' });
    const subagent = { ...context, actor: 'subagent:x' };
    await expect(runOperation(startExploration, subagent, { name: 'x' })).rejects.toMatchObject({ code: 'refused' });
  });
});
