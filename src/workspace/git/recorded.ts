import { must } from '../../model/errors.ts';
import type { Git } from './git.ts';
import { filesAt, readBlobs } from './objects.ts';
import { findRecentBlobs } from './recent-blobs.ts';

/** What the door asks of the workspace's history. */

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
