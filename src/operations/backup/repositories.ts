import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import type { BackedUpRepository, PartsRepository } from '../../maintain/backup/manifest.ts';
import { damaged } from '../../maintain/backup/tar/header.ts';
import { Git, type GitLocation } from '../../workspace/git/git.ts';
import { listRemotes } from '../../workspace/git/remote.ts';
import { initRepository } from '../../workspace/git/repository.ts';
import type { RepositoryName } from '../../workspace/journal/record.ts';
import { fetchPacks, readLines } from './packs.ts';
import type { PartStore } from './part-store.ts';

export interface FrozenRepository extends BackedUpRepository {
  /** A repository that borrows the objects of the real one and keeps its references as they were. */
  readonly git: Git;
  /** Each reference and what it leads to. */
  readonly lines: readonly string[];
}

/**
 * Notes where every reference stands, in a moment. The bundle is made of that later, while the real repository moves on:
 * its objects stay, because history is only added to. (An erasure does remove some; making the bundle then fails.)
 */
export async function freezeRepository(
  name: RepositoryName,
  source: Git,
  folder: string,
): Promise<FrozenRepository | undefined> {
  if (!fs.existsSync(path.join(source.location.gitDir, 'HEAD'))) return undefined;
  const borrowsFrom = path.resolve(source.location.gitDir, 'objects');
  const place = { gitDir: path.join(folder, `${name}.git`), workTree: path.join(folder, name) };
  const git = await createEmpty({ ...place, borrowsFrom });
  const alternates = path.join(git.location.gitDir, 'objects', 'info', 'alternates');
  fs.mkdirSync(path.dirname(alternates), { recursive: true });
  fs.writeFileSync(alternates, `${borrowsFrom}\n`);
  const references = await readReferences(source);
  // One file instead of one for each tag of each day.
  const packed = references.map((line) => `${line.slice(line.lastIndexOf(' ') + 1)} ${line.split(' ')[0] ?? ''}\n`);
  fs.writeFileSync(path.join(git.location.gitDir, 'packed-refs'), packed.join(''));
  const head = await readHead(source);
  await setHead(git, head);
  const remotes = (await listRemotes(source)).map(({ name, url }) => ({ name, url }));
  return { name, head, references: fingerprint(references), remotes, git, lines: references };
}

/** All references and what they lead to, in one file of git's own format. */
export async function writeBundle({ git, name }: FrozenRepository, folder: string): Promise<string> {
  const file = path.join(folder, `${name}.bundle`);
  await git.bytes(['bundle', 'create', '--quiet', file, '--all']);
  return file;
}

/** Makes a repository of a bundle; git checks every object on the way. The files of the work tree are there already. */
export async function restoreRepository(
  saved: BackedUpRepository,
  bundle: string,
  location: GitLocation,
  branch: string,
): Promise<Git> {
  const git = await createEmpty(location);
  await git.bytes(['fetch', '--quiet', '--no-tags', '--update-head-ok', bundle, '+refs/*:refs/*']);
  return finishRepository(saved, git, branch);
}

/** As `restoreRepository`, of the packs and the references of an incremental backup. */
export async function restoreFromPacks(
  saved: PartsRepository,
  store: PartStore,
  location: GitLocation,
  branch: string,
): Promise<Git> {
  const git = await createEmpty(location);
  await fetchPacks(git, store, saved.packs);
  const references = readLines(store, saved.referenceList);
  await git.bytes(['update-ref', '--stdin'], { input: references.map((line) => `create ${line}\n`).join('') });
  const whole = await git.attempt(['rev-list', '--objects', '--all', '--quiet']);
  if (whole.code !== 0) throw damaged(`objects of the history of ${saved.name} are missing`);
  return finishRepository(saved, git, branch);
}

async function finishRepository(saved: BackedUpRepository, git: Git, branch: string): Promise<Git> {
  const { location } = git;
  await setHead(git, saved.head);
  await git.bytes(['read-tree', 'HEAD']);
  // Only makes the next look at the files cheap; what differs is seen by the scan.
  await git.attempt(['update-index', '-q', '--refresh']);
  for (const { name, url } of saved.remotes) await git.bytes(['remote', 'add', name, url]);
  await initRepository({ ...location, kind: saved.name, branch, shareExisting: true });
  if (fingerprint(await readReferences(git)) === saved.references) return git;
  throw new MnemeError('integrity', `The history of ${saved.name} in the backup is not the one that was backed up.`, {
    hint: 'Use another backup: `mneme backup list`.',
  });
}

async function createEmpty(location: GitLocation): Promise<Git> {
  fs.mkdirSync(location.workTree, { recursive: true });
  const git = new Git(location);
  await git.bytes(['init', '--quiet', '--template=', '--object-format=sha1'], {
    env: { GIT_DEFAULT_REF_FORMAT: 'files' },
  });
  return git;
}

async function readReferences(git: Git): Promise<string[]> {
  const text = await git.text(['for-each-ref', '--format=%(refname) %(objectname)']);
  return text === '' ? [] : text.split('\n');
}

function fingerprint(references: readonly string[]): string {
  return hash('sha256', references.join('\n'));
}

async function readHead(git: Git): Promise<string> {
  const branch = await git.attempt(['symbolic-ref', '--quiet', 'HEAD']);
  return branch.code === 0 ? branch.stdout.toString('utf8').trim() : git.text(['rev-parse', '--verify', 'HEAD']);
}

async function setHead(git: Git, head: string): Promise<void> {
  if (head.startsWith('refs/heads/')) await git.bytes(['symbolic-ref', 'HEAD', head]);
  else await git.bytes(['update-ref', '--no-deref', 'HEAD', head]);
}
