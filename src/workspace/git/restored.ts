import { DRAINED_REFERENCE } from './drain.ts';
import type { Git } from './git.ts';
import { LITERAL_PATHS } from './objects.ts';

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
