import { hash } from 'node:crypto';
import fs from 'node:fs';
// By its name alone: an old Node has no such function, and is told so when the library has loaded.
import nodeModule from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { compileCacheFolder, whyNotPrivate, whyNotSafe } from '../../bin/private-folder.js';
import { errorMessage, MnemeError } from '../model/errors.ts';
import type { FileSystem } from './fs.ts';

/** Makes a folder for temporary files that only this user can enter, under a name that no other user can foresee. */
export function makeScratchFolder(prefix: string): string {
  const base = os.tmpdir();
  const trouble = whyNotSafe(base);
  if (trouble !== undefined) {
    throw new MnemeError('refused', `Temporary files are not safe in ${base}: ${trouble}.`, {
      hint: 'Set TMPDIR to a folder that only you can write to.',
    });
  }
  try {
    return fs.mkdtempSync(path.join(base, prefix));
  } catch (error) {
    throw new MnemeError('failure', `No temporary folder can be made in ${base}: ${errorMessage(error)}.`, {
      hint: 'Set TMPDIR to a folder that exists, has room, and that only you can write to.',
      cause: error,
    });
  }
}

export interface CompileCache {
  /** Undefined where compiled code is not kept between starts. */
  readonly folder: string | undefined;
  /** Why bin/mneme does not keep any. */
  readonly trouble: string | undefined;
}

/** Where the code that Node compiled for this process is kept. */
export function readCompileCache(): CompileCache {
  const folder = nodeModule.getCompileCacheDir();
  return { folder, trouble: folder === undefined ? findCacheTrouble() : undefined };
}

function findCacheTrouble(): string | undefined {
  const folder = compileCacheFolder(process.env, os.homedir());
  return folder === undefined ? `the home folder "${os.homedir()}" is not an absolute path` : whyNotPrivate(folder);
}

/** The file of a session in a folder of such; a name that is no file name goes by its hash. */
export function sessionFile(folder: string, session: string): string {
  const isName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u.test(session);
  return path.join(folder, `${isName ? session : `by-hash-${hash('sha256', session).slice(0, 32)}`}.json`);
}

/** Removes the files written longest ago once there are `spare` more than `most`, so that not every write has to look. */
export function clearOldest(fs: FileSystem, folder: string, most: number, spare: number): void {
  const names = fs.list(folder);
  if (names.length <= most + spare) return;
  const dated = names.map((name) => {
    const file = path.join(folder, name);
    return { file, timeNs: fs.stamp(file)?.mtimeNs ?? 0n };
  });
  dated.sort((left, right) => Number(left.timeNs - right.timeNs));
  for (const { file } of dated.slice(0, dated.length - most)) fs.remove(file);
}
