import { must } from '../../model/errors.ts';
import { DRAINED_REFERENCE } from './drain.ts';
import type { Git } from './git.ts';
import { LITERAL_PATHS, filesAt, readBlobs } from './objects.ts';
import { isMutationId, ulidTimeMs } from '../../model/ids.ts';

/** Answers the write path's questions to the workspace's history. */

export async function findBlob(git: Git, oid: string): Promise<Buffer | undefined> {
  const result = await git.attempt(['cat-file', '-e', oid]);
  if (result.code !== 0) return undefined;
  return (await readBlobs(git, [oid])).get(oid);
}

/** A file's contents since a moment, newest first, and the one before them. */
export async function readCommitted(
  git: Git,
  file: string,
  sinceMs: number,
): Promise<{ oid: string; content: Buffer }[]> {
  const blobs = await findRecentBlobs(git, file, sinceMs);
  const contents = await readBlobs(git, blobs);
  return blobs.map((oid) => ({ oid, content: must(contents.get(oid), oid) }));
}

/** The blob ids of all files at HEAD, by path. */
export async function readRecordedFiles(git: Git): Promise<Map<string, string>> {
  const head = await git.attempt(['rev-parse', '--verify', '-q', 'HEAD']);
  if (head.code !== 0) return new Map();
  const files = await filesAt(git, 'HEAD');
  return new Map(files.map((file) => [file.path, file.blob]));
}

/** An editor's buffer is seldom more versions behind than this. */
const MAX_COMMITS = 50;

/** The blobs a file had in the branch's history since a moment, newest first, and last the one before them. */
async function findRecentBlobs(git: Git, file: string, sinceMs: number): Promise<string[]> {
  const format = '--format=%x01%ct%x00%(trailers:key=Mutation,valueonly,separator=%x2C)';
  const args = ['log', '-n', String(MAX_COMMITS), format, '--raw', '--no-abbrev', '--no-renames', 'HEAD', '--', file];
  const result = await git.attempt(args, LITERAL_PATHS);
  // A repository without a commit has no versions.
  if (result.code !== 0) return [];
  const blobs: string[] = [];
  for (const commit of result.stdout.toString('utf8').split('\x01').slice(1)) {
    const [, before, after] = /^:\d+ \d+ ([0-9a-f]{40}) ([0-9a-f]{40}) /m.exec(commit) ?? [];
    if (before === undefined || after === undefined) continue;
    if (committedAtMs(commit) < sinceMs) return [...blobs, after];
    blobs.push(after);
    if (/^0+$/.test(before)) return blobs;
  }
  return blobs;
}

/** Mneme's commits carry the time a mutation happened; its id tells when it was written. */
function committedAtMs(commit: string): number {
  const [seconds = '0', mutations = ''] = (commit.split('\n')[0] ?? '').split('\0');
  const mutation = mutations.split(',').at(-1) ?? '';
  return isMutationId(mutation) ? ulidTimeMs(mutation) : Number(seconds) * 1000;
}

export interface Restoration {
  readonly path: string;
  /** The version on disk. */
  readonly oid: string;
  /** The version that the write path wrote last. */
  readonly lastWritten: string;
  /** Whether the file is exactly what it was before. */
  readonly isEarlierVersion: boolean;
}

/**
 * Whether a person brought a file back by git (`reset --hard`, `switch`, `checkout REV -- FILE`, `revert`): the same
 * bytes as a save from a stale buffer, but meant.
 */
export async function wasRestoredByGit(git: Git, restoration: Restoration): Promise<boolean> {
  const { path, oid, lastWritten, isEarlierVersion } = restoration;
  const drained = await git.attempt(['merge-base', '--is-ancestor', DRAINED_REFERENCE, 'HEAD']);
  // 1: HEAD is no longer where the drain left it. Anything else: there is no drain yet, or no HEAD.
  if (drained.code === 1 && (await textOf(git, ['rev-parse', '--verify', '-q', `HEAD:${path}`])) === oid) return true;
  if (!isEarlierVersion) return false;
  // Once git had our version, only git itself puts an earlier one into the index.
  const isDrained = (await git.attempt(['cat-file', '-e', lastWritten])).code === 0;
  if (!isDrained) return false;
  const [, staged] = (await textOf(git, ['ls-files', '--stage', '--', path])).split(' ');
  return staged === oid;
}

async function textOf(git: Git, args: readonly string[]): Promise<string> {
  return (await git.attempt(args, LITERAL_PATHS)).stdout.toString('utf8').trim();
}
