import path from 'node:path';
import { readPlainFile } from '../../platform/plain-file.ts';

/** A folder this deep in its repository is no project anybody works in. */
const MAX_LEVELS = 12;

/** No repository's own settings are near this; the folder may be anybody's. */
const MAX_CONFIG_BYTES = 1024 * 1024;

/**
 * Names the project in a folder: by its repository on the server, which is the same on every machine, by the
 * folder of the repository, and by the folder itself. Read from git's own file: starting git would cost more than the
 * rest of the hook.
 */
export function projectNames(folder: string | undefined): string[] {
  if (folder === undefined || !path.isAbsolute(folder)) return [];
  const repository = findRepository(folder);
  const names = [
    path.basename(folder),
    ...(repository === undefined ? [] : [path.basename(repository.folder), ...remoteNames(repository.config)]),
  ];
  return [...new Set(names.filter((name) => name !== ''))];
}

function findRepository(folder: string): { readonly folder: string; readonly config: string } | undefined {
  let current = folder;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const file = path.join(current, '.git', 'config');
    // A work tree beside its repository has a file there, and no config of its own.
    const config = readPlainFile(file, MAX_CONFIG_BYTES);
    // One that cannot be read still shows where the repository begins.
    if (config.kind !== 'missing') {
      return { folder: current, config: config.kind === 'bytes' ? config.bytes.toString('utf8') : '' };
    }
    const parent = path.dirname(current);
    if (parent === current) return undefined;
    current = parent;
  }
  return undefined;
}

/** `git@host:owner/harbour-api.git` and `https://host/owner/harbour-api` are both harbour-api. */
function remoteNames(config: string): string[] {
  const origin = originOf(config);
  const name = origin
    ?.split(/[/:\\]/u)
    .findLast((part) => part !== '')
    ?.replace(/\.git$/u, '');
  return name === undefined || name === '' ? [] : [name];
}

/** Line by line: one pattern over the whole text would take minutes for a large one that is made for it. */
function originOf(config: string): string | undefined {
  let isOrigin = false;
  for (const line of config.split('\n')) {
    const text = line.trim();
    if (text.startsWith('[')) isOrigin = text.startsWith('[remote "origin"]');
    const equals = text.indexOf('=');
    if (!isOrigin || equals === -1 || text.slice(0, equals).trim() !== 'url') continue;
    const url = text.slice(equals + 1).trim();
    if (url !== '' && !/\s/u.test(url)) return url;
  }
  return undefined;
}
