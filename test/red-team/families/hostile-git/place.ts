import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { openMneme } from '../../../../src/mneme.ts';
import { initTestHome, makeTemporaryFolder } from '../../../support/home.ts';

/** A copy of a home that holds a history, with a bare remote beside it; made for one trap. */
export interface Place {
  readonly root: string;
  readonly home: string;
  readonly workspace: string;
  readonly gitDir: string;
  readonly remote: string;
  /** A program that leaves a mark when anything runs it. */
  readonly evil: string;
  readonly mark: string;
  /** Answers every request by asking for a password. */
  readonly lockedServer: string;
}

/** The home that every place is a copy of: making one takes longer than copying. */
export async function makeTemplate(): Promise<string> {
  const root = makeTemporaryFolder();
  const home = path.join(root, 'home');
  await initTestHome(home);
  const mneme = await openMneme({ home, actor: 'manual' });
  await mneme.append('note.md', 'The harbour is white.');
  await mneme.append('note.md', 'It opens in May.');
  await mneme.internals.workspace.drain();
  await mneme.close();
  execFileSync('git', ['init', '--quiet', '--bare', '--template=', '-b', 'main', path.join(root, 'remote.git')]);
  execFileSync('git', ['push', '--quiet', path.join(root, 'remote.git'), 'main'], {
    cwd: path.join(home, 'workspace'),
    stdio: 'ignore',
  });
  return root;
}

export function copyTemplate(template: string, lockedServer: string): Place {
  const root = makeTemporaryFolder();
  fs.cpSync(template, root, { recursive: true });
  const home = path.join(root, 'home');
  const workspace = path.join(home, 'workspace');
  const mark = path.join(root, 'it-ran');
  const evil = path.join(root, 'evil');
  fs.writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> ${mark}\n`, { mode: 0o755 });
  const remote = path.join(root, 'remote.git');
  return { root, home, workspace, gitDir: path.join(workspace, '.git'), remote, evil, mark, lockedServer };
}

/** Adds lines to a settings file as a hostile archive would bring them: no program is asked. */
export function addConfig(folder: string, text: string, name = 'config'): void {
  fs.appendFileSync(path.join(folder, name), `\n${text}\n`);
}

export function addHook(folder: string, name: string, { evil }: Place): void {
  fs.mkdirSync(path.join(folder, 'hooks'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'hooks', name), `#!/bin/sh\ncat >/dev/null\n${evil}\n`, { mode: 0o755 });
}

/** Plain git, as a person would type it, whatever becomes of it. */
export async function typeGit(cwd: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, TERM: 'xterm', GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_GLOBAL: '/dev/null' };
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  const running = promisify(execFile)('git', [...who, ...args], { cwd, env, timeout: 20_000 });
  running.child.stdin?.end();
  try {
    return (await running).stdout.trim();
  } catch (error) {
    return String(error);
  }
}

/** Puts a commit with a signature on top of the branch, without a key. */
export function addSignedCommit({ workspace, gitDir }: Place, kind: string): void {
  const git = (args: string[], input = ''): string =>
    execFileSync('git', args, { cwd: workspace, input, encoding: 'utf8' }).trim();
  const parent = git(['rev-parse', 'HEAD']);
  const header = [
    `tree ${git(['rev-parse', 'HEAD^{tree}'])}`,
    `parent ${parent}`,
    'author A <a@example.com> 1790000000 +0000',
    'committer A <a@example.com> 1790000000 +0000',
    `gpgsig -----BEGIN ${kind}-----`,
    ' ',
    ' iQEzBAABCAAdFiEE',
    ` -----END ${kind}-----`,
  ];
  const commit = git(['hash-object', '-t', 'commit', '-w', '--stdin'], `${header.join('\n')}\n\nsigned\n`);
  fs.writeFileSync(path.join(gitDir, 'refs/heads/main'), `${commit}\n`);
}
