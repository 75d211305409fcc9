import path from 'node:path';
import type { FileSystem } from '../../platform/fs.ts';
import { isOwnPlace } from '../safety/paths.ts';

/** The limit of most file systems for one name. */
const MAX_NAME_BYTES = 255;

const HELD = /^([0-9A-Z]{26})-([0-9a-f]{40})-(\d+)(?:-(.+))?$/s;

/** A replaced file that is still reachable: when it was replaced, what its content was, and which file it is. */
export interface HeldFile {
  readonly mutation: string;
  readonly oid: string;
  /** When it had last been written; another time now means that somebody wrote late. */
  readonly mtimeNs: bigint;
  readonly relative: string;
  readonly full: string;
  /** The entry to remove when it is no longer needed. */
  readonly entry: string;
}

/**
 * Where a replaced file is held. Everything about it stands in one name, because making and removing a folder for each
 * costs more than the whole acknowledgement; a path too long for a name gets folders after all.
 */
export function holdPath(replaced: string, held: Pick<HeldFile, 'mutation' | 'oid' | 'mtimeNs' | 'relative'>): string {
  const head = `${held.mutation}-${held.oid}-${held.mtimeNs}`;
  const name = `${head}-${encodeURIComponent(held.relative)}`;
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return path.join(replaced, name);
  return path.join(replaced, head, held.relative);
}

export function listHeldFiles(fs: FileSystem, replaced: string): HeldFile[] {
  return fs.list(replaced).flatMap((name): HeldFile[] => {
    const [, mutation, oid, mtime, encoded] = HELD.exec(name) ?? [];
    if (mutation === undefined || oid === undefined || mtime === undefined) return [];
    // The write path makes no links there, so the target of a link is not a late edit.
    if (!isOwnPlace(replaced, name)) return [];
    const entry = path.join(replaced, name);
    const mtimeNs = BigInt(mtime);
    const hold = (relative: string, full: string): HeldFile => ({ mutation, oid, mtimeNs, relative, full, entry });
    if (encoded !== undefined) {
      const relative = decodeName(encoded);
      return relative === undefined ? [] : [hold(relative, entry)];
    }
    return fs.listFiles(entry).map((relative) => hold(relative, path.join(entry, relative)));
  });
}

/** Undefined for a name that the write path did not make. */
function decodeName(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
