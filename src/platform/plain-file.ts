import fs from 'node:fs';
import { systemCode } from '../model/errors.ts';

/** The content of a path: the bytes of a plain file, or why there are none. */
export type PlainFile =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'special' }
  | { readonly kind: 'large'; readonly size: number }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A file where a folder is expected means that what is named in it is not there either. */
const MISSING = new Set(['ENOENT', 'ENOTDIR']);

/** Windows has neither pipes in folders nor this flag. */
const READ_WITHOUT_WAITING = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);

/**
 * Reads a small file of a folder from elsewhere. Ends whatever is there: a pipe would be waited for, a device never end,
 * and a large file take the time of whoever waits.
 */
export function readPlainFile(file: string, maxBytes: number, part: 'whole' | 'start' = 'whole'): PlainFile {
  let handle: number;
  try {
    handle = fs.openSync(file, READ_WITHOUT_WAITING);
  } catch (error) {
    return MISSING.has(systemCode(error) ?? '') ? { kind: 'missing' } : { kind: 'failed', error };
  }
  try {
    const stat = fs.fstatSync(handle);
    if (!stat.isFile()) return { kind: 'special' };
    if (part === 'start') {
      const start = Buffer.alloc(maxBytes);
      return { kind: 'bytes', bytes: start.subarray(0, fs.readSync(handle, start)) };
    }
    return stat.size > maxBytes
      ? { kind: 'large', size: stat.size }
      : { kind: 'bytes', bytes: fs.readFileSync(handle) };
  } catch (error) {
    return { kind: 'failed', error };
  } finally {
    fs.closeSync(handle);
  }
}

/** The first bytes of a plain file of any size; none when there is no such file. */
export function readStart(file: string, bytes: number): Buffer {
  const found = readPlainFile(file, bytes, 'start');
  if (found.kind === 'bytes') return found.bytes;
  if (found.kind === 'failed') throw found.error;
  return Buffer.alloc(0);
}
