import fs from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { compileCacheFolder, whyNotPrivate, whyNotSafe } from '../../bin/private-folder.js';
import { errorMessage, MnemeError } from '../model/errors.ts';

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
  const folder = getCompileCacheDir();
  return { folder, trouble: folder === undefined ? findCacheTrouble() : undefined };
}

function findCacheTrouble(): string | undefined {
  const folder = compileCacheFolder(process.env, os.homedir());
  return folder === undefined ? `the home folder "${os.homedir()}" is not an absolute path` : whyNotPrivate(folder);
}
