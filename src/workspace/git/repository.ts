import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import type { RepositoryName } from '../journal/record.ts';
import { mutationSubject, serializeCommitMessage } from './commit-message.ts';
import { Git, MINIMUM_GIT, type GitLocation } from './git.ts';
import { checkHooks, installHooks } from './hooks.ts';
import { writeAs, type CommitIdentity } from './identity.ts';
import { EMPTY_TREE } from './objects.ts';
import {
  type KnownSettings,
  addSettings,
  attributeLines,
  excludeLines,
  findSetting,
  hasManagedBlock,
  readSettings,
  writeManagedLines,
} from './settings.ts';

/** core.fsync and its components came with this version. */

export interface InitOptions extends GitLocation {
  readonly kind: RepositoryName;
  readonly branch: string;
  /** The person's name and address, for their own commits, where git does not know them. */
  readonly authorName?: string | undefined;
  readonly authorEmail?: string | undefined;
  /** The author of Mneme's commits, if not Mneme. */
  readonly identity?: CommitIdentity | undefined;
  /** Store attachments by git-lfs, where it is installed. */
  readonly useLfs?: boolean | undefined;
  /** The person agreed that Mneme keeps its history in this repository of theirs. */
  readonly shareExisting?: boolean | undefined;
  /** When the first commit is made; git's own clock unless given. */
  readonly nowMs?: number | undefined;
}

export interface InitResult {
  readonly git: Git;
  readonly isNew: boolean;
}

const INIT_ACTOR = 'system:init';

/** Marks a git directory as Mneme's. */
export const KIND_SETTING = 'mneme.kind';

/** Settings of every repository of a home. Keys in lower case, as git lists them. */
export const SETTINGS: Readonly<Record<string, string>> = {
  // Packing is Mneme's maintenance job: git's own would start in the middle of a person's or the drain's commit.
  'gc.auto': '0',
  'maintenance.auto': 'false',
  // Bytes go in and come out as they are.
  'core.autocrlf': 'false',
  'core.safecrlf': 'false',
  'core.quotepath': 'false',
  'core.precomposeunicode': 'true',
  'core.longpaths': 'true',
  // The journal is cut once git has a mutation, so git's copy must survive a power cut: the objects and the ref that
  // leads to them. The method stays git's default; "batch" speeds up loose objects only, and the drain writes packs.
  'core.fsync': 'committed,reference',
  'fastimport.unpacklimit': '1',
  // The drain updates a private copy of the index, which must be whole and its own.
  'core.splitindex': 'false',
  'core.fsmonitor': 'false',
};

/** Creates a repository or brings an existing one of Mneme's up to date; changes nothing that is right already. */
export async function initRepository(options: InitOptions): Promise<InitResult> {
  const git = new Git({ gitDir: options.gitDir, workTree: options.workTree }, options.identity);
  mkdirSync(options.workTree, { recursive: true });
  await assertGitVersion(git);
  const isNew = !existsSync(path.join(options.gitDir, 'HEAD'));
  if (isNew) await createGitDirectory(git, options.branch);
  else await assertOurs(git, options);
  await applySettings(git, options, isNew);
  writeManagedLines(infoFile(git, 'exclude'), excludeLines(options.kind));
  const withLfs = options.useLfs === true && (await isLfsInstalled(git));
  writeManagedLines(infoFile(git, 'attributes'), attributeLines(withLfs));
  if (isNew || !(await hasCommit(git))) await writeFirstCommit(git, options);
  // Where the machine's settings send git to other hooks, `check` says so.
  if (options.kind === 'raw' && (await checkHooks(git)).length > 0) await installHooks(git, { kind: 'raw' });
  return { git, isNew };
}

/** Whether a repository was made to the end: somebody killed in between leaves one without settings. */
export function isComplete(location: GitLocation): boolean {
  return hasManagedBlock(path.join(location.gitDir, 'info', 'attributes'));
}

export function infoFile(git: Git, name: 'exclude' | 'attributes'): string {
  return path.join(git.location.gitDir, 'info', name);
}

export async function assertGitVersion(git: Git): Promise<void> {
  const text = await git.text(['version']);
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(text) ?? [];
  const [leastMajor, leastMinor] = MINIMUM_GIT;
  if (Number(major) > leastMajor || (Number(major) === leastMajor && Number(minor) >= leastMinor)) return;
  throw new MnemeError('failure', `Mneme needs git ${MINIMUM_GIT.join('.')} or newer; this is "${text}".`, {
    hint: 'Install a newer git from https://git-scm.com and make sure it comes first on the PATH.',
  });
}

async function createGitDirectory(git: Git, branch: string): Promise<void> {
  mkdirSync(path.dirname(git.location.gitDir), { recursive: true });
  // No template: sample hooks are noise. The write path relies on SHA-1 ids and the drain on refs in files, whatever the
  // machine's defaults are; git before 2.45 knows no other way to keep refs and no option to choose one.
  await git.bytes(['init', '--quiet', '--template=', '--object-format=sha1', `--initial-branch=${branch}`], {
    env: { GIT_DEFAULT_REF_FORMAT: 'files' },
  });
}

async function assertOurs(git: Git, options: InitOptions): Promise<void> {
  if (options.shareExisting === true || (await findSetting(git, KIND_SETTING)) !== undefined) return;
  // A repository without a commit is what a crash during the first init leaves.
  if (!(await hasCommit(git))) return;
  throw new MnemeError('refused', `${options.gitDir} is a git repository that Mneme did not make.`, {
    hint: 'Let Mneme keep its own git directory outside this folder, or say that it may share this one.',
  });
}

function wantedSettings(options: InitOptions, { effective }: KnownSettings): Map<string, string> {
  const settings = new Map([...Object.entries(SETTINGS), [KIND_SETTING, options.kind]]);
  if (isSeparate(options)) settings.set('core.worktree', path.resolve(options.workTree));
  const identity = {
    'user.name': options.authorName ?? 'Mneme user',
    'user.email': options.authorEmail ?? 'user@localhost',
  };
  for (const [key, value] of Object.entries(identity)) if (!effective.has(key)) settings.set(key, value);
  return settings;
}

function isSeparate({ gitDir, workTree }: GitLocation): boolean {
  return path.resolve(gitDir) !== path.join(path.resolve(workTree), '.git');
}

async function applySettings(git: Git, options: InitOptions, isNew: boolean): Promise<void> {
  const known = await readSettings(git);
  const missing = [...wantedSettings(options, known)].filter(([key, value]) => known.local.get(key) !== value);
  if (isNew) addSettings(git, new Map(missing));
  else for (const [key, value] of missing) await git.bytes(['config', '--local', '--replace-all', key, value]);
}

async function isLfsInstalled(git: Git): Promise<boolean> {
  return (await git.attempt(['lfs', 'version'])).code === 0;
}

async function hasCommit(git: Git): Promise<boolean> {
  return (await git.attempt(['rev-parse', '--verify', '--quiet', 'HEAD'])).code === 0;
}

/** With a first commit, even an empty one, no reader or writer has to treat a branch without commits specially. */
async function writeFirstCommit(git: Git, options: InitOptions): Promise<void> {
  const subject = mutationSubject('CREATE', options.kind, 'initialised');
  const tree = await git.text(['mktree'], { input: '' });
  if (tree !== EMPTY_TREE) throw new MnemeError('integrity', `git made ${tree} of an empty tree.`);
  const commit = await git.text(['commit-tree', tree], {
    input: serializeCommitMessage(subject, { Actor: [INIT_ACTOR] }),
    env: writeAs(git.identity, INIT_ACTOR, options.nowMs),
  });
  await git.bytes(['update-ref', '-m', subject, 'HEAD', commit, '']);
}

export interface EnclosingRepository extends GitLocation {
  /** Whether `dir` is the top of the repository and not a folder further down. */
  readonly isTop: boolean;
}

/** The git repository a folder belongs to, found by looking rather than by asking git, which refuses foreign owners. */
export function findEnclosingRepository(dir: string): EnclosingRepository | undefined {
  const start = path.resolve(dir);
  for (let folder = start; ; folder = path.dirname(folder)) {
    const gitDir = readGitDirectory(path.join(folder, '.git'));
    if (gitDir !== undefined) return { gitDir, workTree: folder, isTop: folder === start };
    if (path.dirname(folder) === folder) return undefined;
  }
}

function readGitDirectory(dotGit: string): string | undefined {
  const stat = statSync(dotGit, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) return existsSync(path.join(dotGit, 'HEAD')) ? dotGit : undefined;
  if (stat?.isFile() !== true) return undefined;
  // A work tree of another repository, or a submodule, has a file that says where its git directory is.
  const target = /^gitdir: (.+?)\s*$/m.exec(readFileSync(dotGit, 'utf8'))?.[1];
  return target === undefined ? undefined : path.resolve(path.dirname(dotGit), target);
}
