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
