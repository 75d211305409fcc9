import fs from 'node:fs';
import path from 'node:path';
import { must } from '../../model/errors.ts';
import { mergeTexts } from '../merge-text.ts';
import type { DoorContext } from '../door/context.ts';
import type { JournalRecord, RepositoryName } from '../journal/record.ts';
import { decodeText } from '../safety/limits.ts';
import { blobId } from './blob-id.ts';
import { parseCommitMessage } from './commit-message.ts';
import { importCommits, type PlannedCommit, type TreeEdit } from './fast-import.ts';
import type { Git } from './git.ts';
import { readBlobs, type IndexEdit } from './objects.ts';
import { publish } from './publish.ts';

/** The last commit the drain made; its `Mutation:` trailer says how far git has followed the journal. */
export const DRAINED_REFERENCE = 'refs/mneme/drained';
const IMPORT_REFERENCE = 'refs/mneme/import';

/** A person can keep moving the branch; past this we say so instead of spinning. */
const MAX_TRIES = 20;

/** States in which a person is in the middle of something and the branch must not move under them. */
const UNFINISHED = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply', 'BISECT_LOG'];

export interface RepositoryState {
  /** The branch HEAD points to, undefined when detached. */
  readonly branch: string | undefined;
  readonly tip: string | undefined;
  readonly drained: string | undefined;
}

export async function readRepositoryState(git: Git): Promise<RepositoryState> {
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

export interface DrainInput {
  readonly git: Git;
  readonly repository: RepositoryName;
  readonly records: readonly JournalRecord[];
  readonly cadence: 'mutation' | 'batch';
  readonly context: DoorContext;
}

/**
 * Turns journal records into commits on the current branch, again and again until nobody interferes. Returns the
 * commit of each mutation, or undefined when the branch could not be moved this time.
 */
export async function drainRecords(
  input: DrainInput,
  first: RepositoryState,
): Promise<ReadonlyMap<string, string> | undefined> {
  const { git, context } = input;
  let state = first;
  for (let tries = 1; ; tries += 1) {
    const branch = must(state.branch, 'branch');
    const planned = await planCommits(input, state.tip);
    if (planned.length === 0) return new Map();
    const hashes = await importCommits(git, IMPORT_REFERENCE, state.tip, planned);
    context.onStep?.('commits-imported');
    const newTip = must(hashes.at(-1), 'commit');
    const isPublished = await publish(git, {
      branch,
      oldTip: state.tip,
      newTip,
      edits: indexEdits(planned),
      references: { [DRAINED_REFERENCE]: newTip, [IMPORT_REFERENCE]: undefined },
      onStep: context.onStep,
    });
    if (isPublished) return commitOfMutation(planned, hashes);
    if (tries === MAX_TRIES) return undefined;
    state = await readRepositoryState(git);
    if (findUnfinishedOperation(git, state) !== undefined) return undefined;
  }
}

function commitOfMutation(planned: readonly PlannedCommit[], hashes: readonly string[]): Map<string, string> {
  const commits = new Map<string, string>();
  for (const [index, commit] of planned.entries()) {
    for (const record of commit.records) commits.set(record.id, must(hashes[index], 'commit'));
  }
  return commits;
}

function indexEdits(planned: readonly PlannedCommit[]): IndexEdit[] {
  const last = new Map<string, Buffer | undefined>();
  for (const commit of planned) for (const edit of commit.edits) last.set(edit.path, edit.content);
  return [...last].map(([file, content]) => ({
    path: file,
    entry: content === undefined ? undefined : { mode: '100644', blob: blobId(content) },
  }));
}

async function planCommits(input: DrainInput, tip: string | undefined): Promise<PlannedCommit[]> {
  const tree = await TreeView.open(input, tip);
  const planned: PlannedCommit[] = [];
  for (const record of input.records) {
    const edits: TreeEdit[] = [];
    for (const [index, change] of record.files.entries()) {
      const content = await tree.advance(change, record.contents[index]);
      if (content !== 'unchanged') edits.push({ path: change.path, content });
    }
    // The person who made an external edit committed it themselves: their commit says it all.
    if (record.actor === 'external' && edits.length === 0) continue;
    planned.push({ records: [record], edits });
  }
  if (input.cadence === 'mutation' || planned.length < 2) return planned;
  return [{ records: planned.flatMap((one) => one.records), edits: planned.flatMap((one) => one.edits) }];
}

/**
 * The branch's files while records are laid on top. Where a person committed the same file meanwhile, the record's
 * change is merged onto their version instead of replacing it.
 */
class TreeView {
  readonly #input: DrainInput;
  readonly #blobs: Map<string, string | null>;
  readonly #contents = new Map<string, Buffer>();

  private constructor(input: DrainInput, blobs: Map<string, string | null>) {
    this.#input = input;
    this.#blobs = blobs;
    for (const record of input.records) {
      for (const content of record.contents) if (content !== undefined) this.#contents.set(blobId(content), content);
    }
  }

  static async open(input: DrainInput, tip: string | undefined): Promise<TreeView> {
    const paths = [...new Set(input.records.flatMap((record) => record.files.map((file) => file.path)))];
    const blobs = new Map<string, string | null>();
    if (tip !== undefined && paths.length > 0) {
      const query = paths.map((file) => `${tip}:${file}\n`).join('');
      const answer = await input.git.text(['cat-file', '--batch-check=%(objectname)'], { input: query });
      for (const [index, line] of answer.split('\n').entries()) {
        const file = paths[index];
        if (file !== undefined) blobs.set(file, /^[0-9a-f]{40}$/.test(line) ? line : null);
      }
    }
    return new TreeView(input, blobs);
  }

  async advance(
    change: JournalRecord['files'][number],
    recorded: Buffer | undefined,
  ): Promise<Buffer | undefined | 'unchanged'> {
    const present = this.#blobs.get(change.path) ?? null;
    const content = change.offset === undefined ? recorded : this.#grown(change.path, change.offset, recorded);
    const after = content === undefined ? null : blobId(content);
    if (present === after) return 'unchanged';
    let next = content;
    const isForeign = change.offset === undefined && present !== change.before && present !== null;
    if (isForeign && content !== undefined) next = await this.#mergeOnto(change.path, present, change.before, content);
    this.#blobs.set(change.path, next === undefined ? null : blobId(next));
    return next;
  }

  /** An append-only file as it was after this append. */
  #grown(file: string, offset: number, appended: Buffer | undefined): Buffer | undefined {
    const full = path.join(this.#input.git.location.workTree, file);
    return fs.readFileSync(full).subarray(0, offset + (appended?.length ?? 0));
  }

  async #mergeOnto(file: string, present: string, before: string | null, ours: Buffer): Promise<Buffer> {
    const theirs = await this.#read(present);
    const base = before === null ? Buffer.alloc(0) : await this.#read(before);
    const [baseText, oursText, theirsText] = [base ?? Buffer.alloc(0), ours, theirs ?? ours].map(decodeText);
    if (baseText?.kind !== 'text' || oursText?.kind !== 'text' || theirsText?.kind !== 'text') return ours;
    const versions = { base: baseText.text, ours: oursText.text, theirs: theirsText.text };
    const { text } = mergeTexts(file, versions);
    return Buffer.from(text, 'utf8');
  }

  async #read(oid: string): Promise<Buffer | undefined> {
    return this.#contents.get(oid) ?? (await readBlobs(this.#input.git, [oid])).get(oid);
  }
}
