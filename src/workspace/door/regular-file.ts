import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import type { FileSystem } from '../../platform/fs.ts';
import { stampText } from '../known-files.ts';

/** A file's bytes; undefined for anything that is not a file: a folder, or a link, whose target is not ours to read. */
export function readRegular(fs: FileSystem, full: string): Buffer | undefined {
  return fs.stamp(full) === undefined ? undefined : fs.read(full);
}

/** The file's stamp as text; undefined for anything that is not a file. */
export function stampOf(fs: FileSystem, full: string): string | undefined {
  const stamp = fs.stamp(full);
  return stamp === undefined ? undefined : stampText(stamp);
}

export function refuseReadOnlyFolder(fs: FileSystem, full: string, relative: string): void {
  if (fs.isWritable(path.dirname(full))) return;
  throw new MnemeError('refused', `The folder of ${relative} is read-only.`, {
    hint: 'Allow writing to the folder, or keep the note elsewhere.',
  });
}
