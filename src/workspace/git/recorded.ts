import { must } from '../../model/errors.ts';
import type { Git } from './git.ts';
import { filesAt, readBlobs, LITERAL_PATHS } from './objects.ts';
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
