import fs from 'node:fs';
import path from 'node:path';
import { must } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { RepositoryName } from '../journal/record.ts';
import { blobId } from '../known-files.ts';
import { parseCommitMessage } from './commit-message.ts';
import { importCommits, type PlannedCommit, type TreeEdit } from './fast-import.ts';
import { readModes } from './file-modes.ts';
import type { Git } from './git.ts';
import { filesAt, type IndexEdit } from './objects.ts';
import { publishComing, underIndexLock } from './publish.ts';
import { TreeView, type TreeViewInput } from './tree-view.ts';

/** The last commit the drain made; its `Mutation:` trailer says how far git has followed the journal. */
export const DRAINED_REFERENCE = 'refs/mneme/drained';
const IMPORT_REFERENCE = 'refs/mneme/import';

/**
 * A user who commits without pause would always be faster than an import. Past this the index stays locked during
 * the import, and their git has to try again for once.
 */
const OPTIMISTIC_TRIES = 4;

/** The branch can be moved without the index; past this we say so instead of spinning. */
const MAX_TRIES = 8;

/** States in which a person is in the middle of something and the branch must not move under them. */
const UNFINISHED = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply', 'BISECT_LOG'];

export interface RepositoryState {
  /** The branch HEAD points to, undefined when detached. */
  readonly branch: string | undefined;
  readonly tip: string | undefined;
  readonly drained: string | undefined;
}

export async function readRepositoryState(git: Git): Promise<RepositoryState> {
  return readLooseState(git.location.gitDir) ?? (await askRepositoryState(git));
}

/** A branch as Mneme and people name it; any other is left to git to understand. */
const HEAD_ON_BRANCH = /^ref: (?<branch>refs\/heads\/[\w-]+(?:[./][\w-]+)*)\n$/u;

/** The state as it lies in plain files, which spares a process; undefined where a part of it is packed or kept otherwise. */
function readLooseState(gitDir: string): RepositoryState | undefined {
  const read = (name: string): string => {
    const file = path.join(gitDir, name);
    return nodeFileSystem.stamp(file) === undefined ? '' : (nodeFileSystem.read(file)?.toString('latin1') ?? '');
  };
  const branch = HEAD_ON_BRANCH.exec(read('HEAD'))?.groups?.['branch'];
  if (branch === undefined || nodeFileSystem.stamp(path.join(gitDir, 'commondir')) !== undefined) return undefined;
  const [tip, drained] = [branch, DRAINED_REFERENCE].map((name) => /^([0-9a-f]{40})\n$/u.exec(read(name))?.[1]);
  return tip === undefined || drained === undefined ? undefined : { branch, tip, drained };
}

async function askRepositoryState(git: Git): Promise<RepositoryState> {
  const format = '--format=%(HEAD)%00%(refname)%00%(objectname)';
  const lines = (await git.text(['for-each-ref', format, 'refs/heads', DRAINED_REFERENCE])).split('\n');
  let branch: string | undefined;
  let tip: string | undefined;
  let drained: string | undefined;
  for (const line of lines) {
    const [head, name, hash] = line.split('\0');
    if (name === DRAINED_REFERENCE) drained = hash;
    else if (head === '*') [branch, tip] = [name, hash];
  }
  if (branch === undefined) {
    const symbolic = await git.attempt(['symbolic-ref', '-q', 'HEAD']);
    if (symbolic.code === 0) branch = symbolic.stdout.toString('utf8').trim();
  }
  return { branch, tip, drained };
}

/** Why the branch must not be moved now, in words for a person; undefined when it may. */
export function findUnfinishedOperation(git: Git, state: RepositoryState): string | undefined {
  if (state.branch === undefined) return 'HEAD is detached (`git switch main` re-attaches it)';
  const found = UNFINISHED.find((name) => fs.existsSync(path.join(git.location.gitDir, name)));
  return found === undefined ? undefined : `a git operation is unfinished (${found})`;
}

/** The mutation named last in the last commit the drain made. */
export async function lastDrainedMutation(git: Git, drained: string): Promise<string | undefined> {
  const message = await git.text(['log', '-1', '--format=%B', drained]);
  return parseCommitMessage(message).trailers.Mutation?.at(-1);
}

/** Far more than a journal ever holds. */
const MAX_MUTATIONS = 20_000;

/** The mutations of a commit and those before it. */
export async function readMutations(git: Git, commit: string): Promise<Set<string>> {
  const format = '--format=%(trailers:key=Mutation,valueonly)';
  const text = await git.text(['log', '-n', String(MAX_MUTATIONS), format, commit]);
  return new Set(text.split('\n').filter((line) => line !== ''));
}

export interface DrainInput extends TreeViewInput {
  readonly repository: RepositoryName;
  readonly cadence: 'mutation' | 'batch';
}

/**
 * Turns journal records into commits on the current branch, again and again until nobody interferes. Returns the
 * commit of each mutation, or undefined when the branch could not be moved or the records are committed already.
 */
export async function drainRecords(
  input: DrainInput,
  first: RepositoryState,
): Promise<ReadonlyMap<string, string> | undefined> {
  const { git } = input;
  let state = first;
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const made =
      tries <= OPTIMISTIC_TRIES
        ? await tryDrain(input, first, state)
        : await underIndexLock(git, async () => tryDrain(input, first, await readRepositoryState(git), true));
    if (made !== 'interfered') return made;
    state = await readRepositoryState(git);
  }
  return undefined;
}

async function tryDrain(
  input: DrainInput,
  first: RepositoryState,
  state: RepositoryState,
  holdsIndexLock = false,
): Promise<ReadonlyMap<string, string> | undefined | 'interfered'> {
  const { git, context } = input;
  const { branch, tip } = state;
  if (branch === undefined || findUnfinishedOperation(git, state) !== undefined) return undefined;
  // A git process that outlived its killed drain has just committed these very mutations.
  if (state.drained !== first.drained) return undefined;
  const tree = await TreeView.open(input, tip);
  const planned = await planCommits(input, tree, tip);
  if (planned.length === 0) return new Map();
  const edits = [...(await repairsOf(git, tip, tree.heldPaths())), ...editsOf(planned)];
  const importing = importCommits(git, IMPORT_REFERENCE, tip, planned);
  const coming = importing.then((made) => {
    context.onStep?.('commits-imported');
    const newTip = must(made.at(-1), 'commit');
    return {
      branch,
      oldTip: tip,
      newTip,
      edits,
      references: { [DRAINED_REFERENCE]: newTip, [IMPORT_REFERENCE]: undefined },
      isStillWelcome: () => isHeadOn(git, branch) && findUnfinishedOperation(git, state) === undefined,
      holdsIndexLock,
      onStep: context.onStep,
    };
  });
  const isPublished = await publishComing(git, edits, coming);
  const hashes = await importing;
  return isPublished ? commitOfMutation(planned, hashes) : 'interfered';
}

/** Whether a person has not switched branches meanwhile. */
function isHeadOn(git: Git, branch: string): boolean {
  return fs.readFileSync(path.join(git.location.gitDir, 'HEAD'), 'utf8').trim() === `ref: ${branch}`;
}

function commitOfMutation(planned: readonly PlannedCommit[], hashes: readonly string[]): Map<string, string> {
  const commits = new Map<string, string>();
  for (const [index, commit] of planned.entries()) {
    for (const record of commit.records) commits.set(record.id, must(hashes[index], 'commit'));
  }
  return commits;
}

function editsOf(planned: readonly PlannedCommit[]): IndexEdit[] {
  const last = new Map<string, TreeEdit>();
  for (const commit of planned) for (const edit of commit.edits) last.set(edit.path, edit);
  const edits = Array.from(last.values(), ({ path: file, content, mode }) => ({
    path: file,
    entry: content === undefined ? undefined : { mode, blob: blobId(content) },
  }));
  // Removals first: a file may have become a folder.
  return [...edits.filter(({ entry }) => entry === undefined), ...edits.filter(({ entry }) => entry !== undefined)];
}

/**
 * A person's `git commit FILE` reads the file twice; when the write path writes in between, their index is left behind their
 * own commit, and their next commit would take our change back. What they committed of ours is therefore set again.
 */
async function repairsOf(git: Git, tip: string | undefined, heldPaths: readonly string[]): Promise<IndexEdit[]> {
  if (tip === undefined || heldPaths.length === 0) return [];
  const files = await filesAt(git, tip, heldPaths);
  return files.map(({ path: file, mode, blob }) => ({ path: file, entry: { mode, blob } }));
}

/** One commit for all; statements without files (an acknowledgement) keep their own, for their trailers are the point. */
function foldCommits(planned: readonly PlannedCommit[]): PlannedCommit[] {
  const isStatement = ({ records: [first] }: PlannedCommit): boolean => first?.files.length === 0;
  const changes = planned.filter((commit) => !isStatement(commit));
  const statements = planned.filter(isStatement);
  if (changes.length === 0) return statements;
  const folded = { records: changes.flatMap(({ records }) => records), edits: changes.flatMap(({ edits }) => edits) };
  // The last commit must name the last mutation: it tells the next drain how far this one came.
  return planned.at(-1) === statements.at(-1) ? [folded, ...statements] : [...statements, folded];
}

async function planCommits(input: DrainInput, tree: TreeView, tip: string | undefined): Promise<PlannedCommit[]> {
  const planned: PlannedCommit[] = [];
  const paths = new Set(input.records.flatMap((record) => record.files.map((file) => file.path)));
  const modeOf = await readModes(input.git, tip, paths);
  for (const [position, record] of input.records.entries()) {
    const edits: TreeEdit[] = [];
    for (const [index, change] of record.files.entries()) {
      const content = await tree.advance(change, record.contents[index], position);
      if (content !== 'unchanged') edits.push({ path: change.path, content, mode: modeOf(change.path) });
    }
    // The person who made an external edit committed it themselves: their commit says it all.
    if (record.actor === 'external' && edits.length === 0) continue;
    planned.push({ records: [record], edits });
  }
  return input.cadence === 'mutation' ? planned : foldCommits(planned);
}

/** A batch that follows an acknowledgement this soon usually takes its neighbours with it. */
const GATHER_MS = 150;

/** Drains closer together would leave a person's own git commands too little room for index.lock. */
const SPACING_MS = 700;

/** Decides when the background drain runs: soon after a mutation, never too often, never twice at once. */
export class DrainSchedule {
  readonly #drain: () => Promise<unknown>;
  readonly #intervalMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #lastStartMs: number;
  #isStopped = false;
  #lastError: unknown;

  /** With an interval (batch cadence) mutations gather that long. */
  constructor(drain: () => Promise<unknown>, intervalMs?: number) {
    this.#drain = drain;
    this.#intervalMs = intervalMs;
    // The activity of other processes is unknown; with batching configured, waiting a whole interval is what the
    // user wants.
    this.#lastStartMs = intervalMs === undefined ? Number.NEGATIVE_INFINITY : performance.now();
  }

  /** Why the last background drain failed; the next one tries again. */
  get lastError(): unknown {
    return this.#lastError;
  }

  request(): void {
    if (this.#isStopped || this.#timer !== undefined) return;
    const sinceLast = performance.now() - this.#lastStartMs;
    const waitMs = Math.max(GATHER_MS, (this.#intervalMs ?? SPACING_MS) - sinceLast);
    // The process need not stay alive for this: the journal has everything, and the next open drains it.
    this.#timer = setTimeout(() => this.#start(), waitMs).unref();
  }

  /** Waits for a drain that is under way and starts no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #start(): void {
    this.#timer = undefined;
    if (this.#running !== undefined) {
      this.request();
      return;
    }
    this.#lastStartMs = performance.now();
    this.#running = this.#drain()
      .then(
        () => {
          this.#lastError = undefined;
        },
        (error: unknown) => {
          this.#lastError = error;
        },
      )
      .finally(() => {
        this.#running = undefined;
      });
  }
}
