import { existsSync, readFileSync, rmSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { MnemeError, must } from '../../model/errors.ts';
import { sleep } from '../../platform/clock.ts';
import { addErasedCommits, addErasedRemotes } from './erased-commits.ts';
import {
  ExportRewriter,
  REWRITE_REFERENCE,
  type RenamedPath,
  type ReplaceBytes,
  changed,
  firstChanged,
  mapCommits,
} from './export-rewriter.ts';
import { parseExportStream, serializeExportToken } from './export-stream.ts';
import { type Git, gitError } from './git.ts';
import { readBlobs, writeBlob } from './objects.ts';
import { listRemotes, type RemoteAddress } from './remote.ts';
import { readReferences, TagRewriter, planReferences, type Reference } from './rewrite-references.ts';
import { GitStream } from './stream.ts';

export interface EraseProgress {
  readonly blobs: number;
  readonly commits: number;
}

export interface EraseHistoryOptions {
  readonly onProgress?: ((progress: EraseProgress) => void) | undefined;
}

export interface EraseHistoryResult {
  readonly changedBlobs: number;
  /** Commit and tag messages, and names of authors. */
  readonly changedMessages: number;
  /** In the history and the index; files of the work tree are the caller's. */
  readonly renamedPaths: readonly RenamedPath[];
  readonly renamedReferences: readonly RenamedPath[];
  /** Where stashes went that a person had put away. */
  readonly keptStashes: readonly string[];
  /** Their copies of the history cannot be reached from here. */
  readonly remotes: readonly RemoteAddress[];
}

const PROGRESS_STEP = 1000;
const UNFINISHED = ['MERGE_HEAD', 'REVERT_HEAD', 'CHERRY_PICK_HEAD', 'rebase-merge', 'rebase-apply'];

/**
 * Erases text from the whole local history: contents, messages, names of files, branches, tags and authors. The caller
 * sees to it that no drain runs, and to the files of the work tree.
 *
 * Until one transaction exchanges all refs nothing has happened; after it, what is left (index, renamed branches,
 * removal of the old objects) looks for the text itself. Running it again after a crash therefore finishes the job.
 */
export async function eraseFromHistory(
  git: Git,
  replace: ReplaceBytes,
  options: EraseHistoryOptions = {},
): Promise<EraseHistoryResult> {
  await assertRewritable(git);
  await removeLeftovers(git);
  const keptStashes = await keepStashes(git);
  const references = await readReferences(git);
  const rewriter = new ExportRewriter(replace);
  const commits = await importRewritten(git, rewriter, options);
  const tags = new TagRewriter(git, replace, commits);
  const plan = await planReferences(references, tags, replace);
  const erased = firstChanged(rewriter.commits, commits);
  const remotes = await listRemotes(git);
  if (erased.length > 0) {
    const tips = erasedRemoteTips(references, commits);
    const holds = ({ name }: RemoteAddress): boolean =>
      tips.some((tip) => tip.name.startsWith(`refs/remotes/${name}/`));
    await addErasedRemotes(
      git,
      remotes.filter(holds).map(({ name }) => name),
    );
    await addErasedCommits(git, [...erased, ...tips.map(({ object }) => object)]);
  }
  await exchangeReferences(git, plan.commands);
  for (const { from, to } of plan.renamedBranches) await git.bytes(['branch', '--move', '--force', from, to]);
  await rewriteIndex(git, replace, rewriter);
  await purgeUnreachable(git);
  const { changedBlobs, changedMessages } = rewriter.counts;
  return {
    changedBlobs,
    changedMessages: changedMessages + tags.changedMessages,
    renamedPaths: rewriter.renamedPaths,
    renamedReferences: [...plan.renamedReferences, ...plan.renamedBranches],
    keptStashes,
    remotes,
  };
}

async function assertRewritable(git: Git): Promise<void> {
  const refuse = (message: string, hint: string): never => {
    throw new MnemeError('conflict', `The history cannot be rewritten now: ${message}.`, { hint });
  };
  if ((await git.attempt(['symbolic-ref', '--quiet', 'HEAD'])).code !== 0) {
    refuse('HEAD is detached', 'Run `git switch main` first.');
  }
  const operation = UNFINISHED.find((name) => existsSync(path.join(git.location.gitDir, name)));
  if (operation !== undefined) refuse(`a git operation is unfinished (${operation})`, 'Finish or abort it first.');
  await git.bytes(['worktree', 'prune']);
  const worktrees = (await git.text(['worktree', 'list', '--porcelain'])).split('\n\n').filter((block) => block !== '');
  if (worktrees.length > 1) {
    refuse('other work trees of this repository keep old commits', 'Remove them: `git worktree list` shows them.');
  }
}

function marksFile(git: Git): string {
  return path.join(git.location.gitDir, 'mneme-rewrite.marks');
}

async function removeLeftovers(git: Git): Promise<void> {
  rmSync(marksFile(git), { force: true });
  await git.bytes(['update-ref', '-d', REWRITE_REFERENCE]);
}

/** Stashes live in a reflog, which an erasure must empty; as refs they are rewritten like everything else. */
async function keepStashes(git: Git): Promise<string[]> {
  const list = await git.attempt(['log', '--walk-reflogs', '--format=%H', 'refs/stash', '--']);
  const stashes =
    list.code === 0
      ? list.stdout
          .toString('utf8')
          .split('\n')
          .filter((line) => line !== '')
      : [];
  const kept = stashes.map((commit) => ({ commit, name: `refs/mneme/stashed/${commit.slice(0, 12)}` }));
  for (const { commit, name } of kept) await git.bytes(['update-ref', name, commit]);
  if (kept.length > 0) await git.bytes(['update-ref', '-d', 'refs/stash']);
  return kept.map(({ name }) => name);
}

const EXPORT_ARGUMENTS = [
  'fast-export',
  '--all',
  '--reencode=no',
  '--signed-tags=strip',
  '--tag-of-filtered-object=rewrite',
  '--show-original-ids',
  '--use-done-feature',
];

/** Original commit → commit without the erased text, for every commit of any ref; empty when nothing was found. */
async function importRewritten(
  git: Git,
  rewriter: ExportRewriter,
  options: EraseHistoryOptions,
): Promise<Map<string, string>> {
  const source = new GitStream(git, EXPORT_ARGUMENTS);
  const target = new GitStream(git, [
    'fast-import',
    '--quiet',
    '--force',
    '--done',
    `--export-marks=${marksFile(git)}`,
  ]);
  try {
    source.end();
    let seen = 0;
    for await (const token of parseExportStream(source.output)) {
      const rewritten = rewriter.rewrite(token);
      if (rewritten !== undefined) await target.write(serializeExportToken(rewritten));
      if (token.kind === 'data' && (seen += 1) % PROGRESS_STEP === 0) {
        options.onProgress?.({ blobs: rewriter.counts.blobs, commits: rewriter.commits.length });
      }
    }
    await source.finished();
    target.end();
    await target.finished();
    // git drops signatures of commits on the way; that alone is no reason to rewrite a history.
    if (!rewriter.hasErased) return new Map();
    return mapCommits(rewriter.commits, readFileSync(marksFile(git), 'utf8'));
  } finally {
    source.stop();
    target.stop();
    rmSync(marksFile(git), { force: true });
  }
}

/** Where remotes stood, as far as that history had the text. */
function erasedRemoteTips(references: readonly Reference[], commits: ReadonlyMap<string, string>): Reference[] {
  return references.filter(({ name, object }) => name.startsWith('refs/remotes/') && commits.get(object) !== object);
}

async function exchangeReferences(git: Git, commands: readonly string[]): Promise<void> {
  const transaction = ['start', ...commands, `delete ${REWRITE_REFERENCE}`, 'prepare', 'commit', ''];
  const args = ['update-ref', '--no-deref', '--stdin'];
  const result = await git.attempt(args, { input: transaction.join('\n') });
  if (result.code === 0) return;
  await removeLeftovers(git);
  throw new MnemeError('conflict', 'The history changed while it was being rewritten; nothing was erased.', {
    hint: 'Run the erasure again.',
    cause: gitError(args, result),
  });
}

/** Files git leaves beside the objects that can quote text or lead to old commits. */
const LEFTOVER_FILES =
  /^(?:ORIG_HEAD|FETCH_HEAD|AUTO_MERGE|BISECT_.*|(?:COMMIT|TAG|NOTES)_EDITMSG|(?:MERGE|SQUASH)_MSG|rr-cache|logs|fast_import_crash_\d+|gitk\.cache)$/;

/** Removes every object that no ref and no index leads to, and everything that remembers one. */
async function purgeUnreachable(git: Git): Promise<void> {
  const { gitDir } = git.location;
  await git.bytes(['reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all']);
  for (const name of readdirSync(gitDir)) {
    if (LEFTOVER_FILES.test(name)) rmSync(path.join(gitDir, name), { recursive: true, force: true });
  }
  const objects = path.join(gitDir, 'objects');
  // A kept pack, such as an interrupted fast-import leaves, would survive the repack with all that is in it.
  removeMatching(path.join(objects, 'pack'), /\.keep$/);
  removeMatching(path.join(objects, 'info'), /^commit-graphs?$/);
  await git.bytes(['repack', '-a', '-d', '--quiet']);
  await git.bytes(['prune', '--expire=now']);
  await git.bytes(['pack-refs', '--all', '--prune']);
  await git.bytes(['commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress']);
}

function removeMatching(folder: string, pattern: RegExp): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (pattern.test(name)) rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

/** The number of index entries looked at together; bounds the memory, not the work. */
const BATCH_SIZE = 2000;
const SUBMODULE_MODE = '160000';

interface IndexEntry {
  readonly mode: string;
  readonly blob: string;
  readonly stage: string;
  readonly path: Buffer;
}

/** Replaces what the index still holds. It is searched itself, so that this works after a crash as well. */
async function rewriteIndex(git: Git, replace: ReplaceBytes, rewriter: ExportRewriter): Promise<void> {
  const entries = parseEntries(await git.bytes(['ls-files', '--stage', '-z', '--full-name']));
  const edits: Buffer[] = [];
  for (let start = 0; start < entries.length; start += BATCH_SIZE) {
    const batch = entries.slice(start, start + BATCH_SIZE);
    const files = batch.filter(({ mode }) => mode !== SUBMODULE_MODE);
    const contents = await readBlobs(
      git,
      files.map(({ blob }) => blob),
    );
    for (const entry of batch) edits.push(...(await editsOf(git, entry, contents, replace, rewriter)));
  }
  if (edits.length > 0) await updateIndex(git, Buffer.concat(edits));
}

/** `MODE BLOB STAGE⇥PATH`, each ended by NUL. */
function parseEntries(output: Buffer): IndexEntry[] {
  const entries: IndexEntry[] = [];
  for (let start = 0; start < output.length;) {
    const end = output.indexOf(0, start);
    const tab = output.indexOf(0x09, start);
    const [mode, blob, stage] = output.toString('latin1', start, tab).split(' ');
    const path = output.subarray(tab + 1, end);
    entries.push({ mode: must(mode, 'mode'), blob: must(blob, 'blob'), stage: must(stage, 'stage'), path });
    start = end + 1;
  }
  return entries;
}

async function editsOf(
  git: Git,
  entry: IndexEntry,
  contents: ReadonlyMap<string, Buffer>,
  replace: ReplaceBytes,
  rewriter: ExportRewriter,
): Promise<Buffer[]> {
  const content = changed(replace, contents.get(entry.blob) ?? Buffer.alloc(0));
  const path = rewriter.pathTarget(entry.path);
  const isMoved = !path.equals(entry.path);
  if (content === undefined && !isMoved) return [];
  const blob = content === undefined ? entry.blob : await writeBlob(git, content);
  const written = indexLine(entry.mode, blob, entry.stage, path);
  return isMoved ? [indexLine('0', '0'.repeat(entry.blob.length), '0', entry.path), written] : [written];
}

function indexLine(mode: string, blob: string, stage: string, path: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${blob} ${stage}\t`), path, Buffer.alloc(1)]);
}

/** A person's git command holds the index for moments. */
const LOCK_RETRY_MS = 100;
const LOCK_RETRIES = 50;

async function updateIndex(git: Git, input: Buffer): Promise<void> {
  const args = ['update-index', '-z', '--index-info'];
  for (let tries = 1; ; tries += 1) {
    const result = await git.attempt(args, { input });
    if (result.code === 0) return;
    if (tries === LOCK_RETRIES || !/index\.lock/.test(result.stderr)) throw gitError(args, result);
    await sleep(LOCK_RETRY_MS);
  }
}
