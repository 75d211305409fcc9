import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openMneme, type Mneme } from '../../../src/mneme.ts';
import { diff } from '../../../src/operations/history/diff.ts';
import { log } from '../../../src/operations/history/log.ts';
import { adoptFolder } from '../../../src/operations/home/adopt.ts';
import { runOperation } from '../../../src/operations/operation.ts';
import { makeTemporaryFolder } from '../../support/home.ts';
import { attack, control, type Family } from '../table.ts';

/** A folder from somewhere else, taken over as it is and used for a while. */
export interface CloneWorld {
  readonly folder: string;
  readonly home: string;
  readonly mneme: Mneme;
  /** Whatever ran leaves a file of its name here. */
  readonly marks: string;
}

const HOOKS = [
  'pre-commit',
  'post-commit',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'post-merge',
  'fsmonitor-watchman',
] as const;

const SETTINGS = [
  'core.fsmonitor',
  'core.editor',
  'core.pager',
  'core.sshCommand',
  'diff.external',
  'filter.evil.clean',
  'filter.evil.smudge',
  'filter.evil.process',
  'merge.evil.driver',
  'diff.evil.textconv',
  'credential.helper',
  'gpg.program',
  'sequence.editor',
  'alias.log',
] as const;

/** In the folder's own files, where a clone brings it along: names of commands under every key that could take one. */
const OWN_FILES: Readonly<Record<string, (command: string) => string>> = {
  '.gitattributes': () => '*.md filter=evil diff=evil merge=evil\n',
  'mneme.yaml': (command) =>
    `reasoner:\n  command: ${command}\nproviders:\n  command: ${command}\nhooks:\n  post_write: ${command}\n`,
  '.mneme/config.yaml': (command) => `command: ${command}\n`,
  '.mcp.json': (command) => JSON.stringify({ mcpServers: { evil: { command } } }),
  'procedures/deploy.md': (command) => `---\ntype: procedure\nname: Deploy\n---\n\n# Deploy\n\n1. \`${command}\`\n`,
  'topics/evil.md': (command) =>
    `---\ntype: topic\nname: evil\ntrigger:\n  keywords: [harbour]\n  command: ${command}\n---\n\nRun \`${command}\`.\n`,
  'package.json': (command) => JSON.stringify({ scripts: { postinstall: command, prepare: command } }),
};

export async function makeCloneWorld(): Promise<CloneWorld> {
  const folder = path.join(makeTemporaryFolder(), 'clone');
  const marks = makeTemporaryFolder();
  const command = (name: string): string => `touch ${path.join(marks, name)}`;
  fs.mkdirSync(folder);
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init', '-q');
  for (const hook of HOOKS) {
    fs.mkdirSync(path.join(folder, '.git/hooks'), { recursive: true });
    fs.writeFileSync(path.join(folder, '.git/hooks', hook), `#!/bin/sh\n${command(hook)}\n`, { mode: 0o755 });
  }
  for (const [name, text] of Object.entries(OWN_FILES)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text(command(name.replaceAll(/\W/gu, '-'))));
  }
  fs.writeFileSync(path.join(folder, 'note.md'), '# A note\n\nThe harbour opens in May.\n');
  // Last: git itself would run some of them.
  for (const setting of SETTINGS) git('config', setting, command(setting.replaceAll('.', '-')));
  git('config', 'commit.gpgsign', 'true');
  for (const mark of fs.readdirSync(marks)) fs.rmSync(path.join(marks, mark));
  const home = path.join(makeTemporaryFolder(), 'home');
  await adoptFolder({ home, folder, timeZone: 'UTC' });
  const mneme = await openMneme({ home });
  await use(mneme);
  return { folder, home, mneme, marks };
}

/** Everything that starts git, reads settings or could follow a trigger. */
async function use(mneme: Mneme): Promise<void> {
  const { internals } = mneme;
  await mneme.append('note.md', 'It is white.');
  await mneme.remember('The harbour has a crane.');
  const session = await mneme.session.start({});
  await session.message('user', 'Please deploy to the harbour.');
  await session.end();
  await mneme.context('Deploy to the harbour');
  await internals.workspace.drain();
  await runOperation(log, internals, {});
  await runOperation(diff, internals, {});
  await mneme.status();
}

const ran =
  (name: string) =>
  async ({ marks }: CloneWorld): Promise<string | undefined> =>
    fs.existsSync(path.join(marks, name)) ? 'it ran' : undefined;

export const CLONES: Family<CloneWorld> = {
  title: 'A folder from somewhere else runs nothing',
  cases: [
    ...HOOKS.map((hook) => attack<CloneWorld>(`the git hook ${hook}`, ran(hook))),
    ...SETTINGS.map((setting) => attack<CloneWorld>(`git's setting ${setting}`, ran(setting.replaceAll('.', '-')))),
    ...Object.keys(OWN_FILES).map((name) =>
      attack<CloneWorld>(`a command in ${name}`, ran(name.replaceAll(/\W/gu, '-'))),
    ),
    attack('nothing else ran either', async ({ marks }) => {
      const found = fs.readdirSync(marks);
      return found.length === 0 ? undefined : found.join();
    }),
    attack('mneme.yaml of the folder is no setting of the home', async ({ mneme }) =>
      JSON.stringify(mneme.internals.config).includes('touch ') ? 'it was read as settings' : undefined,
    ),
    control('what was written stands in the folder and in the history', async ({ folder, mneme }) => {
      const { entries } = await runOperation(log, mneme.internals, { path: 'note.md' });
      const text = fs.readFileSync(path.join(folder, 'note.md'), 'utf8');
      return text.includes('It is white.') && entries.length >= 2 ? undefined : text;
    }),
    control('what stands in the folder is found', async ({ mneme }) => {
      const { hits } = await mneme.recall('When does the harbour open?');
      return hits.some(({ text }) => text.includes('May')) ? undefined : JSON.stringify(hits);
    }),
  ],
};
