import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import { sleep } from '../../platform/clock.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { findTip, isAncestor, SYNC_ACTOR } from './checkout.ts';
import { mutationSubject, serializeCommitMessage } from './commit-message.ts';
import { clearErasedRemote, listErasedCommits, listErasedRemotes } from './erased-commits.ts';
import { gitError, type Git } from './git.ts';
import { mergeTrees, type FileConflict, type MergedFile, type MergeText, type TreeMerge } from './merge-trees.ts';
import { EMPTY_TREE, type IndexEdit, writeBlob, writeCommit } from './objects.ts';
import { assertRemote, attemptRemote, remoteError, type RemoteOptions } from './remote.ts';
import { TAG_ROOT } from './tags.ts';

/** Another machine that syncs at the same moment wins a push now and then; five times in a row means something else. */
const MAX_ATTEMPTS = 5;

export interface PullOptions extends RemoteOptions {
  readonly branch: string;
  readonly merge: MergeText;
  readonly nowMs: number;
  readonly nextMutation: () => string;
  /** Join two histories that have no commit in common. */
  readonly allowUnrelated?: boolean | undefined;
}

/** The effect of a pull. Nothing but unreferenced objects has been written when a plan exists. */
export interface PullPlan {
  readonly kind: 'up-to-date' | 'fast-forward' | 'merge';
  readonly branch: string;
  /** Names the pull; a merge commit carries it. */
  readonly mutation: string;
  /** Our tip, on which the plan rests. */
  readonly ours: string;
  /** The remote's tip; undefined while the remote has no such branch. */
  readonly theirs: string | undefined;
  /** The tip after the pull, a descendant of `ours`. */
  readonly commit: string;
  /** Files to write in the work tree. */
  readonly files: readonly MergedFile[];
  readonly conflicts: readonly FileConflict[];
}

/** Brings work tree, index and branch from `plan.ours` to `plan.commit`; false when they moved meanwhile. */
export type PublishPull = (plan: PullPlan) => Promise<boolean>;

export async function planPull(git: Git, options: PullOptions): Promise<PullPlan> {
  await assertRemote(git, options.remote);
  const theirs = await fetchBranch(git, options);
  const ours = await git.text(['rev-parse', '--verify', `refs/heads/${options.branch}`]);
  const mutation = options.nextMutation();
  const nothing = { branch: options.branch, mutation, ours, theirs, commit: ours, files: [], conflicts: [] };
  if (theirs === undefined || (await isAncestor(git, theirs, ours))) return { kind: 'up-to-date', ...nothing };
  await assertNothingErased(git, options, ours, theirs);
  if (await isAncestor(git, ours, theirs)) {
    const { files } = await mergeTrees(git, { base: ours, ours, theirs }, options.merge);
    return { kind: 'fast-forward', ...nothing, commit: theirs, files };
  }
  const base = await findMergeBase(git, options, ours, theirs);
  const merged = await mergeTrees(git, { base, ours, theirs }, options.merge);
  const commit = await writeCommit(git, {
    parents: [ours, theirs],
    edits: await indexEdits(git, merged.files),
    message: mergeMessage(options.remote, merged, mutation),
    actor: SYNC_ACTOR,
    timeMs: options.nowMs,
  });
  return { kind: 'merge', ...nothing, commit, files: merged.files, conflicts: merged.conflicts };
}

/** By another process of this machine that syncs, such as the daemon: both want to note where the remote is. */
const FETCHED_BESIDE = /cannot lock ref/;

async function fetchBranch(git: Git, options: PullOptions): Promise<string | undefined> {
  const tracking = `refs/remotes/${options.remote}/${options.branch}`;
  const source = `refs/heads/${options.branch}`;
  await assertTipNotErased(git, options, source);
  const args = [
    'fetch',
    '--quiet',
    '--no-auto-maintenance',
    '--no-write-fetch-head',
    options.remote,
    `+${source}:${tracking}`,
  ];
  let result = await attemptRemote(git, args, options);
  for (let again = 1; again < MAX_ATTEMPTS && FETCHED_BESIDE.test(result.stderr); again += 1) {
    result = await attemptRemote(git, args, options);
  }
  if (result.code === 0) return git.text(['rev-parse', '--verify', tracking]);
  if (/couldn't find remote ref/i.test(result.stderr)) return undefined;
  throw remoteError(args, result, options.remote);
}

async function findMergeBase(git: Git, options: PullOptions, ours: string, theirs: string): Promise<string> {
  const args = ['merge-base', ours, theirs];
  const result = await git.attempt(args);
  if (result.code === 0) return result.stdout.toString('utf8').trim();
  if (result.code !== 1) throw gitError(args, result);
  if (options.allowUnrelated === true) return EMPTY_TREE;
  throw new MnemeError('conflict', `This history and that of "${options.remote}" have nothing in common.`, {
    hint: 'If both are the same memory, begun on two machines, join them once: `mneme sync --allow-unrelated`.',
  });
}

/** Before anything is downloaded: is the remote still where it was when text was erased here? */
async function assertTipNotErased(git: Git, options: RemoteOptions, source: string): Promise<void> {
  const erased = await listErasedCommits(git);
  if (erased.length === 0) return;
  const result = await attemptRemote(git, ['ls-remote', options.remote, source], options);
  const tip = result.stdout.toString('utf8').split('\t')[0] ?? '';
  if (erased.includes(tip)) throw erasedError(options.remote);
}

async function assertNothingErased(git: Git, options: PullOptions, ours: string, theirs: string): Promise<void> {
  for (const commit of await listErasedCommits(git)) {
    // Recorded before the history was exchanged; an interrupted erasure leaves marks that mean nothing yet.
    if ((await isAncestor(git, commit, ours)) || !(await isAncestor(git, commit, theirs))) continue;
    await git.bytes(['update-ref', '-d', `refs/remotes/${options.remote}/${options.branch}`]);
    throw erasedError(options.remote);
  }
}

function erasedError(remote: string): MnemeError {
  return new MnemeError(
    'refused',
    `"${remote}" still holds history that was erased here; merging would bring it back.`,
    {
      hint: 'Replace the remote history with this one (sync and replace the remote), on every machine that has a copy.',
    },
  );
}

async function indexEdits(git: Git, files: readonly MergedFile[]): Promise<IndexEdit[]> {
  const edits: IndexEdit[] = [];
  for (const { path, mode, content, blob } of files) {
    const entry = content === undefined ? undefined : { mode, blob: blob ?? (await writeBlob(git, content)) };
    edits.push({ path, entry });
  }
  return edits;
}

function mergeMessage(remote: string, { files, conflicts }: TreeMerge, mutation: string): string {
  const count = `${files.length} file${files.length === 1 ? '' : 's'}`;
  const body = conflicts.map((conflict) => `- both sides changed ${conflict.path} (${conflict.kind})`).join('\n');
  const trailers = { Mutation: [mutation], Actor: [SYNC_ACTOR], Approval: ['auto'] };
  return serializeCommitMessage(mutationSubject('MERGE', count, `from ${remote}`), trailers, body);
}

/** Carries a plan out; false when somebody wrote since it was made, so that the caller plans again. */
export async function applyPull(git: Git, plan: PullPlan, publish: PublishPull): Promise<boolean> {
  if (plan.kind === 'up-to-date') return true;
  const branch = `refs/heads/${plan.branch}`;
  const head = await git.attempt(['symbolic-ref', '--quiet', 'HEAD']);
  if (head.stdout.toString('utf8').trim() === branch) return publish(plan);
  // During an exploration neither work tree nor index belong to the branch: it moves alone.
  return (await git.attempt(['update-ref', '-m', 'mneme sync', branch, plan.commit, plan.ours])).code === 0;
}

export interface PushOptions extends RemoteOptions {
  readonly branch: string;
  /** Overwrite the remote's history with ours, after an erasure. */
  readonly replaceRemote?: boolean | undefined;
}

export interface PushResult {
  readonly outcome: 'pushed' | 'up-to-date' | 'behind';
  /** Tags the remote has already and for another commit. */
  readonly refusedTags: readonly string[];
}

/** `behind` when the remote has commits that we do not. */
export async function pushBranch(git: Git, options: PushOptions): Promise<PushResult> {
  await assertRemote(git, options.remote);
  const branch = `refs/heads/${options.branch}`;
  const tags = `refs/tags/${TAG_ROOT}*`;
  const force = options.replaceRemote === true ? '+' : '';
  const args = ['push', '--porcelain', options.remote, `${force}${branch}:${branch}`, `${force}${tags}:${tags}`];
  const result = await attemptRemote(git, args, options);
  const lines = result.stdout.toString('utf8').split('\n').map(parsePushLine);
  const ours = lines.find((line) => line?.target === branch);
  const refusedTags = lines
    .filter((line) => line?.flag === '!' && line.target.startsWith('refs/tags/'))
    .map((line) => line?.target.slice('refs/tags/'.length) ?? '');
  if (ours === undefined) throw remoteError(args, result, options.remote);
  if (ours.flag !== '!') {
    if ((await listErasedRemotes(git)).includes(options.remote)) await clearErasedRemote(git, options.remote);
    return { outcome: ours.flag === '=' ? 'up-to-date' : 'pushed', refusedTags };
  }
  if (/fetch first|non-fast-forward|stale info|cannot lock ref|failed to update ref/.test(ours.summary)) {
    await refuseDeadLock(result.stderr, options.remote);
    return { outcome: 'behind', refusedTags };
  }
  throw new MnemeError('refused', `The remote "${options.remote}" refused the push: ${ours.summary}.`, {
    hint: 'A rule of the remote (a protected branch, a hook) forbids it; change the rule or use another branch.',
  });
}

/** A running push holds its lock for milliseconds; a lock that stays was left by a push that was killed. */
const LOCK_WAIT_MS = 2000;

/** Only at a remote on this machine can anybody tell a lock that is held from one that was left behind. */
async function refuseDeadLock(stderr: string, remote: string): Promise<void> {
  const named = /Unable to create '([^'\n]+\.lock)': File exists/u.exec(stderr)?.[1];
  const lock = named === undefined ? undefined : path.normalize(named);
  const before = lock === undefined ? undefined : nodeFileSystem.stamp(lock);
  if (lock === undefined || before === undefined) return;
  await sleep(LOCK_WAIT_MS);
  const after = nodeFileSystem.stamp(lock);
  if (after === undefined || after.inode !== before.inode || after.mtimeNs !== before.mtimeNs) return;
  throw new MnemeError(
    'locked',
    `The remote "${remote}" is locked by ${lock}, which a push that was killed left behind.`,
    {
      hint: 'Make sure that nobody is pushing there, remove that file, and run `mneme sync` again.',
    },
  );
}

interface PushLine {
  readonly flag: string;
  readonly target: string;
  readonly summary: string;
}

/** `flag⇥from:to⇥summary (reason)` */
function parsePushLine(line: string): PushLine | undefined {
  const [flag = '', names = '', summary = ''] = line.split('\t');
  const target = names.split(':')[1];
  return flag.length === 1 && target !== undefined ? { flag, target, summary } : undefined;
}

export interface SyncOptions extends PullOptions {
  readonly publish: PublishPull;
  readonly direction?: SyncDirection | undefined;
  readonly replaceRemote?: boolean | undefined;
}

export type SyncDirection = 'both' | 'pull' | 'push';

export interface SyncResult {
  /** Every pull that brought something; more than one when another machine was quicker. */
  readonly pulled: readonly PullPlan[];
  /** undefined when only pulled. */
  readonly push: PushResult | undefined;
  /** Commits the remote did not have, as far as we knew. */
  readonly pushedCommits: number;
  /** Parts that both machines changed in different ways, for a proposal. */
  readonly conflicts: readonly FileConflict[];
  readonly attempts: number;
}

/** Pull, then push; again when another machine was quicker. */
export async function syncRepository(git: Git, options: SyncOptions): Promise<SyncResult> {
  const { direction = 'both' } = options;
  const pulled: PullPlan[] = [];
  const conflicts: FileConflict[] = [];
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
    if (direction !== 'push' && options.replaceRemote !== true) {
      const plan = await planPull(git, options);
      if (!(await applyPull(git, plan, options.publish))) continue;
      if (plan.kind !== 'up-to-date') pulled.push(plan);
      conflicts.push(...plan.conflicts);
    }
    const done = { pulled, conflicts, attempts };
    if (direction === 'pull') return { ...done, push: undefined, pushedCommits: 0 };
    const unpushed = await countUnpushed(git, options);
    const push = await pushBranch(git, options);
    if (push.outcome === 'pushed') return { ...done, push, pushedCommits: unpushed };
    if (push.outcome === 'up-to-date') return { ...done, push, pushedCommits: 0 };
    if (direction === 'push') throw behindError(options.remote);
  }
  throw new MnemeError('conflict', `Syncing with "${options.remote}" failed ${MAX_ATTEMPTS} times in a row.`, {
    hint: 'Others are writing all the time; try again in a minute.',
  });
}

async function countUnpushed(git: Git, { remote, branch }: PushOptions): Promise<number> {
  const tracking = `refs/remotes/${remote}/${branch}`;
  const known = (await findTip(git, tracking)) === undefined ? [] : [`^${tracking}`];
  return Number(await git.text(['rev-list', '--count', `refs/heads/${branch}`, ...known, '--']));
}

function behindError(remote: string): MnemeError {
  return new MnemeError('conflict', `"${remote}" has changes that are not here yet.`, {
    hint: 'Pull as well: `mneme sync` without --push-only.',
  });
}
