import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { adoptFolder } from '../../../src/operations/home/adopt.ts';
import { log } from '../../../src/operations/history/log.ts';
import { sync } from '../../../src/operations/history/sync.ts';
import { runOperation } from '../../../src/operations/operation.ts';
import { openMneme, type Mneme } from '../../../src/mneme.ts';
import { initTestHome, makeTemporaryFolder } from '../../support/home.ts';
import { attack, control, type Family, type RedTeamCase } from '../table.ts';
import { addConfig, copyTemplate, makeTemplate, type Place } from './hostile-git/place.ts';
import { useHome } from './hostile-git/use.ts';

export interface FolderWorld {
  readonly home: string;
  readonly template: string;
}

export async function makeFolderWorld(): Promise<FolderWorld> {
  const home = path.join(makeTemporaryFolder(), 'home');
  await initTestHome(home);
  return { home, template: await makeTemplate() };
}

/** A hook that ends in time ends long before; one that waits for a pipe waits for ever. */
const PATIENCE_MS = 45_000;
const PROGRAM = path.resolve(import.meta.dirname, '../../../bin/mneme');

/** Runs the hook as Claude Code does; says so when it has to be killed, fails or prints what is no answer. */
function runHook(home: string, event: string, input: Record<string, unknown>): Promise<string | undefined> {
  return new Promise((resolve) => {
    const args = [PROGRAM, '--home', home, 'hook', 'claude-code', event];
    const options = { cwd: makeTemporaryFolder(), timeout: PATIENCE_MS, killSignal: 'SIGKILL' as const };
    const child = execFile(process.execPath, args, options, (error, out) => {
      if (error !== null) resolve(error.killed === true ? 'it hangs' : error.message);
      else resolve(out === '' || out.startsWith('{') ? undefined : `it printed ${out.slice(0, 200)}`);
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify({ hook_event_name: event, session_id: 'hostile-1', ...input }));
  });
}

type Plant = (folder: string) => void;

const inGit =
  (plant: (config: string) => void): Plant =>
  (folder) => {
    fs.mkdirSync(path.join(folder, '.git'));
    plant(path.join(folder, '.git', 'config'));
  };

/** What stands where a hook looks for the name of the project. */
const WORKING_FOLDERS: readonly (readonly [name: string, plant: Plant])[] = [
  ['a pipe as .git/config', inGit((file) => execFileSync('mkfifo', [file]))],
  [
    '900 KB of blank lines as .git/config',
    inGit((file) => fs.writeFileSync(file, `[remote "origin"]\n${'\n'.repeat(900_000)}`)),
  ],
  [
    '900 KB of blanks behind a url as .git/config',
    inGit((file) => fs.writeFileSync(file, `[remote "origin"]\n\turl =${' '.repeat(900_000)}x y\n`)),
  ],
  [
    'a .git/config of 8 GB',
    inGit((file) => {
      fs.writeFileSync(file, '');
      fs.truncateSync(file, 8 * 1024 ** 3);
    }),
  ],
  ['a device without an end as .git/config', inGit((file) => fs.symlinkSync('/dev/zero', file))],
  ['a link to itself as .git/config', inGit((file) => fs.symlinkSync(file, file))],
  ['a folder as .git/config', inGit((file) => fs.mkdirSync(file))],
  [
    'a .git that leads in a circle',
    (folder) => {
      fs.symlinkSync(path.join(folder, 'b'), path.join(folder, '.git'));
      fs.symlinkSync(path.join(folder, '.git'), path.join(folder, 'b'));
    },
  ],
  ['a pipe as .git', (folder) => execFileSync('mkfifo', [path.join(folder, '.git')])],
  ['a .git that nobody may read', (folder) => fs.mkdirSync(path.join(folder, '.git'), { mode: 0o000 })],
];

const hookCase = ([name, plant]: readonly [string, Plant]): RedTeamCase<FolderWorld> =>
  attack(`a hook in a folder with ${name}`, ({ home }) => {
    const folder = makeTemporaryFolder();
    plant(folder);
    return runHook(home, 'SessionStart', { source: 'startup', cwd: folder });
  });

const TRANSCRIPTS: readonly (readonly [name: string, plant: (file: string) => void])[] = [
  ['a pipe', (file) => execFileSync('mkfifo', [file])],
  ['a device without an end', (file) => fs.symlinkSync('/dev/zero', file)],
  ['a folder', (file) => fs.mkdirSync(file)],
  ['a link to itself', (file) => fs.symlinkSync(file, file)],
];

/** What git reads with every command: each must be refused by name, before git waits for it. */
function infoCase(name: 'exclude' | 'attributes'): RedTeamCase<FolderWorld> {
  return attack(`a pipe as info/${name} of a home`, async ({ template }) => {
    const place = copyTemplate(template, '');
    const file = path.join(place.gitDir, 'info', name);
    fs.rmSync(file, { force: true });
    execFileSync('mkfifo', [file]);
    const { refused } = await useHome(place, ['drain', 'log', 'status']);
    return [...refused.values()].some((message) => message.includes(name)) ? undefined : 'it was not refused';
  });
}

async function mustKeepHistory(mneme: Mneme, file: string): Promise<string | undefined> {
  await mneme.append(file, 'The crane is blue.');
  await mneme.internals.workspace.drain();
  const { entries } = await runOperation(log, mneme.internals, { path: file });
  return entries.length > 1 ? undefined : 'the history has stopped';
}

const ADOPTED: readonly string[] = [
  '.GIT/x.md',
  'sub/.Git/x.md',
  'git~1/x.md',
  'sub/GIT~1/x.md',
  '.g\u200Cit/x.md',
  '.git./x.md',
];

function adoptedCase(name: string): RedTeamCase<FolderWorld> {
  return attack(`an adopted folder with ${JSON.stringify(name).replaceAll('\u200C', String.raw`\u200C`)}`, async () => {
    const folder = makeTemporaryFolder();
    fs.mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), '# Hostile\n');
    fs.writeFileSync(path.join(folder, 'note.md'), '# A note\n');
    const home = path.join(makeTemporaryFolder(), 'home');
    const { heldBack } = await adoptFolder({ home, folder, timeZone: 'UTC' });
    if (heldBack.length === 0) return 'nothing says that it is kept out';
    const mneme = await openMneme({ home, actor: 'manual' });
    try {
      return await mustKeepHistory(mneme, 'note.md');
    } finally {
      await mneme.close();
    }
  });
}

const COMMIT = '1'.repeat(40);
const BLOB = 'BLOB';

/** Entries of a tree that a remote sends; git's own checks are off there. */
const ENTRIES: readonly (readonly [name: string, mode: string, id: string, file: string])[] = [
  ['a gitlink', '160000', COMMIT, 'sub'],
  ['a gitlink in the place of a file', '160000', COMMIT, 'note.md'],
  ['a gitlink called .gitmodules', '160000', COMMIT, '.gitmodules'],
  ['a link that leads out', '120000', BLOB, 'link.md'],
  ['a link in the place of a file', '120000', BLOB, 'note.md'],
  ['a file in .GIT', '100644', BLOB, '.GIT/x.md'],
  ['a file in git~1', '100644', BLOB, 'git~1/config'],
  ['a file called ..', '100644', BLOB, '../x.md'],
];

/** Puts a commit with one more entry on the remote's branch. */
function sendTree({ remote }: Place, [, mode, given, file]: (typeof ENTRIES)[number]): void {
  const git = (args: readonly string[], input = ''): string =>
    execFileSync('git', ['--git-dir', remote, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      input,
      encoding: 'utf8',
    }).trim();
  const id = given === BLOB ? git(['hash-object', '-w', '--stdin'], '../../outside.md') : given;
  const [first = '', second] = file.split('/');
  const entry = (name: string): string => `${mode} ${mode === '160000' ? 'commit' : 'blob'} ${id}\t${name}\n`;
  const added =
    second === undefined ? entry(first) : `040000 tree ${git(['mktree', '--missing'], entry(second))}\t${first}\n`;
  const kept = git(['ls-tree', 'main'])
    .split('\n')
    .filter((line) => !line.endsWith(`\t${first}`));
  const tree = git(['mktree', '--missing'], `${kept.join('\n')}\n${added}`);
  git(['update-ref', 'refs/heads/main', git(['commit-tree', tree, '-p', 'main', '-m', 'hostile'])]);
}

function treeCase(entry: (typeof ENTRIES)[number], isAhead: boolean): RedTeamCase<FolderWorld> {
  const when = isAhead ? 'with changes of our own' : 'without changes of our own';
  return attack(`a remote tree with ${entry[0]}, ${when}`, async ({ template }) => {
    const place = copyTemplate(template, '');
    addConfig(
      place.gitDir,
      `[remote "origin"]\n\turl = ${place.remote}\n\tfetch = +refs/heads/*:refs/remotes/origin/*`,
    );
    sendTree(place, entry);
    const mneme = await openMneme({ home: place.home, actor: 'manual' });
    try {
      if (isAhead) await mneme.append('note.md', 'The harbour has a light.');
      const refusal = await runOperation(sync, mneme.internals, {}).then(() => '', String);
      // Only a path that no system may follow is a reason; a gitlink is left out.
      if (!/^$|points into a git directory|has the segment/u.test(refusal))
        return `the exchange has stopped: ${refusal}`;
      if (fs.existsSync(path.join(place.home, 'x.md'))) return 'it wrote a file beside the workspace';
      return await mustKeepHistory(mneme, 'note.md');
    } finally {
      await mneme.close();
    }
  });
}

export const HOSTILE_FOLDERS: Family<FolderWorld> = {
  title: 'Folders and trees from elsewhere neither hang nor stop anything',
  cases: [
    ...WORKING_FOLDERS.map(hookCase),
    ...TRANSCRIPTS.map(([name, plant]) =>
      attack<FolderWorld>(`a hook whose transcript is ${name}`, ({ home }) => {
        const folder = makeTemporaryFolder();
        const file = path.join(folder, 'log.jsonl');
        plant(file);
        return runHook(home, 'Stop', { cwd: folder, transcript_path: file });
      }),
    ),
    infoCase('exclude'),
    infoCase('attributes'),
    ...ADOPTED.map(adoptedCase),
    ...ENTRIES.flatMap((entry) => [treeCase(entry, true), treeCase(entry, false)]),
    control('a hook in an ordinary repository', ({ home }) => {
      const folder = makeTemporaryFolder();
      execFileSync('git', ['init', '--quiet', folder]);
      return runHook(home, 'SessionStart', { source: 'startup', cwd: folder });
    }),
    control('an adopted folder with names that only begin like git', async () => {
      const folder = makeTemporaryFolder();
      for (const name of ['git-notes.md', '.github.md', 'gits.md']) fs.writeFileSync(path.join(folder, name), '# A\n');
      const { heldBack } = await adoptFolder({
        home: path.join(makeTemporaryFolder(), 'home'),
        folder,
        timeZone: 'UTC',
      });
      return heldBack.length === 0 ? undefined : heldBack.join();
    }),
  ],
};
