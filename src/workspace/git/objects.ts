import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { MnemeError, must } from '../../model/errors.ts';
import { type Git, gitError } from './git.ts';
import { writeAs } from './identity.ts';

/** The id of a tree without files: what a repository without a common past is compared with. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Paths are taken as they are: `[draft]*.md` is a file name, not a pattern. */
export const LITERAL_PATHS = { env: { GIT_LITERAL_PATHSPECS: '1' } } as const;

const REGULAR_MODE = '100644';

export interface TreeFile {
  readonly path: string;
  readonly mode: string;
  readonly blob: string;
}

export type FileStatus = 'added' | 'modified' | 'deleted' | 'renamed' | 'type-changed';

/** One file's step from a tree to the next. */
export interface TreeChange {
  readonly path: string;
  readonly status: FileStatus;
  /** The former path, for a rename. */
  readonly from?: string | undefined;
  readonly before: BlobEntry | undefined;
  readonly after: BlobEntry | undefined;
}

export interface BlobEntry {
  readonly mode: string;
  readonly blob: string;
}

export function isRegularFile(entry: BlobEntry): boolean {
  return entry.mode === REGULAR_MODE || entry.mode === '100755';
}

/** The file's bytes in a commit; undefined when the commit has no such file. */
export async function readFileAt(git: Git, commit: string, path: string): Promise<Buffer | undefined> {
  const args = ['cat-file', 'blob', `${commit}:${path}`];
  const result = await git.attempt(args);
  if (result.code === 0) return result.stdout;
  const known = await git.attempt(['cat-file', '-e', `${commit}^{tree}`]);
  if (known.code === 0) return undefined;
  throw new MnemeError('not-found', `There is no commit ${commit}.`, { cause: gitError(args, result) });
}

/** The files of a commit, all or those named. */
export async function filesAt(git: Git, commit: string, paths: readonly string[] = []): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  for (const record of await git.fields(['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...paths])) {
    const [, mode, type, blob, path] = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/s.exec(record) ?? [];
    if (type === 'blob') files.push({ path: must(path, 'path'), mode: must(mode, 'mode'), blob: must(blob, 'blob') });
  }
  return files;
}

/** The blobs of some paths in a commit; a path that is not there is left out. */
export async function findBlobs(git: Git, commit: string, paths: readonly string[]): Promise<Map<string, string>> {
  const blobs = new Map<string, string>();
  if (paths.length === 0) return blobs;
  const input = paths.map((path) => `${commit}:${path}\n`).join('');
  const lines = (await git.text(['cat-file', '--batch-check=%(objectname)'], { input })).split('\n');
  for (const [index, path] of paths.entries()) {
    const line = lines[index] ?? '';
    if (/^[0-9a-f]{40}$/.test(line)) blobs.set(path, line);
  }
  return blobs;
}

/** Lists the differences between two trees or commits, without guessing renames. */
export async function changesBetween(git: Git, from: string, to: string): Promise<TreeChange[]> {
  const fields = await git.fields(['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', from, to]);
  return parseRawChanges(fields);
}

/** Fields of git's raw format: `:mode mode blob blob status`, then the path, and for a rename the new path. */
export function parseRawChanges(fields: readonly string[]): TreeChange[] {
  const changes: TreeChange[] = [];
  for (let index = 0; index < fields.length;) {
    const header = fields[index] ?? '';
    const takesTwoPaths = rawHeaderHasTwoPaths(header);
    changes.push(parseRawChange(header, fields.slice(index + 1, index + (takesTwoPaths ? 3 : 2))));
    index += takesTwoPaths ? 3 : 2;
  }
  return changes;
}

export function rawHeaderHasTwoPaths(header: string): boolean {
  return /[RC]\d*$/.test(header);
}

export function parseRawChange(header: string, paths: readonly string[]): TreeChange {
  const [beforeMode = '', afterMode = '', beforeBlob = '', afterBlob = '', letter = ''] = header
    .slice(header.indexOf(':') + 1)
    .split(' ');
  const status = STATUS_BY_LETTER[letter.slice(0, 1)] ?? 'modified';
  return {
    path: paths.at(-1) ?? '',
    status,
    ...(status === 'renamed' ? { from: paths[0] } : {}),
    before: entryOf(beforeMode, beforeBlob),
    after: entryOf(afterMode, afterBlob),
  };
}

const STATUS_BY_LETTER: Readonly<Record<string, FileStatus>> = {
  A: 'added',
  C: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'type-changed',
};

function entryOf(mode: string, blob: string): BlobEntry | undefined {
  return mode === '000000' ? undefined : { mode, blob };
}

/** The bytes of many blobs in one process. A blob that is not there throws: its repository is damaged. */
export async function readBlobs(git: Git, blobs: Iterable<string>): Promise<Map<string, Buffer>> {
  const wanted = [...new Set(blobs)];
  const contents = new Map<string, Buffer>();
  if (wanted.length === 0) return contents;
  const output = await git.bytes(['cat-file', '--batch'], { input: `${wanted.join('\n')}\n` });
  let position = 0;
  for (const blob of wanted) {
    const lineEnd = output.indexOf(0x0a, position);
    const header = output.toString('utf8', position, lineEnd);
    const size = /^[0-9a-f]+ \w+ (\d+)$/.exec(header)?.[1];
    if (size === undefined) {
      throw new MnemeError('integrity', `Object ${blob} is missing from ${git.location.gitDir}.`, {
        hint: 'Run `git fsck`; a backup or a remote may still have the object.',
      });
    }
    const start = lineEnd + 1;
    position = start + Number(size) + 1;
    contents.set(blob, output.subarray(start, position - 1));
  }
  return contents;
}

/** Stores bytes as they are, without any filter, and returns the blob's id. */
export function writeBlob(git: Git, bytes: Uint8Array): Promise<string> {
  return git.text(['hash-object', '-w', '--stdin'], { input: bytes });
}

export interface IndexEdit {
  readonly path: string;
  /** undefined removes the path. */
  readonly entry: BlobEntry | undefined;
}

/** Input for `update-index -z --index-info`. */
export function serializeIndexEdits(edits: readonly IndexEdit[]): string {
  return edits.map(({ path, entry }) => `${entry?.mode ?? '0'} ${entry?.blob ?? '0'.repeat(40)}\t${path}\0`).join('');
}

interface NewCommit {
  /** The first one's tree is what `edits` apply to. */
  readonly parents: readonly [string, ...string[]];
  readonly edits: readonly IndexEdit[];
  readonly message: string;
  readonly actor: string;
  readonly timeMs: number;
}

/** Made in an index of its own, so that neither the work tree nor a person's staged files are involved. */
export async function writeCommit(git: Git, { parents, edits, message, actor, timeMs }: NewCommit): Promise<string> {
  const folder = mkdtempSync(path.join(git.location.gitDir, 'mneme-commit-'));
  const env = { GIT_INDEX_FILE: path.join(folder, 'index') };
  try {
    await git.bytes(['read-tree', parents[0]], { env });
    await git.bytes(['update-index', '-z', '--index-info'], { env, input: serializeIndexEdits(edits) });
    const tree = await git.text(['write-tree'], { env });
    return await git.text(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], {
      input: message,
      env: writeAs(git.identity, actor, timeMs),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
