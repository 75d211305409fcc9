import fs from 'node:fs';
import path from 'node:path';
import { MnemeError, must } from '../../model/errors.ts';
import { ulidTimeMs } from '../../model/ids.ts';
import { nodeFileSystem, replaceFile } from '../../platform/fs.ts';
import type { AdoptedFile } from '../door/adopt.ts';
import type { Step } from '../door/context.ts';
import type { JournalPosition } from '../journal/journal.ts';
import type { KnownFiles } from '../known-files.ts';
import { assertNoSymlinkEscape, findRecordedPathObjection } from '../safety/paths.ts';
import { mutationSubject, serializeCommitMessage } from './commit-message.ts';
import { findUnfinishedOperation, readRepositoryState, type RepositoryState } from './drain.ts';
import type { Git } from './git.ts';
import { type IndexEdit, changesBetween, filesAt, isRegularFile, readBlobs, writeCommit } from './objects.ts';
import { publish, removeStaleLocks } from './publish.ts';
import { foldersOf } from './merge-trees.ts';
import { isFile } from '../../platform/walk-tree.ts';

/*
 * Moves HEAD to another branch or to the result of a pull, beside running writers and through crashes. The files go
 * through the journal, as one mutation. A mark beside the repository says where in the journal that is; the drain stops
 * there, HEAD and index are moved, the drain goes on. What was acknowledged before is thus committed where it was
 * written, and what came after on the new tip.
 */

export interface Pull {
  /** The tip the pull was planned on. */
  readonly ours: string;
  /** The tip after it. */
  readonly commit: string;
  /** The other side's tip, an ancestor of `commit` or the same. */
  readonly theirs: string;
}

export interface Checkout {
  /** The mutation that brings the files there. */
  readonly mutation: string;
  /** Records before this place in the journal belong to where HEAD was. */
  readonly after: JournalPosition;
  /** Where HEAD is to point (`refs/heads/…`); a branch that does not exist begins at HEAD. */
  readonly branch: string;
  /** Set when the branch itself moves. */
  readonly pull?: Pull | undefined;
}

export interface CheckoutStep extends Pick<Checkout, 'branch' | 'pull'> {
  /** A new id unless the pull's commit names one already. */
  readonly mutation?: string | undefined;
  readonly summary: string;
  readonly trigger: string;
  /** The files to write, planned under the write lock. */
  readonly plan: (known: KnownFiles) => Promise<readonly AdoptedFile[]>;
}

/** The actor that merges changes from other machines. */
export const SYNC_ACTOR = 'system:sync';

/** A person's git can be quicker than we are; past this we say so instead of spinning. */
const MAX_TRIES = 20;

function markFile(git: Git): string {
  return path.join(git.location.gitDir, 'mneme-checkout');
}

/** Written before the journal: a mark without its mutation means nothing, a mutation without its mark would be lost. */
export function announceCheckout(git: Git, checkout: Checkout): void {
  replaceFile(markFile(git), JSON.stringify(checkout), { flush: true });
  nodeFileSystem.syncDirectory(git.location.gitDir);
}

export function findCheckout(git: Git): Checkout | undefined {
  const bytes = nodeFileSystem.read(markFile(git));
  return bytes === undefined ? undefined : (JSON.parse(bytes.toString('utf8')) as Checkout);
}

export function forgetCheckout(git: Git): void {
  nodeFileSystem.remove(markFile(git));
}

/** Moves HEAD, branch and index. Called by the holder of the drain lock, with everything before the mark committed. */
export async function completeCheckout(git: Git, onStep?: (step: Step) => void): Promise<void> {
  const checkout = findCheckout(git);
  if (checkout === undefined) return;
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const state = await readRepositoryState(git);
    const obstacle = findUnfinishedOperation(git, state);
    if (obstacle !== undefined) throw new MnemeError('conflict', `HEAD has to stay where it is: ${obstacle}.`);
    if (tries === 1) await removeStaleLocks(git, must(state.branch, 'branch'), true);
    const isMoved =
      checkout.pull === undefined
        ? await switchBranch(git, checkout.branch, state, onStep)
        : await moveBranch(git, checkout, state, onStep);
    if (isMoved) return forgetCheckout(git);
  }
  throw new MnemeError(
    'locked',
    'HEAD was not moved: another process keeps moving the branch. Mneme tries again at its next git commit.',
  );
}

type OnStep = ((step: Step) => void) | undefined;

async function switchBranch(git: Git, branch: string, state: RepositoryState, onStep: OnStep): Promise<boolean> {
  if (state.branch === branch) return true;
  const from = must(state.tip, 'tip');
  const oldTip = await findTip(git, branch);
  const newTip = oldTip ?? from;
  const edits = await editsBetween(git, from, newTip);
  if (!(await publish(git, { branch, oldTip, newTip, edits, references: {}, onStep }))) return false;
  // After the index: dying in between leaves a HEAD that the next try moves, never an index that reverts a branch.
  await git.bytes(['symbolic-ref', '-m', 'mneme', 'HEAD', branch]);
  return true;
}

async function moveBranch(git: Git, checkout: Checkout, state: RepositoryState, onStep: OnStep): Promise<boolean> {
  // A person switched branches: what was pulled is committed there like any other change, and pulled again later.
  if (state.branch !== checkout.branch) return true;
  const oldTip = must(state.tip, 'tip');
  const newTip = await tipWithPull(git, checkout, must(checkout.pull, 'pull'), oldTip);
  if (newTip === oldTip) return true;
  const edits = await editsBetween(git, oldTip, newTip);
  return publish(git, { branch: checkout.branch, oldTip, newTip, edits, references: {}, onStep });
}

/** The pulled commit, or one more that joins it with what was committed since the pull was planned. */
async function tipWithPull(git: Git, checkout: Checkout, pull: Pull, tip: string): Promise<string> {
  if (tip === pull.ours) return pull.commit;
  const isThere = await isAncestor(git, pull.theirs, tip);
  if (isThere || !(await isAncestor(git, pull.ours, tip))) return tip;
  const since = new Set((await changesBetween(git, pull.ours, tip)).map((change) => change.path));
  const edits = (await editsBetween(git, pull.ours, pull.commit)).filter((edit) => !since.has(edit.path));
  const files = `${edits.length} file${edits.length === 1 ? '' : 's'}`;
  return writeCommit(git, {
    parents: [tip, pull.theirs],
    edits,
    message: serializeCommitMessage(mutationSubject('MERGE', files, 'joined what came in between'), {
      Mutation: [checkout.mutation],
      Actor: [SYNC_ACTOR],
      Approval: ['auto'],
    }),
    actor: SYNC_ACTOR,
    timeMs: ulidTimeMs(checkout.mutation),
  });
}

async function editsBetween(git: Git, from: string, to: string): Promise<IndexEdit[]> {
  return (await changesBetween(git, from, to)).map(({ path: file, after }) => ({ path: file, entry: after }));
}

export async function findTip(git: Git, branch: string): Promise<string | undefined> {
  const result = await git.attempt(['rev-parse', '--verify', '--quiet', branch]);
  return result.code === 0 ? result.stdout.toString('utf8').trim() : undefined;
}

export async function isAncestor(git: Git, ancestor: string, descendant: string): Promise<boolean> {
  return (await git.attempt(['merge-base', '--is-ancestor', ancestor, descendant])).code === 0;
}

/**
 * The files that differ between what is known and a commit's tree. Compared with what is known and not with HEAD,
 * because what was just acknowledged is not in HEAD yet.
 */
export async function planTree(git: Git, commit: string, known: KnownFiles): Promise<AdoptedFile[]> {
  const wanted = new Map((await filesAt(git, commit)).map((file) => [file.path, file]));
  const present = known.all();
  const steps: { path: string; before: string | null; blob: string | undefined }[] = [];
  for (const [file, { oid }] of present) {
    if (!wanted.has(file)) steps.push({ path: file, before: oid, blob: undefined });
  }
  for (const [file, entry] of wanted) {
    const before = present.get(file)?.oid ?? null;
    // Links are left to the person who made them.
    if (before !== entry.blob && isRegularFile(entry)) steps.push({ path: file, before, blob: entry.blob });
  }
  const contents = await readBlobs(
    git,
    steps.flatMap(({ blob }) => blob ?? []),
  );
  return steps.map(({ path: file, before, blob }) => ({
    path: file,
    before,
    content: blob === undefined ? undefined : must(contents.get(blob), 'blob'),
  }));
}

/** Throws before anything is written where a file could not be put: what is journaled must be possible to complete. */
export async function assertPlaceable(git: Git, files: readonly AdoptedFile[]): Promise<void> {
  const { workTree } = git.location;
  const removed = new Set(files.filter(({ content }) => content === undefined).map((file) => file.path));
  for (const { path: file, content } of files) {
    assertSafePath(file);
    await assertNoSymlinkEscape(workTree, file);
    if (content === undefined) continue;
    const obstacle = foldersOf(file).find((folder) => isFile(path.join(workTree, folder)) || removed.has(folder));
    if (obstacle !== undefined) throw clashError(obstacle, file);
    const target = path.join(workTree, file);
    if (!isFolder(target)) continue;
    if (fs.readdirSync(target).length > 0) throw clashError(file, `${file}/…`);
    fs.rmdirSync(target);
  }
}

/** A tree made elsewhere can name places that git itself would never check out. */
function assertSafePath(file: string): void {
  const objection = findRecordedPathObjection(file);
  if (objection === undefined) return;
  throw new MnemeError('refused', `The history holds a file ${JSON.stringify(file)}; the path ${objection}.`, {
    hint: 'It did not come from Mneme. Look at where it came from before trusting it.',
  });
}

function clashError(folder: string, file: string): MnemeError {
  return new MnemeError('conflict', `${folder} is a file in one state and a folder (of ${file}) in the other.`, {
    hint: 'Rename one of them and try again.',
  });
}

function isFolder(full: string): boolean {
  return fs.lstatSync(full, { throwIfNoEntry: false })?.isDirectory() === true;
}
