import path from 'node:path';
import type { FileSystem } from '../../platform/fs.ts';

/** A folder this deep in its repository is no project anybody works in. */
const MAX_LEVELS = 12;

/**
 * What the project in a folder is called: by its repository on the server, which is the same on every machine, by the
 * folder of the repository, and by the folder itself. Read from git's own file: starting git would cost more than the
 * rest of the hook.
 */
export function projectNames(fs: FileSystem, folder: string | undefined): string[] {
  if (folder === undefined || !path.isAbsolute(folder)) return [];
  const repository = findRepository(fs, folder);
  const names = [
    path.basename(folder),
    ...(repository === undefined ? [] : [path.basename(repository.folder), ...remoteNames(repository.config)]),
  ];
  return [...new Set(names.filter((name) => name !== ''))];
}

function findRepository(
  fs: FileSystem,
  folder: string,
): { readonly folder: string; readonly config: string } | undefined {
  let current = folder;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const file = path.join(current, '.git', 'config');
    // A work tree beside its repository has a file there, and no config of its own.
    const config = fs.exists(file) ? fs.read(file)?.toString('utf8') : undefined;
    if (config !== undefined) return { folder: current, config };
    const parent = path.dirname(current);
    if (parent === current) return undefined;
    current = parent;
  }
  return undefined;
}

/** `git@host:owner/harbour-api.git` and `https://host/owner/harbour-api` are both harbour-api. */
function remoteNames(config: string): string[] {
  const origin = /^\[remote "origin"\][^[]*?^\s*url\s*=\s*(\S+)\s*$/mu.exec(config)?.[1];
  const name = origin
    ?.replace(/\/+$/u, '')
    .split(/[/:\\]/u)
    .at(-1)
    ?.replace(/\.git$/u, '');
  return name === undefined || name === '' ? [] : [name];
}
