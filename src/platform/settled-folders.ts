import fs from 'node:fs';
import { systemCode } from '../model/errors.ts';

/** A file in a folder that no longer changes. */
export interface SettledFile {
  readonly name: string;
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
}

interface KnownFolder {
  readonly stamp: string;
  readonly files: readonly SettledFile[];
  /** The number of further looks at which this list is trusted without reading the folder. */
  left: number;
}

/** Written once and later only replaced or removed, each of which changes the folder's own time. */
const WRITTEN_ONCE = /\.(?:gz|processed)$/u;
/** A folder this young may change once more within the same tick of its clock. */
const RACY_MS = 2000;
/** After a week or two of nights its files are looked at again, in case somebody wrote into one; not all folders at the same time. */
const LEAST_BELIEVED = 24;
const MOST_BELIEVED = 48;

/**
 * Years of transcripts lie in folders in which nothing happens any more. Those that hold nothing but packed files are listed
 * once, and afterwards only asked for their own time: a night's walk costs a call a day instead of one a file.
 */
export class SettledFolders {
  readonly #known = new Map<string, KnownFolder>();
  #count = 0;

  /** The files of a folder that is settled, as they are or were when it last changed; undefined for any other. */
  find(folder: string): readonly SettledFile[] | undefined {
    const stamp = stampOf(folder);
    const known = this.#known.get(folder);
    if (known !== undefined && known.stamp === stamp && known.left > 0) {
      known.left -= 1;
      return known.files;
    }
    this.#known.delete(folder);
    if (stamp === undefined) return undefined;
    const files = listPacked(folder);
    if (files === undefined) return undefined;
    this.#count += 1;
    const left = LEAST_BELIEVED + (this.#count % (MOST_BELIEVED - LEAST_BELIEVED));
    this.#known.set(folder, { stamp, files, left });
    return files;
  }

  /** Every file below a folder that is not in a settled one, relative to it and with forward slashes. */
  listOthers(root: string): string[] {
    const found: string[] = [];
    const folders = fs.existsSync(root) ? [''] : [];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      if (this.find(`${root}/${folder}`) !== undefined) continue;
      for (const entry of fs.readdirSync(`${root}/${folder}`, { withFileTypes: true })) {
        if (entry.isDirectory()) folders.push(`${folder}${entry.name}/`);
        else if (entry.isFile()) found.push(`${folder}${entry.name}`);
      }
    }
    return found;
  }
}

/** Undefined for what is no folder, and for one that changed a moment ago. */
function stampOf(folder: string): string | undefined {
  const stat = findStat(folder);
  if (stat === undefined || !stat.isDirectory() || stat.mtimeMs > Date.now() - RACY_MS) return undefined;
  return `${stat.ino}/${stat.mtimeMs}/${stat.ctimeMs}`;
}

function listPacked(folder: string): readonly SettledFile[] | undefined {
  const entries = fs.readdirSync(folder, { withFileTypes: true });
  if (entries.length === 0 || !entries.every((entry) => entry.isFile() && WRITTEN_ONCE.test(entry.name)))
    return undefined;
  const files: SettledFile[] = [];
  for (const { name } of entries) {
    const stat = findStat(`${folder}/${name}`);
    if (stat === undefined || !stat.isFile()) return undefined;
    const { size, mode, mtimeMs, ctimeMs, ino: inode } = stat;
    files.push({ name, size, mode: mode & 0o777, mtimeMs, ctimeMs, inode });
  }
  return files;
}

export function findStat(file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
