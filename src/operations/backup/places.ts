import fs from 'node:fs';
import path from 'node:path';
import { type Config, defaultConfig } from '../../model/config/schema.ts';
import { MnemeError } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { Random } from '../../platform/random.ts';
import { partsFolderName } from '../../workspace/erase/backup-archives.ts';
import type { HomePaths } from '../../workspace/home-paths.ts';
import { findIdentities, parseIdentities } from '../history/sealed/key.ts';

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

/** The keys for a backup whose home may be gone: from a file that is named, from the environment, or from where the home is to be. */
export function findBackupKeys(home: string, named: string | undefined): readonly string[] {
  if (named === undefined) return findIdentities({ home, config: defaultConfig() });
  const file = path.resolve(named);
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
  const found = text === undefined ? [] : parseIdentities(text);
  if (found.length > 0) return found;
  throw new MnemeError('usage', text === undefined ? `There is no file ${file}.` : `${file} holds no age key.`, {
    hint: 'It is keys/remote.agekey in the home that made the backup.',
  });
}

/**
 * Names a home in its backups, also after it was moved or restored elsewhere: several homes may share a folder of
 * backups, and none may thin out or rewrite those of another.
 */
export async function homeIdOf(journal: string, random: Random): Promise<string> {
  const file = path.join(journal, 'home-id');
  const known = readId(file);
  if (known !== undefined) return known;
  nodeFileSystem.makeDirectory(journal);
  const id = Buffer.from(random.bytes(4)).toString('hex');
  const temporary = `${file}.${id}.tmp`;
  nodeFileSystem.write(temporary, Buffer.from(`${id}\n`));
  // Linked instead of renamed: of two processes that do this at once, one wins for both.
  if (!nodeFileSystem.link(temporary, file) && readId(file) === undefined) {
    await nodeFileSystem.rename(temporary, file);
  }
  nodeFileSystem.remove(temporary);
  return readId(file) ?? id;
}

/** Undefined before the first backup. */
export function findHomeId(journal: string): string | undefined {
  return readId(path.join(journal, 'home-id'));
}

function readId(file: string): string | undefined {
  const text = nodeFileSystem.read(file)?.toString('utf8').trim();
  return text !== undefined && /^[0-9a-f]{8}$/u.test(text) ? text : undefined;
}
