import type { FileSystem } from '../../platform/fs.ts';

/** A file's bytes; undefined for anything that is not a file: a folder, or a link, whose target is not ours to read. */
export function readRegular(fs: FileSystem, full: string): Buffer | undefined {
  return fs.stamp(full) === undefined ? undefined : fs.read(full);
}
