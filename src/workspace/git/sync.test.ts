import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { run } from '../../platform/process.ts';
import type { Git } from './git.ts';
import type { MergeText } from './merge-trees.ts';
import { applyPull, planPull, pushBranch, syncRepository, type SyncOptions, type SyncResult } from './sync.ts';
import { createTag } from './tags.ts';
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

afterEach(() => {
  vi.unstubAllEnvs();
});

const ODD_NAME = 'it\'s "ünï" [a].md';

/** Line by line: what either side added is kept; a changed line that both changed is a conflict. */
const mergeLines: MergeText = ({ base, ours, theirs }) => {
  const known = new Set([...base.split('\n'), ...ours.split('\n')]);
  const added = theirs.split('\n').filter((line) => !known.has(line));
  const isConflict = !ours.startsWith(base) && !theirs.startsWith(base);
  return { text: ours + added.map((line) => `${line}\n`).join(''), conflicts: isConflict ? [{ added }] : [] };
};

function optionsFor(git: Git, more: Partial<SyncOptions> = {}): SyncOptions {
  return {
    remote: 'origin',
    branch: 'main',
    merge: mergeLines,
    nowMs: TEST_TIME_MS,
    nextMutation: () => TEST_MUTATION,
    publish: fastForwardWith(git),
    ...more,
  };
}

function sync(git: Git, more: Partial<SyncOptions> = {}): Promise<SyncResult> {
  return syncRepository(git, optionsFor(git, more));
}

async function makeRemote(): Promise<string> {
  const remote = path.join(temporaryFolder(), 'remote ü.git');
  await run('git', ['init', '-q', '--bare', '-b', 'main', remote]);
  return remote;
}

let machines = 0;

/** A machine with its own copy of the memory; the second one starts from what the first pushed. */
async function makeMachine(remote: string): Promise<Git> {
  machines += 1;
  const git = await makeRepository({ nowMs: TEST_TIME_MS - machines * 60_000 });
  await git.bytes(['remote', 'add', 'origin', remote]);
  return git;
}

async function makeTwoMachines(): Promise<{ first: Git; second: Git; remote: string }> {
  const remote = await makeRemote();
  const first = await makeMachine(remote);
  await commitFiles(first, { 'a.md': 'base\n', 'crlf.md': 'one\r\n', [ODD_NAME]: 'x\n', 'old.md': 'old\n' }, 'base');
  await sync(first);
  const second = await makeMachine(remote);
  await sync(second, { allowUnrelated: true });
  await sync(first);
  return { first, second, remote };
}

describe('two processes of one machine that sync at once', () => {
  it('wait for each other where both note what the remote has', async () => {
    const { first, second } = await makeTwoMachines();
    await commitFiles(first, { 'a.md': 'base\nmore\n' }, 'more');
    await sync(first);
    const lock = path.join(second.location.gitDir, 'refs/remotes/origin/main.lock');
    writeFileSync(lock, '');
    // Longer than git itself waits for it.
    setTimeout(() => rmSync(lock), 200);
    const { pulled } = await sync(second);
    expect(pulled).toHaveLength(1);
    expect(readFile(second, 'a.md')).toBe('base\nmore\n');
  });
});

describe('a lock that a killed push left at the remote', () => {
  it('is named, with what to do; without it everything goes on', async () => {
    const { first, remote } = await makeTwoMachines();
    await commitMutation(first, { files: { 'a.md': 'base\nfirst\n' } });
    const lock = path.join(remote, 'refs', 'heads', 'main.lock');
    writeFileSync(lock, '');
    await expect(sync(first)).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringContaining(lock),
      hint: expect.stringContaining('remove that file'),
    });
    rmSync(lock);
    expect(await sync(first)).toMatchObject({ push: { outcome: 'pushed' } });
  });
});

describe('syncing two machines', () => {
  it('joins changes of different files without a conflict', async () => {
    const { first, second } = await makeTwoMachines();
    await commitMutation(first, { files: { 'a.md': 'base\nfirst\n', 'old.md': undefined } });
    await commitMutation(second, { files: { [ODD_NAME]: 'y\n', 'new/ü.md': 'new\n' } });
    expect(await sync(first)).toMatchObject({ push: { outcome: 'pushed' }, attempts: 1 });
    const result = await sync(second);
    expect(result).toMatchObject({ pulled: [{ kind: 'merge' }], conflicts: [], push: { outcome: 'pushed' } });
    expect((await sync(first)).pulled[0]?.kind).toBe('fast-forward');
    for (const git of [first, second]) {
      expect(readFile(git, 'a.md')).toBe('base\nfirst\n');
      expect(readFile(git, ODD_NAME)).toBe('y\n');
      expect(readFile(git, 'new/ü.md')).toBe('new\n');
      expect(await typeGit(git, 'ls-files', '-z', 'old.md')).toBe('');
      expect(await typeGit(git, 'status', '--porcelain')).toBe('');
    }
    expect(await first.text(['rev-parse', 'HEAD'])).toBe(await second.text(['rev-parse', 'HEAD']));
    expect(await second.text(['log', '-1', '--format=%B'])).toBe(
      `[MERGE] 2 files — from origin\n\nMutation: ${TEST_MUTATION}\nActor: system:sync\nApproval: auto\n`,
    );
    expect((await sync(first)).pulled).toEqual([]);
  });

  it('merges one file by its text, CRLF included, and reports what both changed', async () => {
    const { first, second } = await makeTwoMachines();
    await commitMutation(first, { files: { 'a.md': 'first\n', 'crlf.md': 'one\r\nfirst\r\n' } });
    await commitMutation(second, { files: { 'a.md': 'second\n', 'crlf.md': 'one\r\nsecond\r\n' } });
    await sync(first);
    const { conflicts } = await sync(second);
    expect(readFile(second, 'a.md')).toBe('second\nfirst\n');
    expect(readFile(second, 'crlf.md')).toBe('one\r\nsecond\r\nfirst\r\n');
    expect(conflicts).toMatchObject([{ path: 'a.md', kind: 'text', details: [{ added: ['first'] }] }]);
    await sync(first);
    expect(readFile(first, 'a.md')).toBe('second\nfirst\n');
  });

  it('keeps the edited file when the other side deleted it, and ours when it is no text', async () => {
    const { first, second } = await makeTwoMachines();
    await commitMutation(first, { files: { 'a.md': undefined, 'old.md': 'edited\n', bin: Buffer.from([0, 1]) } });
    await commitMutation(second, { files: { 'a.md': 'edited\n', 'old.md': undefined, bin: Buffer.from([0, 2]) } });
    await sync(first);
    const { conflicts } = await sync(second);
    expect(conflicts.map(({ path, kind }) => [path, kind])).toEqual([
      ['a.md', 'edited-and-deleted'],
      ['bin', 'not-text'],
      ['old.md', 'edited-and-deleted'],
    ]);
    expect(readFile(second, 'a.md')).toBe('edited\n');
    expect(readFile(second, 'old.md')).toBe('edited\n');
    expect(readFile(second, 'bin')).toBe('\0\u0002');
  });

  it('never lets a folder swallow a file', async () => {
    const { first, second } = await makeTwoMachines();
    await commitMutation(first, { files: { topic: 'a file\n' } });
    await commitMutation(second, { files: { 'topic/a.md': 'in a folder\n' } });
    await sync(first);
    await expect(sync(second)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('topic') as string,
    });
  });

  it('tries again when another machine was quicker', async () => {
    const { first, second } = await makeTwoMachines();
    await commitMutation(second, { files: { 'b.md': 'second\n' } });
    let isFirst = true;
    const publish = fastForwardWith(second);
    await commitMutation(first, { files: { 'c.md': 'one\n' } });
    await sync(first);
    const result = await sync(second, {
      publish: async (plan) => {
        const isPublished = await publish(plan);
        if (isFirst) {
          isFirst = false;
          await commitMutation(first, { files: { 'c.md': 'one\ntwo\n' } });
          await sync(first);
        }
        return isPublished;
      },
    });
    expect(result).toMatchObject({ attempts: 2, push: { outcome: 'pushed' } });
    expect(readFile(second, 'c.md')).toBe('one\ntwo\n');
  });

  it('plans again when the branch moved meanwhile', async () => {
    const { first, second } = await makeTwoMachines();
    await commitMutation(first, { files: { 'b.md': 'first\n' } });
    await sync(first);
    const plan = await planPull(second, optionsFor(second));
    expect(plan.files.map(({ path, content }) => [path, content?.toString('utf8')])).toEqual([['b.md', 'first\n']]);
    await commitMutation(second, { files: { 'c.md': 'second\n' } });
    expect(await applyPull(second, plan, fastForwardWith(second))).toBe(false);
  });

  it('does not overwrite what is not committed', async () => {
    const { first, second } = await makeTwoMachines();
    await commitMutation(first, { files: { 'a.md': 'first\n' } });
    await sync(first);
    writeFile(second, 'a.md', 'being written');
    await expect(sync(second)).rejects.toMatchObject({ code: 'conflict' });
    expect(readFile(second, 'a.md')).toBe('being written');
  });

  it('takes tags along and names those that differ', async () => {
    const { first, second } = await makeTwoMachines();
    await createTag(first, { name: 'milestone/both', nowMs: TEST_TIME_MS });
    await createTag(second, { name: 'milestone/both', nowMs: TEST_TIME_MS + 5000 });
    await createTag(first, { name: 'milestone/one', nowMs: TEST_TIME_MS });
    await sync(first);
    expect((await sync(second)).push?.refusedTags).toEqual(['memory/milestone/both']);
    expect(await second.text(['tag', '--list', '*/one'])).toBe('memory/milestone/one');
    await commitMutation(first, { files: { 'b.md': 'x' } });
    await createTag(first, { name: 'milestone/two', nowMs: TEST_TIME_MS });
    await sync(first);
    await sync(second);
    expect(await second.text(['tag', '--list', '*/two'])).toBe('memory/milestone/two');
  });
});

describe('during an exploration', () => {
  it('moves the branch and leaves the work tree alone', async () => {
    const { first, second } = await makeTwoMachines();
    await commitMutation(first, { files: { 'a.md': 'base\nfirst\n' } });
    await sync(first);
    await startExploration(second, { name: 'x', nowMs: TEST_TIME_MS });
    await commitMutation(second, { files: { 'b.md': 'tried\n' } });
    await sync(second);
    expect(await second.text(['rev-parse', 'main'])).toBe(await first.text(['rev-parse', 'main']));
    expect(readFile(second, 'a.md')).toBe('base\n');
    expect(await typeGit(second, 'status', '--porcelain')).toBe('');
  });
});

describe('an adopted folder', () => {
  it('syncs although its git directory is elsewhere', async () => {
    const remote = await makeRemote();
    const git = await makeRepository({ gitDir: path.join(temporaryFolder(), 'git') });
    await git.bytes(['remote', 'add', 'origin', remote]);
    await commitMutation(git, { files: { 'a.md': 'x\n' } });
    expect((await sync(git)).push?.outcome).toBe('pushed');
    const other = await makeMachine(remote);
    await sync(other, { allowUnrelated: true });
    await commitMutation(other, { files: { 'a.md': 'x\ny\n' } });
    await sync(other);
    await sync(git);
    expect(readFile(git, 'a.md')).toBe('x\ny\n');
  });
});

describe('errors', () => {
  it('says that there is no such remote', async () => {
    const git = await makeRepository();
    await expect(sync(git)).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('it has none') as string,
    });
    await git.bytes(['remote', 'add', 'origin', path.join(temporaryFolder(), 'nothing')]);
    await expect(sync(git)).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('not a git repository') as string,
    });
  });

  it('joins two fresh homes only when told to', async () => {
    const remote = await makeRemote();
    const first = await makeMachine(remote);
    await commitFiles(first, { 'a.md': 'first\n' }, 'first');
    await sync(first);
    const second = await makeMachine(remote);
    await commitFiles(second, { 'a.md': 'second\n', 'b.md': 'b\n' }, 'second');
    await expect(sync(second)).rejects.toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining('unrelated') as string,
    });
    expect((await sync(second, { allowUnrelated: true })).pulled[0]?.kind).toBe('merge');
    expect(readFile(second, 'a.md')).toContain('first');
  });

  it('tells an unreachable remote from one that does not let us in, and waits for neither', async () => {
    const git = await makeRepository();
    await git.bytes(['remote', 'add', 'origin', 'http://127.0.0.1:1/x.git']);
    await expect(sync(git)).rejects.toMatchObject({
      code: 'failure',
      message: expect.stringContaining('cannot be reached') as string,
    });
    await git.bytes(['remote', 'set-url', 'origin', 'ssh://git@example.invalid/x.git']);
    vi.stubEnv('GIT_SSH_COMMAND', 'echo "git@x: Permission denied (publickey)." >&2; exit 255; :');
    await expect(sync(git)).rejects.toMatchObject({ code: 'refused' });
    vi.stubEnv('GIT_SSH_COMMAND', 'sleep 20; :');
    await expect(sync(git, { timeoutMs: 300 })).rejects.toMatchObject({
      message: expect.stringContaining('in time') as string,
    });
  });

  it('uses an ssh command from the settings of the person, never one from the repository', async () => {
    const git = await makeRepository();
    await git.bytes(['remote', 'add', 'origin', 'ssh://git@example.invalid/x.git']);
    const own = path.join(temporaryFolder(), 'gitconfig');
    const command = 'echo "Permission denied" >&2; exit 255; :';
    await run('git', ['config', '--file', own, 'core.sshCommand', command]);
    vi.stubEnv('GIT_CONFIG_GLOBAL', own);
    await expect(sync(git)).rejects.toMatchObject({
      message: expect.stringContaining('did not accept this machine') as string,
    });
    await git.bytes(['config', 'core.sshCommand', command]);
    await expect(sync(git)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('sets "core.sshcommand" (line ') as string,
      hint: expect.stringContaining('~/.gitconfig') as string,
    });
  });

  it('explains a push that a rule of the remote forbids', async () => {
    const { first, remote } = await makeTwoMachines();
    await run('git', ['config', 'receive.hideRefs', 'refs/heads/main'], { cwd: remote });
    await commitMutation(first, { files: { 'z.md': 'z' } });
    await expect(pushBranch(first, { remote: 'origin', branch: 'main' })).rejects.toMatchObject({ code: 'refused' });
  });
});
