import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  humanGit,
  makeHome,
  openWorkspace,
  readWorkspaceFile,
  workspaceFile,
  writeWorkspaceFile,
} from '../../test/support/home.ts';
import { isMnemeError } from '../model/errors.ts';
import type { CommitRequest } from './door/request.ts';
import type { Workspace } from './workspace.ts';

function append(file: string, line: string, extra: Partial<CommitRequest> = {}): CommitRequest {
  return {
    actor: 'bot:test',
    summary: `added ${line}`,
    changes: [{ path: file, edit: (current) => `${current ?? ''}${line}\n` }],
    ...extra,
  };
}

// SPEC WRITE-6, WRITE-7, SAFETY-3
describe('the write path', () => {
  it('acknowledges a change that is in the file at once and in git after the drain', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    const result = await workspace.commit(append('notes/a.md', '- one', { trigger: 'a test', session: 'ses_1' }));
    expect(readWorkspaceFile(home, 'notes/a.md')).toBe('- one\n');
    expect(result.files).toMatchObject([{ path: 'notes/a.md', action: 'CREATE', merged: false }]);
    const { commits, postponed } = await workspace.drain();
    expect(postponed).toEqual([]);
    expect([...commits.keys()]).toEqual([result.mutation]);
    const message = humanGit(home, 'log', '-1', '--format=%B');
    expect(message.trim().split('\n')).toEqual([
      '[CREATE] notes/a.md — added - one',
      '',
      `Mutation: ${result.mutation}`,
      'Actor: bot:test',
      'Approval: auto',
      'Trigger: a test',
      'Session: ses_1',
    ]);
    expect(humanGit(home, 'status', '--porcelain')).toBe('');
    await workspace.close();
  });

  it('makes one commit per mutation, in order, also for many callers at once', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => workspace.commit(append(`f${index % 4}.md`, `- ${index}`))),
    );
    await workspace.close();
    const mutations = humanGit(home, 'log', '--reverse', '--format=%(trailers:key=Mutation,valueonly)')
      .split('\n')
      .filter((line) => line !== '');
    expect(mutations).toEqual(results.map((result) => result.mutation));
    expect(readWorkspaceFile(home, 'f1.md')).toBe(
      Array.from({ length: 10 }, (_, index) => `- ${index * 4 + 1}\n`).join(''),
    );
    expect(humanGit(home, 'status', '--porcelain')).toBe('');
  });

  it('writes all files of a group or none', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    const group: CommitRequest = {
      actor: 'bot:test',
      summary: 'two files',
      changes: [
        { path: 'a.md', content: 'a\n', base: undefined },
        { path: '../escape.md', content: 'b\n', base: undefined },
      ],
    };
    await expect(workspace.commit(group)).rejects.toSatisfy((error) => isMnemeError(error));
    expect(fs.existsSync(workspaceFile(home, 'a.md'))).toBe(false);
    await workspace.commit({ ...group, changes: group.changes.slice(0, 1) });
    await workspace.close();
    expect(readWorkspaceFile(home, 'a.md')).toBe('a\n');
  });

  it('has one limit for text and one for what is no text', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home, {}, { maxFileBytes: 5000, maxAttachmentBytes: 500 });
    const write = (path: string, content: Buffer) =>
      workspace.commit({ actor: 'bot:test', summary: path, changes: [{ path, base: undefined, content }] });
    await write('a.md', Buffer.from('x'.repeat(1000)));
    await write('small.png', Buffer.alloc(400));
    await expect(write('large.png', Buffer.alloc(1000))).rejects.toThrow('large.png is 1,000 bytes');
    await workspace.close();
  });

  it('refuses a group of too many files and writes none of it', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home, {}, { maxChanges: 2 });
    const group = (...files: string[]) => ({
      actor: 'bot:test',
      summary: 'many',
      changes: files.map((file) => ({ path: file, edit: () => 'x\n' })),
    });
    await workspace.commit(group('a.md', 'b.md'));
    await expect(workspace.commit(group('c.md', 'd.md', 'e.md'))).rejects.toMatchObject({
      code: 'refused',
      message: 'This would change 3 files at once; at most 2 go together.',
    });
    expect(fs.existsSync(workspaceFile(home, 'c.md'))).toBe(false);
    await workspace.close();
  });

  it('records an edit made outside before building on it', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    await workspace.commit(append('a.md', '- one'));
    writeWorkspaceFile(home, 'a.md', '- one\n- by hand\n');
    await workspace.commit(append('a.md', '- two'));
    await workspace.close();
    expect(readWorkspaceFile(home, 'a.md')).toBe('- one\n- by hand\n- two\n');
    const actors = humanGit(
      home,
      'log',
      '--reverse',
      '--format=%(trailers:key=Actor,valueonly,separator=%x2C)',
      '--',
      'a.md',
    );
    expect(actors.trim().split('\n')).toEqual(['bot:test', 'external', 'bot:test']);
    expect(humanGit(home, 'show', 'HEAD~1:a.md')).toBe('- one\n- by hand\n');
  });

  it('merges by block with what was written since the base was read', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    const base = '# List\n\n- one\n\n- two\n';
    await workspace.commit({
      actor: 'manual',
      summary: 'list',
      changes: [{ path: 'a.md', content: base, base: undefined }],
    });
    writeWorkspaceFile(home, 'a.md', '# List\n\n- one by hand\n\n- two\n');
    const result = await workspace.commit({
      actor: 'bot:test',
      summary: 'changed two',
      changes: [{ path: 'a.md', content: '# List\n\n- one\n\n- two by the agent\n', base }],
    });
    expect(result.files[0]).toMatchObject({ merged: true, conflicts: [] });
    expect(readWorkspaceFile(home, 'a.md')).toBe('# List\n\n- one by hand\n\n- two by the agent\n');
    await workspace.close();
  });

  it('keeps what an editor dropped by saving a stale buffer', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    await workspace.commit(append('a.md', '- one'));
    const buffer = readWorkspaceFile(home, 'a.md');
    await workspace.commit(append('a.md', '- from the agent'));
    writeWorkspaceFile(home, 'a.md', `${buffer}- from the editor\n`);
    await workspace.scan();
    const text = readWorkspaceFile(home, 'a.md');
    expect(text).toContain('- from the agent\n');
    expect(text).toContain('- from the editor\n');
    await workspace.close();
    expect(humanGit(home, 'log', '-1', '--format=%an')).toBe('system:merge\n');
  });

  it('does not take an edit of what the agent just wrote for a stale buffer', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    await workspace.commit(append('a.md', '- one'));
    await workspace.commit(append('a.md', '- Anna prefers short answers ^7k2m9x0q4t1za'));
    const edited = readWorkspaceFile(home, 'a.md').replace('short answers', 'long letters with sources');
    writeWorkspaceFile(home, 'a.md', edited);
    await workspace.scan();
    expect(readWorkspaceFile(home, 'a.md')).toBe(edited);
    await workspace.close();
  });

  it('takes secrets out of text and trailers', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    const secret = ['ghp', 'Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0Lz8Xc7'].join('_');
    const result = await workspace.commit(append('a.md', `- token ${secret}`, { trigger: `the user said ${secret}` }));
    expect(result.redactions.length).toBeGreaterThan(0);
    await workspace.close();
    const everything = fs
      .readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
      .join('');
    expect(everything).not.toContain(secret);
    expect(humanGit(home, 'log', '-p')).not.toContain(secret);
  });

  it('lets a person commit by plain git and goes on from there', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    await workspace.commit(append('a.md', '- one'));
    await workspace.drain();
    writeWorkspaceFile(home, 'mine.md', 'mine\n');
    humanGit(home, 'add', 'mine.md');
    humanGit(home, 'commit', '-m', 'my own commit');
    await workspace.commit(append('a.md', '- two'));
    await workspace.close();
    expect(humanGit(home, 'log', '--format=%s').split('\n').slice(0, 3)).toEqual([
      '[APPEND] a.md — added - two',
      'my own commit',
      '[CREATE] a.md — added - one',
    ]);
    expect(humanGit(home, 'status', '--porcelain')).toBe('');
    expect(humanGit(home, 'fsck', '--strict')).toBe('');
  });

  it('leaves a person’s own commit to speak for itself', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    await workspace.commit(append('a.md', '- one'));
    await workspace.drain();
    writeWorkspaceFile(home, 'a.md', '- one\n- mine\n');
    writeWorkspaceFile(home, 'new.md', 'new\n');
    humanGit(home, 'add', '-A');
    humanGit(home, 'commit', '-m', 'my own commit');
    const seen: string[] = [];
    workspace.registries.listeners.push((all) => {
      seen.push(...all.map(({ record }) => record.actor));
    });
    await workspace.scan();
    await workspace.commit(append('new.md', '- more'));
    await workspace.close();
    expect(seen).toEqual(['bot:test']);
    expect(humanGit(home, 'log', '--format=%s').split('\n')[1]).toBe('my own commit');
  });

  it('makes one git commit per interval when the cadence is batch', async () => {
    const home = await makeHome();
    const nowMs = { value: Date.now() };
    const clock = { now: () => nowMs.value };
    const open = (): Promise<Workspace> =>
      openWorkspace(home, { clock }, { cadence: 'batch', batchIntervalMs: 60_000 });
    const before = await open();
    const first = await before.commit(append('a.md', '- one'));
    expect((await before.drainIfDue()).commits.size).toBe(0);
    await before.close();
    nowMs.value += 59_000;
    const workspace = await open();
    const second = await workspace.commit(append('b.md', '- two'));
    await workspace.close();
    expect(humanGit(home, 'log', '--format=%s')).not.toContain('[COMMIT]');
    nowMs.value += 1000;
    await (await open()).close();
    const message = humanGit(home, 'log', '-1', '--format=%B');
    expect(message).toContain('[COMMIT] 2 files — 2 mutations');
    expect(message).toContain(`Mutation: ${first.mutation}\nMutation: ${second.mutation}\n`);
  });

  it('goes on after state/ was deleted under it', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    await workspace.commit(append('a.md', '- one'));
    fs.rmSync(path.join(home, 'state'), { recursive: true });
    await workspace.commit(append('a.md', '- two'));
    await workspace.close();
    expect(readWorkspaceFile(home, 'a.md')).toBe('- one\n- two\n');
    expect(humanGit(home, 'log', '--format=%an', '--', 'a.md').trim().split('\n')).toEqual(['bot:test', 'bot:test']);
    expect(humanGit(home, 'status', '--porcelain')).toBe('');
  });

  it('refuses sub-agents and readers', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    for (const actor of ['subagent:coder', 'reader:me']) {
      await expect(workspace.commit(append('a.md', '- x', { actor }))).rejects.toSatisfy((error) =>
        isMnemeError(error, 'refused'),
      );
    }
    await workspace.close();
  });
});
