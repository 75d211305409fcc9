import type { Git } from './git.ts';

/**
 * Commits that erasures rewrote: the first of each line that changed, and where remotes stood. A history that contains
 * one of them still has the erased text.
 */
const SETTING = 'mneme.erased';

export async function listErasedCommits(git: Git): Promise<string[]> {
  const result = await git.attempt(['config', '--local', '--get-all', SETTING]);
  return result.code === 0
    ? result.stdout
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
}

export async function addErasedCommits(git: Git, commits: readonly string[]): Promise<void> {
  const present = new Set(await listErasedCommits(git));
  for (const commit of new Set(commits)) {
    if (!present.has(commit)) await git.bytes(['config', '--local', '--add', SETTING, commit]);
  }
}
