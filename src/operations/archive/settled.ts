import { SettledFolders } from '../../platform/settled-folders.ts';
import type { Workspace } from '../../workspace/workspace.ts';

const known = new WeakMap<Workspace, SettledFolders>();

/** For the nightly jobs of a process that stays: which folders of packed files it need not walk again. */
export function settledFoldersOf(workspace: Workspace): SettledFolders {
  const folders = known.get(workspace) ?? new SettledFolders();
  known.set(workspace, folders);
  return folders;
}
