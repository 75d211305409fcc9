import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openMneme } from '../../../src/mneme.ts';
import { blame } from '../../../src/operations/history/blame.ts';
import { diff } from '../../../src/operations/history/diff.ts';
import { log } from '../../../src/operations/history/log.ts';
import { sync } from '../../../src/operations/history/sync.ts';
import { createMemoryTag } from '../../../src/operations/history/tag.ts';
import { runOperation } from '../../../src/operations/operation.ts';
import { initTestHome, makeTemporaryFolder } from '../../support/home.ts';
import { attack, control, type Family } from '../table.ts';

/** A home whose repository somebody else has prepared: with hooks, settings and attributes that name commands. */
export interface CopiedWorld {
  readonly workspace: string;
  readonly remote: string;
  /** Whatever ran leaves a file of its name here. */
  readonly marks: string;
}

const HOOKS = [
  'pre-commit',
  'prepare-commit-msg',
  'post-commit',
  'post-checkout',
  'post-index-change',
  'post-merge',
  'post-rewrite',
  'pre-auto-gc',
  'pre-push',
  'reference-transaction',
] as const;

const SETTINGS = [
  'core.editor',
  'core.fsmonitor',
  'core.pager',
  'diff.evil.command',
  'diff.evil.textconv',
  'diff.external',
  'filter.evil.clean',
  'filter.evil.process',
  'filter.evil.smudge',
  'gpg.program',
  'interactive.diffFilter',
  'merge.evil.driver',
  'pager.diff',
  'pager.log',
  'trailer.mutation.cmd',
  'trailer.mutation.command',
  'uploadpack.packObjectsHook',
] as const;

export async function makeCopiedWorld(): Promise<CopiedWorld> {
  const root = makeTemporaryFolder();
  const home = path.join(root, 'home');
  const marks = path.join(root, 'marks');
  const remote = path.join(root, 'remote.git');
  fs.mkdirSync(marks);
  await initTestHome(home);
  const workspace = path.join(home, 'workspace');
  prepare(workspace, marks);
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  for (const mark of fs.readdirSync(marks)) fs.rmSync(path.join(marks, mark));
  await use(home, workspace, remote);
  return { workspace, remote, marks };
}

function prepare(workspace: string, marks: string): void {
  const command = (name: string): string => `touch ${path.join(marks, name)}`;
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: workspace, stdio: 'ignore' });
  for (const hook of HOOKS) {
    fs.mkdirSync(path.join(workspace, '.git/hooks'), { recursive: true });
    fs.writeFileSync(path.join(workspace, '.git/hooks', hook), `#!/bin/sh\n${command(hook)}\n`, { mode: 0o755 });
  }
  const attributes = '* filter=evil diff=evil merge=evil\n';
  fs.writeFileSync(path.join(workspace, '.gitattributes'), attributes);
  fs.mkdirSync(path.join(workspace, '.git/info'), { recursive: true });
  fs.writeFileSync(path.join(workspace, '.git/info/attributes'), attributes);
  for (const setting of SETTINGS) git('config', setting, command(setting));
  git('config', 'trailer.mutation.key', 'Mutation');
  git('config', 'commit.gpgSign', 'true');
  git('config', 'tag.gpgSign', 'true');
  git('config', 'log.showSignature', 'true');
}

/** Everything that starts git. */
async function use(home: string, workspace: string, remote: string): Promise<void> {
  const mneme = await openMneme({ home, actor: 'manual' });
  const { internals } = mneme;
  await mneme.append('note.md', 'The harbour is white.');
  await internals.workspace.drain();
  fs.appendFileSync(path.join(workspace, 'note.md'), '\nIt is old.\n');
  await internals.workspace.scan();
  await internals.workspace.drain();
  await runOperation(log, internals, { full: true });
  await runOperation(diff, internals, {});
  await runOperation(blame, internals, { path: 'note.md' });
  await runOperation(createMemoryTag, internals, { name: 'milestone/one' });
  await mneme.status();
  await runOperation(sync, internals, { remote });
  await mneme.erase('It is old.');
  await mneme.close();
}

export const COPIED: Family<CopiedWorld> = {
  title: 'A repository that was copied from elsewhere runs nothing',
  cases: [
    ...[...HOOKS, ...SETTINGS].map((name) =>
      attack<CopiedWorld>(`its ${name}`, async ({ marks }) =>
        fs.existsSync(path.join(marks, name)) ? 'it ran' : undefined,
      ),
    ),
    attack('nothing else ran either', async ({ marks }) => {
      const found = fs.readdirSync(marks);
      return found.length === 0 ? undefined : found.join();
    }),
    control('what was written went into its history and to the remote', async ({ workspace, remote }) => {
      const sent = execFileSync('git', ['--git-dir', remote, 'log', '--all', '--format=%s'], { encoding: 'utf8' });
      const text = fs.readFileSync(path.join(workspace, 'note.md'), 'utf8');
      return sent !== '' && text.includes('The harbour is white.') ? undefined : `${sent} ${text}`;
    }),
    control('a person’s own git commands still run their hooks', async ({ workspace, marks }) => {
      execFileSync('git', ['-c', 'core.hooksPath=.git/hooks', 'update-ref', 'refs/heads/own', 'HEAD'], {
        cwd: workspace,
        stdio: 'ignore',
      });
      const mark = path.join(marks, 'reference-transaction');
      const hasRun = fs.existsSync(mark);
      for (const one of fs.readdirSync(marks)) fs.rmSync(path.join(marks, one));
      return hasRun ? undefined : 'the hook did not run, so that nothing was tested';
    }),
  ],
};
