import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunOptions, RunResult } from '../../platform/process.ts';
import { Git } from './git.ts';
import { logEntries } from './history.ts';
import { readFileAt } from './objects.ts';
import { findMutationCommit } from './revisions.ts';
import { listErasedRemotes } from './erased-commits.ts';
import { eraseFromHistory } from './rewrite.ts';
import { planPull, pushBranch, syncRepository } from './sync.ts';
import { createTag, listTags } from './tags.ts';
import {
  TEST_MUTATION,
  TEST_TIME_MS,
  commitFiles,
  commitMutation,
  fastForwardWith,
  makeRepository,
  readFile,
  startExploration,
  temporaryFolder,
  typeGit,
  writeFile,
} from '../../../test/support/git-repository.ts';

const SECRET = 'hunter2';

function replaceSecret(bytes: Buffer): Buffer {
  if (!bytes.includes(SECRET)) return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll(SECRET, '[erased]'), 'latin1');
}

/** Every byte git still has: all objects, reachable or not, and every file beside them. */
async function hasSecret(git: Git): Promise<boolean> {
  const objects = await git.bytes(['cat-file', '--batch-all-objects', '--batch', '--unordered']);
  const files = readdirSync(git.location.gitDir, { recursive: true, withFileTypes: true });
  const isInFile = files.some((file) => {
    if (!file.isFile()) return file.name.includes(SECRET);
    return file.name.includes(SECRET) || readFileSync(path.join(file.parentPath, file.name)).includes(SECRET);
  });
  return isInFile || objects.includes(SECRET);
}

/** git that dies at a chosen command, as a crash would. */
class CrashingGit extends Git {
  readonly #command: string;

  constructor(git: Git, command: string) {
    super(git.location);
    this.#command = command;
  }

  override attempt(args: readonly string[], options?: RunOptions): Promise<RunResult> {
    if (args[0] === this.#command) return Promise.reject(new Error(`crash before ${this.#command}`));
    return super.attempt(args, options);
  }
}

/** Erases from the files as the caller does, so that work tree and index can be compared. */
function eraseFromFile(git: Git, file: string): void {
  writeFile(git, file, readFile(git, file).replaceAll(SECRET, '[erased]'));
}

describe('eraseFromHistory', () => {
  it('removes a text from contents, messages and names, and keeps everything else', async () => {
    const git = await makeRepository();
    const before = await commitMutation(git, { files: { 'it\'s "ü".md': 'harmless\r\n' } });
    const untouched = await git.text(['rev-parse', 'HEAD']);
    const first = await commitMutation(git, {
      files: { 'a.md': `password ${SECRET}\r\nline\r\n` },
      summary: `noted ${SECRET}`,
    });
    await commitMutation(git, {
      files: { [`notes/${SECRET} ü.md`]: 'named', bin: Buffer.concat([Buffer.from([0, 255]), Buffer.from(SECRET)]) },
    });
    await commitMutation(git, { files: { 'a.md': 'line\r\n', [`notes/${SECRET} ü.md`]: undefined } });
    const result = await eraseFromHistory(git, replaceSecret);
    expect(result).toMatchObject({
      changedBlobs: 2,
      changedMessages: 2,
      renamedPaths: [{ from: `notes/${SECRET} ü.md`, to: 'notes/[erased] ü.md' }],
      remotes: [],
    });
    expect(await hasSecret(git)).toBe(false);
    expect(await git.text(['rev-parse', 'HEAD~3'])).toBe(untouched);
    expect(await findMutationCommit(git, before)).toBe(untouched);
    const commit = await findMutationCommit(git, first);
    expect((await readFileAt(git, commit ?? '', 'a.md'))?.toString()).toBe('password [erased]\r\nline\r\n');
    expect((await readFileAt(git, 'HEAD', 'bin'))?.toString('latin1')).toBe('\0ÿ[erased]');
    expect((await logEntries(git, { limit: 10 })).map(({ summary }) => summary)).toEqual([
      'changed',
      'changed',
      'noted [erased]',
      'changed',
      'initialised',
    ]);
    await git.bytes(['fsck', '--strict']);
    writeFile(git, 'bin', Buffer.concat([Buffer.from([0, 255]), Buffer.from('[erased]')]));
    expect(await typeGit(git, 'status', '--porcelain')).toBe('');
  });

  it('follows every ref: tags, explorations, merges, what the drain keeps, stashes', async () => {
    const git = await makeRepository();
    await commitMutation(git, { files: { 'a.md': `${SECRET}\n` } });
    await createTag(git, { name: 'milestone/first', message: `before ${SECRET}`, nowMs: TEST_TIME_MS });
    await createTag(git, { name: `before/${SECRET}`, nowMs: TEST_TIME_MS });
    await typeGit(git, 'tag', 'plain');
    await startExploration(git, { name: `with-${SECRET}`, nowMs: TEST_TIME_MS });
    await commitMutation(git, { files: { 'b.md': `b ${SECRET}\n` } });
    await git.bytes(['update-ref', 'refs/mneme/drained', 'HEAD']);
    writeFile(git, 'b.md', `stashed ${SECRET} one`);
    await typeGit(git, 'stash');
    writeFile(git, 'b.md', `stashed ${SECRET} two`);
    await typeGit(git, 'stash');
    await git.bytes(['switch', '-q', 'main']);
    await commitMutation(git, { files: { 'c.md': 'c\n' } });
    await git.bytes(['merge', '-q', '--no-ff', '-m', 'join', `explore/with-${SECRET}`]);
    await git.bytes(['switch', '-q', `explore/with-${SECRET}`]);
    const result = await eraseFromHistory(git, replaceSecret);
    expect(await hasSecret(git)).toBe(false);
    expect(await typeGit(git, 'branch', '--show-current')).toBe('explore/with-erased');
    expect(await git.text(['log', '--format=%s', '-1', 'main'])).toBe('join');
    expect(await git.text(['rev-parse', 'refs/mneme/drained'])).toBe(await git.text(['rev-parse', 'HEAD']));
    expect((await listTags(git)).map(({ name, message }) => [name, message])).toEqual([
      ['memory/before/erased', 'memory/before/[erased]'],
      ['memory/milestone/first', 'before [erased]'],
    ]);
    expect(await git.text(['show', 'memory/milestone/first:a.md'])).toBe('[erased]');
    expect(await git.text(['show', 'plain:a.md'])).toBe('[erased]');
    expect(result.keptStashes).toHaveLength(2);
    const stashes = await Promise.all(result.keptStashes.map((name) => git.text(['show', `${name}:b.md`])));
    expect(stashes).toEqual(['stashed [erased] two', 'stashed [erased] one']);
    await git.bytes(['fsck', '--strict']);
  });

  it('erases authors and leaves no trace in logs and message files', async () => {
    const git = await makeRepository();
    writeFile(git, 'a.md', 'x');
    await typeGit(git, 'add', '.');
    await typeGit(
      git,
      '-c',
      `user.name=${SECRET}`,
      '-c',
      `user.email=${SECRET}@example.org`,
      'commit',
      '-m',
      `by ${SECRET}`,
    );
    await typeGit(git, 'commit', '--amend', '-m', 'amended');
    expect(await hasSecret(git)).toBe(true);
    await eraseFromHistory(git, replaceSecret);
    expect(await hasSecret(git)).toBe(false);
    expect(await git.text(['log', '-1', '--format=%an <%ae> %s'])).toBe('[erased] <[erased]@example.org> amended');
  });

  it('keeps two files apart whose names become the same', async () => {
    const git = await makeRepository();
    await commitFiles(git, { 'person--alice.md': 'A', 'person--bob.md': 'B' }, 'people');
    await eraseFromHistory(git, (bytes) =>
      Buffer.from(bytes.toString('latin1').replaceAll(/alice|bob/g, 'x'), 'latin1'),
    );
    expect(await git.text(['show', 'HEAD:person--x.md'])).toBe('A');
    expect(await git.text(['show', 'HEAD:person--x-2.md'])).toBe('B');
  });

  it('changes no commit when there is nothing to erase', async () => {
    const git = await makeRepository();
    await commitFiles(git, { 'a.md': 'x' }, 'one');
    const refs = await git.text(['show-ref']);
    expect(await eraseFromHistory(git, replaceSecret)).toMatchObject({
      changedBlobs: 0,
      changedMessages: 0,
      renamedPaths: [],
    });
    expect(await git.text(['show-ref'])).toBe(refs);
  });

  it('finishes after a crash at any stage', async () => {
    for (const command of ['hash-object', 'config', 'branch', 'update-index', 'reflog', 'repack', 'prune']) {
      const git = await makeRepository();
      await commitMutation(git, { files: { 'a.md': `one ${SECRET}` } });
      await createTag(git, { name: 'milestone/x', nowMs: TEST_TIME_MS });
      await git.bytes(['branch', `explore/${SECRET}`]);
      await expect(eraseFromHistory(new CrashingGit(git, command), replaceSecret)).rejects.toThrow(/crash/);
      await git.bytes(['fsck']);
      await eraseFromHistory(git, replaceSecret);
      expect(await hasSecret(git), `after a crash before ${command}`).toBe(false);
      eraseFromFile(git, 'a.md');
      expect(await typeGit(git, 'status', '--porcelain')).toBe('');
      expect(await git.text(['for-each-ref', '--format=%(refname)'])).toBe(
        'refs/heads/explore/erased\nrefs/heads/main\nrefs/tags/memory/milestone/x',
      );
    }
  });

  it('has done nothing when it fails while reading', async () => {
    const git = await makeRepository();
    for (const number of [1, 2, 3]) await commitFiles(git, { 'a.md': `${number} ${SECRET}` }, 'x');
    const refs = await git.text(['show-ref']);
    const failing = (bytes: Buffer): Buffer => {
      if (bytes.includes('3 ')) throw new Error('out of paper');
      return replaceSecret(bytes);
    };
    await expect(eraseFromHistory(git, failing)).rejects.toThrow('out of paper');
    expect(await git.text(['show-ref'])).toBe(refs);
    await eraseFromHistory(git, replaceSecret);
    expect(await hasSecret(git)).toBe(false);
  });

  it('refuses while other work trees or a merge keep old commits', async () => {
    const git = await makeRepository();
    writeFileSync(path.join(git.location.gitDir, 'MERGE_HEAD'), '');
    await expect(eraseFromHistory(git, replaceSecret)).rejects.toMatchObject({ code: 'conflict' });
    await git.bytes(['merge', '--quit']);
    await git.bytes(['worktree', 'add', '-q', path.join(temporaryFolder(), 'other')]);
    await expect(eraseFromHistory(git, replaceSecret)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('syncing after an erasure', () => {
  it('does not bring the text back, and can replace the remote', async () => {
    const git = await makeRepository();
    const remote = path.join(temporaryFolder(), 'remote.git');
    await typeGit(git, 'init', '-q', '--bare', '-b', 'main', remote);
    await git.bytes(['remote', 'add', 'origin', remote]);
    await commitMutation(git, { files: { 'a.md': `${SECRET}\n` } });
    const merge = ({ ours }: { ours: string }): { text: string; conflicts: never[] } => ({ text: ours, conflicts: [] });
    const options = {
      remote: 'origin',
      branch: 'main',
      merge,
      nowMs: TEST_TIME_MS,
      nextMutation: () => TEST_MUTATION,
      publish: fastForwardWith(git),
    };
    await syncRepository(git, options);
    expect((await eraseFromHistory(git, replaceSecret)).remotes).toEqual([{ name: 'origin', url: remote }]);
    await expect(planPull(git, options)).rejects.toMatchObject({ code: 'refused' });
    expect(await hasSecret(git)).toBe(false);
    expect(await listErasedRemotes(git)).toEqual(['origin']);
    await pushBranch(git, { ...options, replaceRemote: true });
    expect(await listErasedRemotes(git)).toEqual([]);
    expect((await syncRepository(git, options)).push?.outcome).toBe('up-to-date');
    expect(await hasSecret(git)).toBe(false);
  });
});
