import fs from 'node:fs';
import path from 'node:path';
import { MnemeError, systemCode } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { Random } from '../../platform/random.ts';

/** The text of another program's settings; undefined when there is no such file. */
export function readSettings(file: string): string | undefined {
  const bytes = nodeFileSystem.read(file);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new MnemeError('failure', `${file} is no UTF-8 text; nothing was changed.`, {
      hint: 'Save it as UTF-8, then run this again.',
      cause: error,
    });
  }
}

/** Said before anything is written: what cannot be written would otherwise be found out halfway. */
export function assertWritable(file: string): void {
  const target = findTarget(file);
  const existing = nearestExisting(target);
  try {
    fs.accessSync(existing, fs.constants.W_OK);
    if (existing === target) fs.accessSync(path.dirname(target), fs.constants.W_OK);
  } catch (error) {
    throw new MnemeError('failure', `${file} cannot be written (${systemCode(error) ?? 'unknown error'}).`, {
      hint: 'If another tool manages it, add the entry there: `mneme install … --dry-run` shows it.',
      cause: error,
    });
  }
}

/** Replaces the file in one step, or makes it; links are followed, permissions and owner stay. */
export async function writeSettings(file: string, text: string, random: Random): Promise<void> {
  const target = findTarget(file);
  const folder = path.dirname(target);
  fs.mkdirSync(folder, { recursive: true });
  const present = fs.statSync(target, { throwIfNoEntry: false });
  const temporary = path.join(folder, `.mneme-${Buffer.from(random.bytes(8)).toString('hex')}.tmp`);
  try {
    const descriptor = fs.openSync(temporary, 'wx', 0o600);
    try {
      fs.writeFileSync(descriptor, text);
      if (present !== undefined) keepOwner(descriptor, present);
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    await nodeFileSystem.rename(temporary, target);
  } finally {
    nodeFileSystem.remove(temporary);
  }
  nodeFileSystem.syncDirectory(folder);
}

/** Removes a file that was made for Mneme, and the folders made for it that are empty now. */
export function removeSettings(file: string, madeFolder: string | undefined): void {
  nodeFileSystem.remove(file);
  if (madeFolder === undefined) return;
  for (let folder = path.dirname(file); folder.startsWith(madeFolder); folder = path.dirname(folder)) {
    if (nodeFileSystem.list(folder).length > 0) return;
    fs.rmdirSync(folder);
  }
}

/** The outermost folder that would have to be made for a file. */
export function missingFolder(file: string): string | undefined {
  const present = nearestExisting(path.dirname(file));
  const [first] = path.relative(present, path.dirname(file)).split(path.sep);
  return first === undefined || first === '' ? undefined : path.join(present, first);
}

function keepOwner(descriptor: number, { mode, uid, gid }: fs.Stats): void {
  fs.fchmodSync(descriptor, mode & 0o777);
  // Only the superuser may run into this: somebody's settings must not become root's.
  if (process.getuid !== undefined && uid !== process.getuid()) fs.fchownSync(descriptor, uid, gid);
}

/** Settings are often links into a folder of dotfiles; the link stays and what it leads to is changed. */
function findTarget(file: string): string {
  if (fs.existsSync(file)) return fs.realpathSync(file);
  if (fs.lstatSync(file, { throwIfNoEntry: false }) === undefined) return file;
  throw new MnemeError('failure', `${file} is a link that leads nowhere; nothing was changed.`, {
    hint: 'Repair or remove the link, then run this again.',
  });
}

function nearestExisting(target: string): string {
  const parent = path.dirname(target);
  return parent === target || fs.existsSync(target) ? target : nearestExisting(parent);
}
