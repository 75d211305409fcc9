import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, type RunResult } from '../../platform/process.ts';
import type { Git } from './git.ts';
import { checkHooks, installHooks, readStagedFiles } from './hooks.ts';
import {
  commitFiles,
  makeRepository,
  temporaryFolder,
  typeGit,
  writeFile,
} from '../../../test/support/git-repository.ts';

function script(lines: string): string {
  const file = path.join(temporaryFolder(), "it's mneme");
  writeFileSync(file, `#!/bin/sh\n${lines}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** A person's commit of everything, whether it succeeds or not. */
async function tryCommit(git: Git, ...args: string[]): Promise<RunResult> {
  await typeGit(git, 'add', '--all');
  return run('git', ['commit', '-m', 'mine', ...args], { cwd: git.location.workTree });
}

describe('the pre-commit hook', () => {
  it('asks Mneme and passes on where everything is', async () => {
    const git = await makeRepository();
    const record = path.join(temporaryFolder(), 'args');
    const mneme = script(`printf "%s\\n" "$@" > '${record}'; echo "core memory is too long" >&2; exit 1`);
    await installHooks(git, { command: [mneme], kind: 'workspace' });
    writeFile(git, 'a.md', 'x');
    const result = await tryCommit(git);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('core memory is too long');
    const args = readFileSync(record, 'utf8').trim().split('\n');
    expect(args.slice(0, 3)).toEqual(['hook', 'git-pre-commit', '--git-dir']);
    expect(args.slice(3, 6)).toEqual([git.location.gitDir, '--work-tree', git.location.workTree]);
    expect(path.resolve(git.location.workTree, args[7] ?? '')).toBe(path.join(git.location.gitDir, 'index'));
  });

  it('never blocks a person because Mneme is missing', async () => {
    const git = await makeRepository();
    await installHooks(git, { command: ['/nowhere/node', '/nowhere/mneme'], kind: 'workspace' });
    writeFile(git, 'a.md', 'x');
    const result = await tryCommit(git);
    expect(result.code).toBe(0);
    expect(result.stderr).toContain('mneme: not found');
  });

  it('keeps a hook that was there before and runs it first', async () => {
    const git = await makeRepository();
    const hook = path.join(git.location.gitDir, 'hooks', 'pre-commit');
    mkdirSync(path.dirname(hook), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\necho theirs >&2\ntest ! -e stop\n');
    chmodSync(hook, 0o755);
    await installHooks(git, { command: [script('echo ours >&2')], kind: 'workspace' });
    await installHooks(git, { command: [script('echo ours >&2')], kind: 'workspace' });
    expect(existsSync(`${hook}.local-2`)).toBe(false);
    writeFile(git, 'a.md', 'x');
    expect((await tryCommit(git)).stderr).toMatch(/theirs\nours/);
    writeFile(git, 'stop', '');
    const stopped = await tryCommit(git);
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).not.toContain('ours');
  });

  it('stays out of a machine-wide hooks folder and says so', async () => {
    const git = await makeRepository();
    const shared = temporaryFolder();
    await git.bytes(['config', 'core.hooksPath', shared]);
    expect(await installHooks(git, { command: ['mneme'], kind: 'workspace' })).toMatchObject({ isInstalled: false });
    expect(existsSync(path.join(shared, 'pre-commit'))).toBe(false);
    expect((await checkHooks(git))[0]).toContain(shared);
  });

  it('refuses to change a transcript but accepts new ones', async () => {
    const git = await makeRepository({ kind: 'raw' });
    await commitFiles(git, { 'conversations/ü 1.md': 'said\n', 'conversations/2.md': 'said\n' }, 'transcripts');
    await installHooks(git, { command: ['/nowhere/mneme'], kind: 'raw' });
    writeFile(git, 'conversations/3.md', 'new\n');
    expect((await tryCommit(git)).code).toBe(0);
    writeFile(git, 'conversations/ü 1.md', 'never said\n');
    const refused = await tryCommit(git);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('never changed');
    expect(refused.stderr).toContain('  conversations/ü 1.md');
    expect((await tryCommit(git, '--no-verify')).code).toBe(0);
  });
});

describe('readStagedFiles', () => {
  it('reads the index and not the work tree', async () => {
    const git = await makeRepository();
    await commitFiles(git, { 'gone.md': 'x', 'a "b" ü.md': 'one\r\n' }, 'base');
    writeFile(git, 'a "b" ü.md', 'staged\r\n');
    await typeGit(git, 'rm', '-q', 'gone.md');
    await typeGit(git, 'add', '.');
    writeFile(git, 'a "b" ü.md', 'not staged');
    writeFile(git, 'untracked.md', 'x');
    expect(await readStagedFiles(git)).toEqual([
      { path: 'a "b" ü.md', status: 'modified', content: Buffer.from('staged\r\n') },
      { path: 'gone.md', status: 'deleted', content: undefined },
    ]);
  });

  it('reads the index that `git commit FILE` prepares', async () => {
    const git = await makeRepository();
    await commitFiles(git, { 'a.md': '1', 'b.md': '1' }, 'base');
    writeFile(git, 'a.md', '2');
    writeFile(git, 'b.md', '2');
    const record = path.join(temporaryFolder(), 'index');
    await installHooks(git, {
      command: [script(`while [ $# -gt 1 ]; do shift; done; cp "$1" '${record}'`)],
      kind: 'workspace',
    });
    await typeGit(git, 'commit', '-q', '-m', 'only a', 'a.md');
    await git.bytes(['update-ref', 'HEAD', 'HEAD~1']);
    expect(await readStagedFiles(git, { indexFile: record })).toMatchObject([
      { path: 'a.md', content: Buffer.from('2') },
    ]);
  });
});
