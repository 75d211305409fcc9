import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Git } from './git.ts';
import { installHooks } from './hooks.ts';
import { checkRepository } from './repository-check.ts';
import { assertGitVersion, findEnclosingRepository, initRepository } from './repository.ts';
import {
  commitFiles,
  isolateFromMachine,
  makeRepository,
  readFile,
  temporaryFolder,
  TEST_TIME_MS,
  typeGit,
  writeFile,
} from '../../../test/support/git-repository.ts';

const check = { kind: 'workspace', nowMs: TEST_TIME_MS } as const;

describe('initRepository', () => {
  it('makes a repository in which a person can simply work', async () => {
    const git = await makeRepository();
    writeFile(git, 'notes/it\'s "ünïcode" [1].md', 'one\r\ntwo\r\n');
    expect(await typeGit(git, 'status', '--porcelain')).toBe('?? notes/');
    await typeGit(git, 'add', '.');
    await typeGit(git, 'commit', '-m', 'my own words');
    expect(await typeGit(git, 'log', '--format=%s')).toBe('my own words\n[CREATE] workspace — initialised');
    expect(await typeGit(git, 'status', '--porcelain')).toBe('');
    expect(await typeGit(git, 'branch', '--show-current')).toBe('main');
    const stored = await git.bytes(['cat-file', 'blob', 'HEAD:notes/it\'s "ünïcode" [1].md']);
    expect(stored.toString('utf8')).toBe('one\r\ntwo\r\n');
  });

  it('changes nothing when run again', async () => {
    const git = await makeRepository();
    writeFileSync(path.join(git.location.gitDir, 'info', 'exclude'), '# mine\nprivate.md\n');
    await makeRepository({ workTree: git.location.workTree });
    const before = [
      await git.text(['rev-parse', 'HEAD']),
      readFile(git, '.git/config'),
      readFile(git, '.git/info/exclude'),
    ];
    await makeRepository({ workTree: git.location.workTree, nowMs: TEST_TIME_MS });
    expect([
      await git.text(['rev-parse', 'HEAD']),
      readFile(git, '.git/config'),
      readFile(git, '.git/info/exclude'),
    ]).toEqual(before);
    expect(before[2]).toMatch(/^# mine\nprivate\.md\n# >>> mneme/);
  });

  it('keeps secrets, temporary and derived files out of the history', async () => {
    const git = await makeRepository();
    for (const file of ['.env', 'id.pem', 'memory/meta/audit.log', 'a.md.tmp', '.DS_Store']) writeFile(git, file, 'x');
    expect(await typeGit(git, 'status', '--porcelain')).toBe('');
  });

  it('never converts bytes, whatever the folder or the machine say', async () => {
    const git = await makeRepository();
    await typeGit(git, 'config', 'core.autocrlf', 'true');
    await commitFiles(git, { '.gitattributes': '*.md text eol=lf\n', 'a.md': 'x\r\n' }, 'crlf');
    expect((await git.bytes(['cat-file', 'blob', 'HEAD:a.md'])).toString('utf8')).toBe('x\r\n');
    expect(await typeGit(git, 'status', '--porcelain')).toBe('');
  });

  it("keeps its git directory outside an adopted folder and leaves that folder's own repository alone", async () => {
    const theirs = await makeRepository();
    await commitFiles(theirs, { 'vault.md': 'theirs\n' }, 'theirs');
    const untouched = (): Promise<string> => typeGit(theirs, 'config', '--list', '--local');
    const before = await untouched();
    const gitDir = path.join(temporaryFolder(), 'adopted', 'git');
    const ours = await makeRepository({ workTree: theirs.location.workTree, gitDir });
    await commitFiles(ours, { 'vault.md': 'ours\n' }, 'ours');
    expect(await ours.text(['log', '--format=%s'])).toBe('ours\n[CREATE] workspace — initialised');
    expect(await typeGit(theirs, 'log', '-1', '--format=%s')).toBe('theirs');
    expect(await untouched()).toBe(before);
    expect(await new Git(ours.location).text(['ls-files'])).toBe('vault.md');
  });

  it('refuses a repository that somebody else made, unless told to share it', async () => {
    isolateFromMachine();
    const workTree = temporaryFolder();
    const place = { workTree, gitDir: path.join(workTree, '.git'), kind: 'workspace', branch: 'main' } as const;
    const git = new Git(place);
    await git.bytes(['init', '-b', 'trunk']);
    await git.bytes(['-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--allow-empty', '-m', 'mine']);
    await expect(initRepository(place)).rejects.toMatchObject({ code: 'refused' });
    await initRepository({ ...place, shareExisting: true });
    expect(await git.text(['log', '--format=%s'])).toBe('mine');
  });

  it('uses the identity git knows and sets one only where there is none', async () => {
    isolateFromMachine();
    const config = path.join(temporaryFolder(), 'gitconfig');
    writeFileSync(config, '[user]\n\tname = Ada\n\temail = ada@example.org\n');
    vi.stubEnv('GIT_CONFIG_GLOBAL', config);
    const workTree = temporaryFolder();
    const { git } = await initRepository({
      workTree,
      gitDir: path.join(workTree, '.git'),
      kind: 'raw',
      branch: 'main',
      authorName: 'Bob',
    });
    await typeGit(git, 'commit', '--allow-empty', '-m', 'x');
    expect(await typeGit(git, 'log', '-1', '--format=%an')).toBe('Ada');
    vi.unstubAllEnvs();
  });

  it('says which git it needs', async () => {
    const git = await makeRepository();
    class OldGit extends Git {
      override text(): Promise<string> {
        return Promise.resolve('git version 2.30.2');
      }
    }
    await expect(assertGitVersion(new OldGit(git.location))).rejects.toThrow(/needs git 2\.36/);
  });
});

describe('checkRepository', () => {
  it('finds nothing in a fresh repository with hooks', async () => {
    const git = await makeRepository();
    await installHooks(git, { command: ['mneme'], kind: 'workspace' });
    expect(await checkRepository(git, check)).toEqual([]);
  });

  it('names what is wrong', async () => {
    const git = await makeRepository();
    await git.bytes(['config', 'gc.auto', '6700']);
    writeFileSync(path.join(git.location.gitDir, 'info', 'attributes'), '*.md text\n');
    await commitFiles(git, { 'a.md': 'base\n' }, 'base');
    await git.bytes(['switch', '-q', '-c', 'side']);
    await commitFiles(git, { 'a.md': 'side\n' }, 'side');
    await git.bytes(['switch', '-q', 'main']);
    await commitFiles(git, { 'a.md': 'main\n' }, 'main');
    await git.attempt(['merge', 'side']);
    const lock = path.join(git.location.gitDir, 'index.lock');
    writeFileSync(lock, '');
    utimesSync(lock, TEST_TIME_MS / 1000 - 600, TEST_TIME_MS / 1000 - 600);
    const codes = (await checkRepository(git, check)).map((finding) => finding.code);
    expect(codes).toEqual(['setting', 'attributes', 'hooks', 'unmerged-index', 'unfinished-operation', 'stale-lock']);
  });

  it('reports a detached HEAD and a missing repository', async () => {
    const git = await makeRepository();
    await git.bytes(['switch', '-q', '--detach']);
    expect((await checkRepository(git, check)).map(({ code }) => code)).toContain('detached-head');
    const nowhere = new Git({ gitDir: path.join(temporaryFolder(), 'none'), workTree: git.location.workTree });
    expect((await checkRepository(nowhere, check)).map(({ code }) => code)).toEqual(['missing']);
  });
});

describe('findEnclosingRepository', () => {
  it('looks upwards and follows a .git file', async () => {
    const git = await makeRepository();
    const below = path.join(git.location.workTree, 'a', 'b');
    mkdirSync(below, { recursive: true });
    expect(findEnclosingRepository(below)).toEqual({ ...git.location, isTop: false });
    expect(findEnclosingRepository(git.location.workTree)?.isTop).toBe(true);
    const linked = path.join(temporaryFolder(), 'linked');
    await git.bytes(['worktree', 'add', '-q', linked]);
    expect(existsSync(path.join(linked, '.git'))).toBe(true);
    const gitDir = readFileSync(path.join(linked, '.git'), 'utf8').slice('gitdir: '.length).trim();
    expect(findEnclosingRepository(linked)).toEqual({ gitDir, workTree: linked, isTop: true });
    expect(findEnclosingRepository(temporaryFolder())).toBeUndefined();
  });
});
