import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import {
  humanGit,
  makeHome,
  openWorkspace,
  readWorkspaceFile,
  workspaceFile,
  writeWorkspaceFile,
} from '../../test/support/home.ts';
import type { CommitRequest } from './door/request.ts';
import { readRepositoryState } from './git/drain.ts';
import type { Workspace } from './workspace.ts';

function append(file: string, line: string): CommitRequest {
  return { actor: 'bot:test', summary: line, changes: [{ path: file, edit: (text = '') => `${text}${line}\n` }] };
}

function mutationsIn(home: string): string[] {
  return humanGit(home, 'log', '--format=%(trailers:key=Mutation,valueonly,separator=%x2C)')
    .split('\n')
    .filter((line) => line !== '');
}

async function homeWith(...lines: string[]): Promise<{ home: string; workspace: Workspace }> {
  const home = await makeHome();
  const workspace = await openWorkspace(home);
  for (const line of lines) await workspace.commit(append('a.md', line));
  await workspace.drain();
  return { home, workspace };
}

function gitFile(home: string, name: string): string {
  return path.join(home, 'workspace', '.git', name);
}

function expectHealthy(home: string): void {
  expect(humanGit(home, 'status', '--porcelain')).toBe('');
  expect(humanGit(home, 'fsck', '--strict', '--no-dangling')).toBe('');
  const mutations = mutationsIn(home);
  expect(new Set(mutations).size).toBe(mutations.length);
}

describe('while another process holds git for very long', () => {
  it('closing waits no longer than it must, loses nothing, and the next one catches up', async () => {
    const home = await makeHome();
    let nowMs = Date.parse('2026-02-16T10:00:00Z');
    let stepMs = 0;
    const workspace = await openWorkspace(home, { clock: { now: () => (nowMs += stepMs) } });
    const { mutation } = await workspace.commit(append('a.md', '- one'));
    const other = new DatabaseSync(path.join(home, 'state', 'git.db'));
    other.exec('BEGIN IMMEDIATE');
    stepMs = 5000;
    expect((await workspace.close()).postponed).toEqual([expect.stringContaining('the git lock for 20 s')]);
    other.exec('ROLLBACK');
    other.close();
    await (await openWorkspace(home)).close();
    expect(mutationsIn(home)).toContain(mutation);
  });
});

describe('while a person is in the middle of something', () => {
  it('a merge: the drain waits, nothing is lost, and it resumes', async () => {
    const { home, workspace } = await homeWith('- one');
    humanGit(home, 'switch', '-c', 'side');
    writeWorkspaceFile(home, 'a.md', '- one\n- side\n');
    humanGit(home, 'commit', '-am', 'side');
    humanGit(home, 'switch', 'main');
    writeWorkspaceFile(home, 'a.md', '- one\n- main\n');
    humanGit(home, 'commit', '-am', 'main');
    expect(() => humanGit(home, 'merge', 'side')).toThrow(/CONFLICT|Command failed/);
    const { mutation } = await workspace.commit(append('b.md', '- meanwhile'));
    expect((await workspace.drain()).postponed).toEqual(['workspace: a git operation is unfinished (MERGE_HEAD)']);
    writeWorkspaceFile(home, 'a.md', '- one\n- main\n- side\n');
    humanGit(home, 'commit', '-am', 'merged');
    await workspace.scan();
    expect((await workspace.close()).postponed).toEqual([]);
    expect(mutationsIn(home)).toContain(mutation);
    expect(readWorkspaceFile(home, 'a.md')).toBe('- one\n- main\n- side\n');
    expectHealthy(home);
  });

  it('a rebase, and a detached HEAD', async () => {
    const { home, workspace } = await homeWith('- one', '- two');
    humanGit(home, 'checkout', '--detach');
    const { mutation } = await workspace.commit(append('b.md', '- meanwhile'));
    expect((await workspace.drain()).postponed.join()).toContain('HEAD is detached');
    humanGit(home, 'switch', 'main');
    expect((await workspace.close()).postponed).toEqual([]);
    expect(mutationsIn(home)).toContain(mutation);
    expectHealthy(home);
  });

  it('a git command that holds index.lock for a moment: the drain waits for it', async () => {
    const { home, workspace } = await homeWith('- one');
    fs.writeFileSync(gitFile(home, 'index.lock'), '');
    await workspace.commit(append('a.md', '- two'));
    setTimeout(() => fs.rmSync(gitFile(home, 'index.lock')), 300);
    expect((await workspace.close()).postponed).toEqual([]);
    expectHealthy(home);
  });
});

describe('what a killed drain left', () => {
  it('locks and temporary files are cleared away, also in the middle of a merge', async () => {
    const { home, workspace } = await homeWith('- one');
    await workspace.close();
    fs.writeFileSync(gitFile(home, 'mneme-draining'), '1\n');
    fs.writeFileSync(gitFile(home, 'index.lock'), 'mneme 1\n');
    fs.writeFileSync(gitFile(home, 'mneme-index-1'), 'x');
    fs.writeFileSync(gitFile(home, 'fast_import_crash_1'), 'x');
    fs.writeFileSync(gitFile(home, 'refs/heads/main.lock'), '');
    fs.writeFileSync(gitFile(home, 'MERGE_HEAD'), humanGit(home, 'rev-parse', 'HEAD'));
    const next = await openWorkspace(home);
    await next.commit(append('a.md', '- two'));
    expect((await next.drain()).postponed).toEqual(['workspace: a git operation is unfinished (MERGE_HEAD)']);
    expect(fs.existsSync(gitFile(home, 'index.lock'))).toBe(false);
    humanGit(home, 'merge', '--abort');
    expect((await next.close()).postponed).toEqual([]);
    const left = fs.readdirSync(gitFile(home, '.')).filter((name) => /mneme|lock|crash/.test(name));
    expect(left).toEqual([]);
    expectHealthy(home);
  });

  it("a lock of the person's own git is theirs to remove", async () => {
    const { home, workspace } = await homeWith('- one');
    await workspace.commit(append('a.md', '- two'));
    fs.writeFileSync(gitFile(home, 'refs/heads/main.lock'), '');
    expect((await workspace.drain()).postponed).not.toEqual([]);
    expect(fs.existsSync(gitFile(home, 'refs/heads/main.lock'))).toBe(true);
    fs.rmSync(gitFile(home, 'refs/heads/main.lock'));
    await workspace.close();
    expectHealthy(home);
  });
});

describe("a person's git commit of a file whose last mutations are not in git yet", () => {
  it('is kept as the parent of all mutations that follow', async () => {
    const { home, workspace } = await homeWith('- one');
    await workspace.commit(append('a.md', '- two'));
    writeWorkspaceFile(home, 'a.md', `${readWorkspaceFile(home, 'a.md')}- by hand\n`);
    humanGit(home, 'commit', '-am', 'mine');
    writeWorkspaceFile(home, 'a.md', `- first of all\n${readWorkspaceFile(home, 'a.md')}`);
    for (const line of ['- three', '- four', '- five']) await workspace.commit(append('a.md', line));
    expect((await workspace.close()).postponed).toEqual([]);
    expect(readWorkspaceFile(home, 'a.md')).toBe('- first of all\n- one\n- two\n- by hand\n- three\n- four\n- five\n');
    expect(humanGit(home, 'show', 'HEAD:a.md')).toBe(readWorkspaceFile(home, 'a.md'));
    expect(humanGit(home, 'log', '--format=%s')).toContain('mine\n');
    expectHealthy(home);
  });

  it('gets an empty commit for a mutation whose text it includes, and a git index that matches HEAD', async () => {
    const { home, workspace } = await homeWith('- one');
    const { mutation } = await workspace.commit(append('a.md', '- two'));
    humanGit(home, 'commit', '-am', 'mine');
    // As after a partial commit that read the file twice: the index is behind the commit.
    humanGit(home, 'update-index', '--cacheinfo', `100644,${humanGit(home, 'rev-parse', 'HEAD~1:a.md').trim()},a.md`);
    await workspace.close();
    expect(mutationsIn(home)).toContain(mutation);
    expect(humanGit(home, 'show', 'HEAD:a.md')).toBe('- one\n- two\n');
    expectHealthy(home);
  });
});

describe('two processes that drain', () => {
  it('do not commit anything twice when one waits while the other goes further', async () => {
    const { home, workspace } = await homeWith('- one');
    const other = await openWorkspace(home);
    await workspace.commit(append('a.md', '- two'));
    const drains: Promise<unknown>[] = [];
    await workspace.withoutDraining(async () => {
      drains.push(other.drain());
      await workspace.commit(append('a.md', '- three'));
      // In the queue of this connection, and so before the other, which looks for the lock now and then.
      drains.push(workspace.drain());
    });
    await Promise.all(drains);
    await workspace.commit(append('a.md', '- four'));
    await workspace.close();
    await other.close();
    expect(mutationsIn(home)).toHaveLength(4);
    expectHealthy(home);
  });
});

describe('an append-only file that somebody removed', () => {
  it('still reaches history as it was acknowledged', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    const line = (text: string): CommitRequest => ({
      repository: 'raw',
      actor: 'bot:test',
      summary: text,
      changes: [{ path: 'log.md', append: Buffer.from(`${text}\n`) }],
    });
    await workspace.commit(line('one'));
    await workspace.drain();
    await workspace.commit(line('two'));
    fs.rmSync(path.join(home, 'raw', 'log.md'));
    expect((await workspace.close()).postponed).toEqual([]);
    expect(humanGit(home, '-C', '../raw', 'show', 'HEAD:log.md')).toBe('one\ntwo\n');
  });
});

describe('state that is gone or wrong', () => {
  it('lock.db alone: what is written afterwards still reaches git', async () => {
    const { home, workspace } = await homeWith('- one', '- two');
    await workspace.close();
    for (const suffix of ['', '-wal', '-shm']) fs.rmSync(path.join(home, 'state', `lock.db${suffix}`), { force: true });
    const next = await openWorkspace(home);
    const { mutation } = await next.commit(append('a.md', '- three'));
    await next.close();
    expect(mutationsIn(home)).toContain(mutation);
    expectHealthy(home);
  });

  it('a journal that was dropped while lock.db is lost: positions start anew', async () => {
    const { home, workspace } = await homeWith('- one');
    await workspace.dropJournal();
    await workspace.close();
    fs.rmSync(path.join(home, 'journal', 'wal'), { recursive: true });
    for (const suffix of ['', '-wal', '-shm']) fs.rmSync(path.join(home, 'state', `lock.db${suffix}`), { force: true });
    const next = await openWorkspace(home);
    const { mutation } = await next.commit(append('a.md', '- two'));
    await next.close();
    expect(mutationsIn(home)).toContain(mutation);
    expectHealthy(home);
  });

  it('a journal put back from a backup: the head is not believed', async () => {
    const { home, workspace } = await homeWith('- one');
    const wal = path.join(home, 'journal', 'wal');
    fs.cpSync(wal, path.join(home, 'backup'), { recursive: true });
    await workspace.commit(append('a.md', '- two'));
    await workspace.drain();
    await workspace.close();
    fs.rmSync(wal, { recursive: true });
    fs.cpSync(path.join(home, 'backup'), wal, { recursive: true });
    const next = await openWorkspace(home);
    const { mutation } = await next.commit(append('a.md', '- three'));
    await next.close();
    expect(readWorkspaceFile(home, 'a.md')).toBe('- one\n- two\n- three\n');
    expect(mutationsIn(home)).toContain(mutation);
    expect(fs.existsSync(workspaceFile(home, 'a.md'))).toBe(true);
    expectHealthy(home);
    const again = await openWorkspace(home, { bootId: 'another' });
    await again.commit(append('a.md', '- four'));
    await again.close();
    expect(readWorkspaceFile(home, 'a.md')).toBe('- one\n- two\n- three\n- four\n');
  });
});

describe('the state of the branch', () => {
  it.each([
    ['lies in plain files', []],
    ['is packed', [['pack-refs', '--all']]],
    ['is on a branch with folders in its name', [['switch', '-qc', 'drafts/of-mine']]],
    ['is on a branch whose name no rule of ours knows', [['switch', '-qc', 'über+mir']]],
    ['is on a branch without commits', [['switch', '-q', '--orphan', 'empty']]],
    [
      'is on a branch whose name is a folder of others',
      [
        ['branch', 'a/b'],
        ['symbolic-ref', 'HEAD', 'refs/heads/a'],
      ],
    ],
    ['is on no branch', [['switch', '-q', '--detach']]],
  ])('is what git says, where it %s', async (_where, commands) => {
    const { home, workspace } = await homeWith('- one', '- two');
    for (const command of commands) humanGit(home, ...command);
    const { branch, tip, drained } = await readRepositoryState(workspace.git.workspace);
    const ask = (...command: string[]): string | undefined => {
      try {
        return humanGit(home, ...command).trim();
      } catch {
        // git's way to say that there is none.
        return undefined;
      }
    };
    expect(branch).toBe(ask('symbolic-ref', '-q', 'HEAD'));
    expect(branch === undefined ? undefined : tip).toBe(
      branch === undefined ? undefined : ask('rev-parse', '-q', '--verify', branch),
    );
    expect(drained).toBe(ask('rev-parse', '-q', '--verify', 'refs/mneme/drained'));
    await workspace.close();
  });
});
