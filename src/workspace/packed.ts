import { gunzipSync, gzipSync } from 'node:zlib';
import { MnemeError, systemCode } from '../model/errors.ts';
import type { FileSystem } from '../platform/fs.ts';

const SUFFIX = '.gz';
/** No memory is as large; what unpacks to more is a trap. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;

/** Old files are kept packed, beside the name they are still known by: `x.md` becomes `x.md.gz`. */
export function packedName(path: string): string {
  return path + SUFFIX;
}

export function isPackedName(path: string): boolean {
  return path.toLowerCase().endsWith(SUFFIX);
}

/** The name under which everything else knows the file. */
export function plainName(path: string): string {
  return isPackedName(path) ? path.slice(0, -SUFFIX.length) : path;
}

/** The same bytes always become the same file: gzip writes no time here. */
export function pack(bytes: Uint8Array): Buffer {
  return gzipSync(bytes, { level: 9 });
}

export function unpack(bytes: Uint8Array, path: string): Buffer {
  const unpacked = findUnpacked(bytes);
  if (unpacked !== undefined) return unpacked;
  throw new MnemeError('integrity', `${path} is damaged and cannot be unpacked.`, {
    hint: 'The history has it: `git log` and `git restore` in its folder; or take it from a backup.',
  });
}

/** Undefined for what was not packed, or is damaged. */
export function findUnpacked(bytes: Uint8Array): Buffer | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return undefined;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Whether there is such a file, packed or not. */
export function existsPacked(fs: Pick<FileSystem, 'exists'>, file: string): boolean {
  return fs.exists(file) || fs.exists(packedName(file));
}

/** Reads a file, packed or not, by its plain or its packed name; undefined when there is neither. */
export function readPacked(fs: Pick<FileSystem, 'read'>, file: string): Buffer | undefined {
  const name = plainName(file);
  const plain = fs.read(name);
  if (plain !== undefined) return plain;
  const packed = fs.read(packedName(name));
  return packed === undefined ? undefined : unpack(packed, packedName(name));
}
