import { isGitDirectoryName, MAX_SEGMENT_BYTES } from './segments.ts';

/** Linux opens paths of 4095 bytes, which include the folder of the home. */
const MAX_PATH_BYTES = 3072;

const ONLY_DOTS_AND_SPACES = /^[. ]+$/u;

/**
 * Says why a path that a record names must not be followed, as the end of a sentence; undefined when it may. A record is
 * anything on disk that says where to write: the journal, a backup, a list of files. It may have come from elsewhere,
 * so what leads out of the folder, or into a git directory, on any system is refused on every system. Names that people
 * give their own files pass here although `parseWorkspacePath` refuses them for new files (`Why?.md`).
 */
export function findRecordedPathObjection(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return 'is empty';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `is longer than ${MAX_PATH_BYTES} bytes`;
  if (!path.isWellFormed()) return 'is not valid Unicode';
  if (path.includes('\0')) return 'contains a NUL character';
  if (/^(?:[\\/]|[a-z]:[\\/])/iu.test(path)) return 'is absolute';
  if (process.platform === 'win32' && path.includes(':')) return 'contains a colon';
  // A backslash is a letter here and a separator on Windows.
  for (const segment of path.split(/[\\/]/u)) {
    if (segment === '') return 'has an empty segment';
    // Windows drops dots and spaces at the end of a name, so `.. ` is `..` there.
    if (ONLY_DOTS_AND_SPACES.test(segment)) return `has the segment "${segment}"`;
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return `has a name longer than ${MAX_SEGMENT_BYTES} bytes`;
    if (isGitDirectoryName(segment)) return 'points into a git directory';
  }
  return undefined;
}

export function isRecordedPath(path: string): boolean {
  return findRecordedPathObjection(path) === undefined;
}
