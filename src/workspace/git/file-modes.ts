import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import type { Git } from './git.ts';
import { filesAt, isRegularFile } from './objects.ts';

/** Windows has no such bit: there a file stays what git last had it for. */
const HAS_EXECUTABLE_BIT = process.platform !== 'win32';

/** As git does: whoever owns the file decides. */
const OWNER_EXECUTES = 0o100;

export type FileMode = '100644' | '100755';

/** The mode each of the files gets in a commit on top of `tip`. */
export async function readModes(
  git: Git,
  tip: string | undefined,
  paths: Iterable<string>,
): Promise<(file: string) => FileMode> {
  const executable = new Set(
    HAS_EXECUTABLE_BIT
      ? [...paths].filter((file) => isExecutable(path.join(git.location.workTree, file)) === true)
      : await executablesAt(git, tip),
  );
  return (file) => (executable.has(file) ? '100755' : '100644');
}

/** Makes files that git brought along executable, or no longer so, as git has them. */
export async function applyModes(git: Git, paths: readonly string[]): Promise<void> {
  if (!HAS_EXECUTABLE_BIT || paths.length === 0) return;
  const executable = new Set(await executablesAt(git, 'HEAD'));
  for (const file of paths) {
    const full = path.join(git.location.workTree, file);
    const is = isExecutable(full);
    if (is === undefined || is === executable.has(file)) continue;
    const { mode } = fs.statSync(full);
    // Everybody who may read may run, as a checkout by git has it.
    fs.chmodSync(full, is ? mode & ~0o111 : mode | ((mode & 0o444) >> 2));
  }
}

function isExecutable(full: string): boolean | undefined {
  try {
    const stat = fs.lstatSync(full, { throwIfNoEntry: false });
    return stat?.isFile() === true ? (stat.mode & OWNER_EXECUTES) !== 0 : undefined;
  } catch (error) {
    // A file stands where its folder was.
    if (systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

async function executablesAt(git: Git, commit: string | undefined): Promise<string[]> {
  const files = commit === undefined ? [] : await filesAt(git, commit);
  return files.filter((file) => isRegularFile(file) && file.mode === '100755').map((file) => file.path);
}
