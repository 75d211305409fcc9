import type { Git } from './git.ts';

/**
 * Commits that erasures rewrote: the first of each line that changed, and where remotes stood. A history that contains
 * one of them still has the erased text.
 */
const SETTING = 'mneme.erased';

/** Remotes that were sent such commits and have not taken the rewritten history yet. */
const REMOTE_SETTING = 'mneme.erasedRemote';

export function listErasedCommits(git: Git): Promise<string[]> {
  return listValues(git, SETTING);
}

export function addErasedCommits(git: Git, commits: readonly string[]): Promise<void> {
  return addValues(git, SETTING, commits);
}

export function listErasedRemotes(git: Git): Promise<string[]> {
  return listValues(git, REMOTE_SETTING);
}

export function addErasedRemotes(git: Git, remotes: readonly string[]): Promise<void> {
  return addValues(git, REMOTE_SETTING, remotes);
}

/** A remote whose branch is our history has nothing of what was erased in it. */
export async function clearErasedRemote(git: Git, remote: string): Promise<void> {
  const others = (await listErasedRemotes(git)).filter((name) => name !== remote);
  await git.attempt(['config', '--local', '--unset-all', REMOTE_SETTING]);
  await addErasedRemotes(git, others);
}

async function listValues(git: Git, setting: string): Promise<string[]> {
  const result = await git.attempt(['config', '--local', '--get-all', setting]);
  return result.code === 0
    ? result.stdout
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
}

async function addValues(git: Git, setting: string, values: readonly string[]): Promise<void> {
  const present = new Set(await listValues(git, setting));
  for (const value of new Set(values)) {
    if (!present.has(value)) await git.bytes(['config', '--local', '--add', setting, value]);
  }
}
