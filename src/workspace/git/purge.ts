import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Git } from './git.ts';

/** Files git leaves beside the objects that can quote text or lead to old commits. */
const LEFTOVER_FILES =
  /^(?:ORIG_HEAD|FETCH_HEAD|AUTO_MERGE|BISECT_.*|(?:COMMIT|TAG|NOTES)_EDITMSG|(?:MERGE|SQUASH)_MSG|rr-cache|logs|fast_import_crash_\d+|gitk\.cache)$/;

/** Removes every object that no ref and no index leads to, and everything that remembers one. */
export async function purgeUnreachable(git: Git): Promise<void> {
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
