import path from 'node:path';
import type { Config } from '../../model/config/schema.ts';
import { partsFolderName } from '../../workspace/erase/backup-archives.ts';
import type { HomePaths } from '../../workspace/home-paths.ts';

/** Where the backups of a home are. */
export function backupFolder(home: string, { backup }: Pick<Config, 'backup'>): string {
  return path.resolve(home, backup.path);
}

/** Copies and unpacked archives on their way; below `state/`, so that an erasure takes them along. */
export function scratchFolder({ state }: HomePaths): string {
  return path.join(state, 'backup');
}

export function backupLock({ state }: HomePaths): string {
  return path.join(state, 'backup.lock');
}

/** Where the parts of a home's incremental backups are. */
export function partsFolder(folder: string, homeId: string): string {
  return path.join(folder, partsFolderName(homeId));
}
