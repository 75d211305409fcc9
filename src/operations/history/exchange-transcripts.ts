import { existsSync } from 'node:fs';
import path from 'node:path';
import { nodeFileSystem } from '../../platform/fs.ts';
import { deviceOf } from '../../search-index/open-index.ts';
import { findTip, isAncestor } from '../../workspace/git/checkout.ts';
import { listErasedCommits } from '../../workspace/git/erased-commits.ts';
import type { Git } from '../../workspace/git/git.ts';
import { changesBetween, EMPTY_TREE, isRegularFile, readBlobs } from '../../workspace/git/objects.ts';
import { attemptRemote, remoteError } from '../../workspace/git/remote.ts';
import { initRepository } from '../../workspace/git/repository.ts';
import type { SyncDirection } from '../../workspace/git/sync.ts';
import { plainName, readPacked, unpack, isPackedName } from '../../workspace/packed.ts';
import type { OperationContext } from '../context.ts';
import { processedTranscripts } from '../extract/waiting.ts';
import { showCommand, type KeptConflict } from './merge-rule.ts';

/** Every machine has a branch of its own in the shared repository: transcripts are records, and nobody merges records. */
const BRANCHES = 'refs/heads/transcripts';
/** Where the others' branches are kept here. */
const OTHERS = 'refs/mneme/transcripts';
/** Up to where those were taken over. */
const TAKEN = 'refs/mneme/transcripts-taken';
/** The folders of a conversation; everything else beside it is bookkeeping of one machine. */
const SHARED_FOLDERS = ['conversations/', 'attachments/'];
const FILES_AT_ONCE = 100;

export interface ExchangedTranscripts {
  /** Files. */
  readonly came: number;
  /** Commits. */
  readonly went: number;
  readonly toPush: number;
  readonly toPull: number;
  readonly conflicts: readonly KeptConflict[];
  readonly problem: string | null;
}

/** Sends the transcripts of this machine and takes those of the others, which only stay to be found here. */
export async function exchangeTranscripts(
  context: OperationContext,
  remote: string,
  { direction, withPrivateScopes }: { readonly direction: SyncDirection; readonly withPrivateScopes: boolean },
): Promise<ExchangedTranscripts> {
  const git = await openRaw(context);
  const own = deviceOf(context.homeIndex.parts);
  await fetchOthers(git, remote);
  const isWithheld = direction !== 'pull' && !withPrivateScopes && (await holdsPrivate(context, git, own));
  const went = direction === 'pull' || isWithheld ? 0 : await send(context, git, remote, own);
  const conflicts: KeptConflict[] = [];
  const refused: string[] = [];
  let came = 0;
  let toPull = 0;
  for (const device of await listOthers(git, own)) {
    if (await holdsErased(git, device)) {
      refused.push(device);
      continue;
    }
    const arrived = await findArrived(context, git, device);
    if (direction === 'push') {
      toPull += arrived.files.length;
      continue;
    }
    await takeOver(context, git, arrived);
    came += arrived.files.length;
    conflicts.push(...arrived.conflicts);
  }
  await context.workspace.drain();
  const problems = [
    ...(isWithheld ? [WITHHELD] : []),
    ...(refused.length === 0
      ? []
      : [`${refused.join(', ')} still has text that was erased here; erase it there, too, and sync.`]),
  ];
  const problem = problems.length === 0 ? null : problems.join(' ');
  return { came, went, toPush: await countUnsent(context, git, own), toPull, conflicts, problem };
}

const WITHHELD =
  'Conversations of private scopes are among the transcripts, so none were sent; --with-private-scopes sends them as they are, to a remote that you trust with them.';

/** A push sends the whole history: one private conversation in it, even one that was deleted since, would go along in the clear. */
async function holdsPrivate({ config }: OperationContext, git: Git, own: string): Promise<boolean> {
  if ((await countUnsent({ config }, git, own)) === 0) return false;
  const mark = '^scope: *["\']?(user|project|channel|agent):';
  const sent = (await findTip(git, `${OTHERS}/${own}`)) === undefined ? [] : [`^${OTHERS}/${own}`];
  const range = [`refs/heads/${config.git.branch}`, ...sent];
  const found = await git.text([
    'log',
    '--max-count=1',
    '--format=%H',
    '--no-textconv',
    '-E',
    '-G',
    mark,
    ...range,
    '--',
    ...SHARED_FOLDERS,
  ]);
  return found !== '';
}

async function openRaw({ workspace, config }: OperationContext): Promise<Git> {
  await workspace.drain();
  const location = workspace.paths.repositories.raw;
  if (!existsSync(path.join(location.gitDir, 'HEAD'))) {
    await initRepository({ ...location, kind: 'raw', branch: config.git.branch });
  }
  return workspace.git.raw;
}

async function fetchOthers(git: Git, remote: string): Promise<void> {
  const args = ['fetch', '--quiet', '--no-tags', '--prune', '--no-write-fetch-head', '--', remote];
  const result = await attemptRemote(git, [...args, `+${BRANCHES}/*:${OTHERS}/*`], { remote });
  if (result.code !== 0) throw remoteError(args, result, remote);
}

async function send({ config }: OperationContext, git: Git, remote: string, own: string): Promise<number> {
  const branch = `refs/heads/${config.git.branch}`;
  const unsent = await countUnsent({ config }, git, own);
  if (unsent === 0) return 0;
  // No other machine writes this branch: after an erasure its rewritten history must be pushed, too.
  const force = (await listErasedCommits(git)).length > 0 ? '+' : '';
  const args = ['push', '--quiet', '--', remote, `${force}${branch}:${BRANCHES}/${own}`];
  const result = await attemptRemote(git, args, { remote });
  if (result.code !== 0) throw remoteError(args, result, remote);
  await git.bytes(['update-ref', `${OTHERS}/${own}`, branch]);
  return unsent;
}

async function countUnsent({ config }: Pick<OperationContext, 'config'>, git: Git, own: string): Promise<number> {
  const sent = (await findTip(git, `${OTHERS}/${own}`)) === undefined ? [] : [`^${OTHERS}/${own}`];
  return Number(await git.text(['rev-list', '--count', `refs/heads/${config.git.branch}`, ...sent, '--']));
}

/** Whether another machine would bring back what was erased here; then nothing of it is kept. */
async function holdsErased(git: Git, device: string): Promise<boolean> {
  for (const erased of await listErasedCommits(git)) {
    if (!(await isAncestor(git, erased, `${OTHERS}/${device}`))) continue;
    await git.bytes(['update-ref', '-d', `${OTHERS}/${device}`]);
    return true;
  }
  return false;
}

async function listOthers(git: Git, own: string): Promise<string[]> {
  const names = await git.text(['for-each-ref', '--format=%(refname)', OTHERS]);
  return names
    .split('\n')
    .filter((name) => name !== '')
    .map((name) => name.slice(OTHERS.length + 1))
    .filter((device) => device !== own);
}

interface Arrived {
  readonly device: string;
  readonly tip: string;
  readonly files: readonly { readonly path: string; readonly blob: string }[];
  readonly conflicts: readonly KeptConflict[];
}

/** Finds files of another machine that are missing here; a local file that differs stays as it is, and is reported. */
async function findArrived({ workspace }: OperationContext, git: Git, device: string): Promise<Arrived> {
  const tip = await git.text(['rev-parse', '--verify', `${OTHERS}/${device}`]);
  const taken = (await findTip(git, `${TAKEN}/${device}`)) ?? EMPTY_TREE;
  const root = workspace.paths.repositories.raw.workTree;
  const files: { path: string; blob: string }[] = [];
  const conflicts: KeptConflict[] = [];
  for (const { path: file, after } of await changesBetween(git, taken, tip)) {
    if (after === undefined || !isRegularFile(after)) continue;
    if (!SHARED_FOLDERS.some((folder) => file.startsWith(folder))) continue;
    const here = readPacked(nodeFileSystem, path.join(root, plainName(file)));
    if (here === undefined) files.push({ path: file, blob: after.blob });
    else if (!here.equals(await plainBytes(git, file, after.blob))) {
      const other = showCommand(git.location.gitDir, tip, file);
      conflicts.push({ path: `raw/${file}`, kind: 'not-text', places: 0, blocks: [], other });
    }
  }
  return { device, tip, files, conflicts };
}

async function plainBytes(git: Git, file: string, blob: string): Promise<Buffer> {
  const bytes = (await readBlobs(git, [blob])).get(blob) ?? Buffer.alloc(0);
  return isPackedName(file) ? unpack(bytes, file) : bytes;
}

async function takeOver(context: OperationContext, git: Git, { device, tip, files }: Arrived): Promise<void> {
  // The machine that recorded a conversation learns from it; noted first, or a crash would have both do it.
  const names = files.map((file) => plainName(file.path));
  await (await context.parts.extraction()).exclusively(() => processedTranscripts(context).add(names));
  for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
    const batch = files.slice(at, at + FILES_AT_ONCE);
    const contents = await readBlobs(
      git,
      batch.map(({ blob }) => blob),
    );
    await context.workspace.commit({
      repository: 'raw',
      actor: 'system:sync',
      approval: 'auto',
      trigger: 'sync',
      summary: `transcripts of ${device}`,
      changes: batch.map(({ path: file, blob }) => ({ path: file, content: contents.get(blob), base: undefined })),
    });
  }
  await git.bytes(['update-ref', `${TAKEN}/${device}`, tip]);
}
