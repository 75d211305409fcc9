import path from 'node:path';
import { walkTree } from '../../platform/walk-tree.ts';
import { findEnclosingRepository } from '../git/repository.ts';
import type { EraseReport } from '../registries.ts';
import type { Workspace } from '../workspace.ts';

/** Formats whose words are compressed in ways that an erasure does not open. */
const CLOSED = /\.(?:zip|docx|xlsx|pptx|od[tsp]|pdf|epub|7z|rar|xz|bz2|zst|tar)$/iu;
const MAX_TOLD = 10;

/** Names what an erasure cannot reach from here: it is no less complete for that, but it must not be taken for more. */
export function tellBeyond({ root, paths }: Workspace): EraseReport {
  const closed = [paths.home, root].flatMap((folder) => listClosed(folder));
  const files = [...new Set(closed)].sort();
  const more = files.length > MAX_TOLD ? [`${files.length - MAX_TOLD} more archives and documents`] : [];
  return {
    where: 'what is beyond reach',
    occurrences: 0,
    unreachable: [
      ...listEnclosing(root, paths.repositories.workspace.gitDir).map(
        (folder) => `the git repository of ${folder}, in which the memory lies: commits there keep what they have`,
      ),
      ...files.slice(0, MAX_TOLD).map((file) => `${file}: archives and documents are not looked into`),
      ...more,
    ],
  };
}

/** Repositories that are not Mneme's and may have committed the folder. */
function listEnclosing(root: string, ownGitDir: string): string[] {
  const found: string[] = [];
  for (let folder = root; ; folder = path.dirname(folder)) {
    const repository = findEnclosingRepository(folder);
    if (repository === undefined) return found;
    if (path.resolve(repository.gitDir) !== path.resolve(ownGitDir)) found.push(repository.workTree);
    folder = repository.workTree;
    if (path.dirname(folder) === folder) return found;
  }
}

function listClosed(folder: string): string[] {
  return walkTree(folder)
    .filter((entry) => entry.isFile() && CLOSED.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(`${path.sep}.git${path.sep}`));
}
