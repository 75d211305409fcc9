import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import { run } from '../../platform/process.ts';
import { parseConfig } from './config-file.ts';
import { vetRepository } from './guard.ts';
import { commitMutation, makeRepository, temporaryFolder, typeGit } from '../../../test/support/git-repository.ts';

function refusal(gitDir: string): string {
  try {
    vetRepository(gitDir);
    return 'was let through';
  } catch (error) {
    return isMnemeError(error, 'refused') ? error.message : `another error: ${errorMessage(error)}`;
  }
}

function folderWith(text: string | Uint8Array): string {
  const folder = temporaryFolder();
  fs.writeFileSync(path.join(folder, 'config'), text);
  return folder;
}

// SPEC SAFETY-7
describe('a settings file that is none', () => {
  it.each<[string, (file: string) => void, string]>([
    ['a pipe', (file) => void execFileSync('mkfifo', [file]), 'not a plain file'],
    ['a folder', (file) => fs.mkdirSync(file), 'not a plain file'],
    ['a link to an endless device', (file) => fs.symlinkSync('/dev/zero', file), 'not a plain file'],
    ['a link to itself', (file) => fs.symlinkSync('config', file), 'ELOOP'],
    ['two megabytes', (file) => fs.writeFileSync(file, '#'.repeat(2_000_000)), 'more than settings need'],
    ['a file with a NUL', (file) => fs.writeFileSync(file, '[a]\n\tb = c\0d\n'), 'not UTF-8'],
    ['a file in another encoding', (file) => fs.writeFileSync(file, Buffer.from([0x5b, 0xff, 0x5d])), 'not UTF-8'],
    ['noise', (file) => fs.writeFileSync(file, '<<<<<<< HEAD\n'), 'cannot be read as git settings (line 1)'],
    ['a setting without a section', (file) => fs.writeFileSync(file, 'b = c\n'), 'cannot be read as git settings'],
    ['an open quote', (file) => fs.writeFileSync(file, '[a]\n\tb = "c\n'), 'cannot be read as git settings'],
  ])('is refused: %s', (_, make, why) => {
    const folder = temporaryFolder();
    make(path.join(folder, 'config'));
    expect(refusal(folder)).toContain(why);
  });

  it('is no obstacle where there is none yet', () => {
    expect(vetRepository(path.join(temporaryFolder(), 'none')).entries).toEqual([]);
  });
});

describe('a settings file', () => {
  it('is read again when it changes, and only then', () => {
    const folder = folderWith('[user]\n\tname = A\n');
    const first = vetRepository(folder);
    expect(vetRepository(folder)).toBe(first);
    fs.appendFileSync(path.join(folder, 'config'), '[remote "x"]\n\tpromisor\n');
    expect(refusal(folder)).toContain(`${path.join(folder, 'config')} sets "remote.x.promisor" (line 4)`);
    fs.writeFileSync(path.join(folder, 'config'), '[user]\n\tname = A\n');
    expect(vetRepository(folder).entries).toEqual(first.entries);
  });

  it('may say that objects are borrowed only where Mneme arranged it', () => {
    const folder = folderWith('');
    fs.mkdirSync(path.join(folder, 'objects/info'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'objects/info/alternates'), '/elsewhere/objects\n');
    expect(vetRepository(folder, '/elsewhere/objects').entries).toEqual([]);
    fs.appendFileSync(path.join(folder, 'objects/info/alternates'), '/another/objects\n');
    expect(() => vetRepository(folder, '/elsewhere/objects')).toThrow('/another/objects');
  });

  it('may borrow objects only from the place that this very call names', () => {
    const folder = folderWith('');
    fs.mkdirSync(path.join(folder, 'objects/info'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'objects/info/alternates'), '/elsewhere/objects\n');
    vetRepository(folder, '/elsewhere/objects');
    expect(refusal(folder)).toContain('/elsewhere/objects');
  });

  it('is refused without a command to copy: a key may hold one', () => {
    const folder = folderWith(`[remote "x'; touch COPIED; echo '\u001B[2K"]\n\tpromisor = true\n`);
    expect(() => vetRepository(folder)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(String.raw`echo '\u{1b}[2K.promisor" (line 2)`) as string,
        hint: expect.not.stringContaining('COPIED') as string,
      }),
    );
  });

  it.each(['../..\u00A0', '\uFEFF../..', 'link/..'])('of a linked work tree is where git looks, not at %j', (given) => {
    const folder = temporaryFolder();
    const gitDir = path.join(folder, 'a/worktrees/w');
    for (const name of [gitDir, path.join(folder, 'b/c')]) fs.mkdirSync(name, { recursive: true });
    fs.symlinkSync(path.join(folder, 'b/c'), path.join(gitDir, 'link'));
    fs.writeFileSync(path.join(gitDir, 'commondir'), `${given}\n`);
    expect(refusal(gitDir)).toContain('leads to another repository');
  });

  it('of a linked work tree is that of its repository', async () => {
    const git = await makeRepository();
    await commitMutation(git, { files: { 'a.md': 'a' } });
    const linked = path.join(temporaryFolder(), 'linked');
    await typeGit(git, 'worktree', 'add', '--quiet', '-b', 'side', linked);
    const gitDir = path.join(git.location.gitDir, 'worktrees', 'linked');
    expect(vetRepository(gitDir).entries.map(({ key }) => key)).toContain('mneme.kind');
    fs.appendFileSync(path.join(git.location.gitDir, 'config'), '[include]\n\tpath = x\n');
    expect(refusal(gitDir)).toContain('include.path');
  });
});

describe('parseConfig', () => {
  /** Versions of git differ in which blank they make of a tab within a value. */
  const pair = (key: string, value: string): [string, string] => [key, value.replaceAll(/[\t\r]/gu, ' ')];

  async function listByGit(text: string): Promise<[string, string][] | undefined> {
    const file = path.join(temporaryFolder(), 'config');
    fs.writeFileSync(file, text);
    const { code, stdout } = await run('git', ['config', '--file', file, '--no-includes', '--list', '-z']);
    if (code !== 0) return undefined;
    const fields = stdout.toString('utf8').split('\0').slice(0, -1);
    return fields.map((field): [string, string] => {
      const end = field.indexOf('\n');
      return end === -1 ? [field, ''] : pair(field.slice(0, end), field.slice(end + 1));
    });
  }

  function listByUs(text: string): [string, string][] | undefined {
    try {
      return parseConfig(text, 'config').map(({ key, value }) => pair(key, value));
    } catch (error) {
      if (isMnemeError(error, 'refused')) return undefined;
      throw error;
    }
  }

  it.each([
    '[a]\n\tb = c\n',
    '[a] b = c',
    '[a "B c"]\nD = e ; f\n',
    '[A.B.C]\nd\n',
    '[a "x\\"y\\\\z"]\nb="c  d"  e\n',
    '[a]\nb = c \\\n  d # e\n',
    '[a]\nb = "c # d" # e \\\nf = g\n',
    '[a]\r\nb = c\r\n',
    '[a]b=c\n[a]d[e]f=g\n',
    '[a ""]\nb = c\n',
    '[a]\nb = c\\q\n',
    '[a]\n1b = c\n',
    '[a\n]b = c\n',
    '[a "b\nc"]\nd\n',
    '[a]\nb c\n',
    '[a]\nb = "c\n',
    '[a]\nb =\u00A0c\n',
    '[a]\n\u00A0b = c\n',
    '[a]\n\fb = c\n',
    '[]\nb = c\n',
    '[a]\nb',
    '[a]\nb = c\\',
  ])('reads %j as git does', async (text) => {
    expect(listByUs(text)).toEqual(await listByGit(text));
  });

  it('reads whatever git reads, the same way, and refuses whatever git refuses', async () => {
    const pieces = [
      '[',
      ']',
      '"',
      '\\',
      '\n',
      ' ',
      '\t',
      '=',
      '#',
      ';',
      '.',
      '-',
      'a',
      'B',
      '1',
      '\r',
      '[a]',
      '[a "b"]',
      'c = d',
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => `[a]${parts.join('')}`);
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        expect(listByUs(given)).toEqual(await listByGit(given));
      }),
      { numRuns: 150 },
    );
  });
});

describe('the surroundings', () => {
  it('cannot make git run a command or look elsewhere', async () => {
    const git = await makeRepository();
    await commitMutation(git, { files: { 'a.md': 'a\n' } });
    const mark = path.join(temporaryFolder(), 'it-ran');
    const command = `touch ${mark}`;
    const variables = {
      GIT_DIR: '/nowhere',
      GIT_EXTERNAL_DIFF: command,
      GIT_EXEC_PATH: '/nowhere',
      GIT_SSH_COMMAND: command,
      GIT_ASKPASS: command,
      GIT_EDITOR: command,
      GIT_PAGER: command,
      GIT_PROXY_COMMAND: command,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${command}'`,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: command,
    };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    expect(await git.text(['diff', 'HEAD~1', 'HEAD'])).toContain('+a');
    expect(await git.text(['status', '--porcelain'])).toBe('');
    expect(fs.existsSync(mark)).toBe(false);
    vi.unstubAllEnvs();
    vi.stubEnv('GIT_EXTERNAL_DIFF', command);
    await typeGit(git, 'diff', 'HEAD~1', 'HEAD');
    expect(fs.existsSync(mark)).toBe(true);
    vi.unstubAllEnvs();
  });
});
