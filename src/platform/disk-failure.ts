import fs from 'node:fs';
import path from 'node:path';
import { MnemeError, errorMessage, systemCode } from '../model/errors.ts';

/** Why a file cannot be written, as far as the operating system tells. */
type Obstacle = 'folder' | 'read-only' | 'denied' | 'full';

/** SQLite's primary result codes; its extended ones hold them in the lowest byte. */
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;

const OBSTACLE_OF_CODE: Readonly<Record<string, Obstacle>> = {
  EROFS: 'read-only',
  EACCES: 'denied',
  EPERM: 'denied',
  ENOSPC: 'full',
  EDQUOT: 'full',
};

/** A database in WAL mode needs room beside itself even to be read; with less than this it cannot be opened. */
const NEEDED_BYTES = 256 * 1024;

const WORDS: Readonly<Record<Exclude<Obstacle, 'folder'>, { readonly why: string; readonly hint: string }>> = {
  'read-only': {
    why: 'the file system is read-only',
    hint: 'Mount it for writing, or name another home with --home; nothing is lost.',
  },
  denied: {
    why: 'permission was denied',
    hint: 'Check who owns it and its folder and what their permissions are, or name another home with --home; nothing is lost.',
  },
  full: {
    why: 'the disk is full',
    hint: 'Make room and run the command again; nothing is lost, and what was acknowledged before is safe.',
  },
};

/** SQLite's own number for a failure, the extended one; undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode;
}

/** Explains a disk failure of a database in words; any other error is returned as it is. */
export function explainDiskFailure(file: string, error: unknown): unknown {
  const fromSystem = OBSTACLE_OF_CODE[systemCode(error) ?? ''];
  if (fromSystem === undefined && !isRefusal(error)) return error;
  const obstacle = fromSystem ?? (primaryCode(error) === SQLITE_FULL ? 'full' : findObstacle(file));
  if (obstacle === 'folder') {
    return new MnemeError('failure', `${file} is a folder where a file is expected.`, {
      hint: 'Move it away, or remove it if nothing in it is needed; Mneme makes the file anew and nothing is lost.',
      cause: error,
    });
  }
  if (obstacle === undefined) {
    return new MnemeError('failure', `${file} cannot be read or written: ${errorMessage(error)}.`, {
      hint: 'Look at the disk (space, quota, health) and run the command again; what was acknowledged before is safe.',
      cause: error,
    });
  }
  const { why, hint } = WORDS[obstacle];
  return new MnemeError('failure', `${file} cannot be written: ${why}.`, { hint, cause: error });
}

/** Finds an obstacle to writing a file, by checking without trying. */
export function findObstacle(file: string): Obstacle | undefined {
  try {
    const entry = fs.statSync(file, { throwIfNoEntry: false });
    if (entry?.isDirectory() === true) return 'folder';
    const folder = nearestFolder(path.dirname(file));
    fs.accessSync(folder, fs.constants.W_OK);
    if (entry !== undefined) fs.accessSync(file, fs.constants.W_OK);
    return isFull(folder) ? 'full' : undefined;
  } catch (error) {
    // Nothing is hidden: the failure that made us ask is told in any case.
    return OBSTACLE_OF_CODE[systemCode(error) ?? ''];
  }
}

function isRefusal(error: unknown): boolean {
  const code = primaryCode(error);
  return code === SQLITE_READONLY || code === SQLITE_IOERR || code === SQLITE_FULL || code === SQLITE_CANTOPEN;
}

function primaryCode(error: unknown): number | undefined {
  const code = sqliteCode(error);
  return code === undefined ? undefined : code & 0xff;
}

function nearestFolder(folder: string): string {
  const parent = path.dirname(folder);
  return parent === folder || fs.existsSync(folder) ? folder : nearestFolder(parent);
}

function isFull(folder: string): boolean {
  const { bavail, bsize, files, ffree } = fs.statfsSync(folder);
  // File systems without a fixed number of files report none at all.
  const lacksFiles = files > 0 && ffree === 0;
  return lacksFiles || bavail * bsize < NEEDED_BYTES;
}
