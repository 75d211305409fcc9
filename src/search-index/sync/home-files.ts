import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { MnemeError, errorMessage, systemCode } from '../../model/errors.ts';
import { blobId } from '../../workspace/known-files.ts';
import { SettledFolders, findStat } from '../../platform/settled-folders.ts';
import type { HomePaths } from '../../workspace/home-paths.ts';
import { DOCUMENT_SOURCES, type DocumentKey, type DocumentSource } from '../passage.ts';

/** Distinguishes states of a file without reading it. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
}

export function isSameStamp(left: FileStamp | undefined, right: FileStamp | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return (
    left.mtimeMs === right.mtimeMs &&
    left.size === right.size &&
    left.ctimeMs === right.ctimeMs &&
    left.inode === right.inode
  );
}

export interface FoundFile extends DocumentKey, FileStamp {}

export interface ReadFile extends FoundFile {
  readonly text: string;
  /** git's id of the bytes. */
  readonly oid: string;
}

/** Above this a file is no text that anybody reads. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
const BINARY_PROBE_BYTES = 8000;

/** The folders whose files are searched. */
export class HomeFiles {
  readonly #settled = new SettledFolders();
  readonly roots: Readonly<Record<DocumentSource, string>>;

  constructor({ repositories, journal }: Pick<HomePaths, 'repositories' | 'journal'>) {
    this.roots = {
      workspace: repositories.workspace.workTree,
      raw: repositories.raw.workTree,
      live: path.join(journal, 'live'),
    };
  }

  /** Every file that `isWanted`, with its stamp. */
  list(isWanted: (key: DocumentKey) => boolean, sources = DOCUMENT_SOURCES as readonly DocumentSource[]): FoundFile[] {
    const found: FoundFile[] = [];
    for (const source of sources) this.#walk(source, '', isWanted, found);
    return found;
  }

  /** Undefined for what does not exist, and for links and folders: their targets are not ours to read. */
  find({ source, path: relative }: DocumentKey): FoundFile | undefined {
    // Put together by hand: `path.join` costs as much as asking the system does.
    const stat = findStat(`${this.roots[source]}/${relative}`);
    if (stat === undefined || !stat.isFile()) return undefined;
    return { source, path: relative, size: stat.size, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, inode: stat.ino };
  }

  /** The file as text, compressed or not; undefined when it is gone. The stamp is older than what was read. */
  read(key: DocumentKey): ReadFile | undefined {
    const found = this.find(key);
    if (found === undefined) return undefined;
    const bytes = readBytes(path.join(this.roots[key.source], key.path));
    return bytes === undefined ? undefined : { ...found, oid: blobId(bytes), text: textOf(key.path, bytes) };
  }

  #walk(source: DocumentSource, folder: string, isWanted: (key: DocumentKey) => boolean, found: FoundFile[]): void {
    const settled = this.#settled.find(`${this.roots[source]}/${folder}`);
    if (settled !== undefined) {
      for (const { name, size, mtimeMs, ctimeMs, inode } of settled) {
        const file = { source, path: `${folder}/${name}`, size, mtimeMs, ctimeMs, inode };
        if (!isHidden(name) && isWanted(file)) found.push(file);
      }
      return;
    }
    for (const entry of entriesOf(path.join(this.roots[source], folder))) {
      if (isHidden(entry.name)) continue;
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const key = { source, path: relative };
      if (entry.isDirectory()) {
        this.#walk(source, relative, isWanted, found);
      } else if (entry.isFile() && isWanted(key)) {
        const file = this.find(key);
        if (file !== undefined) found.push(file);
      }
    }
  }
}

/** Folders and files that programs keep beside a person's notes: `.git`, `.obsidian`, `.trash`, installed packages. */
export function isHidden(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // Made when first needed, or removed meanwhile.
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
    throw new MnemeError('failure', `${folder} cannot be listed: ${errorMessage(error)}.`, {
      hint: 'Check the permissions of the folder.',
      cause: error,
    });
  }
}

function readBytes(file: string): Buffer | undefined {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

function textOf(relative: string, bytes: Buffer): string {
  const unpacked = /\.gz$/iu.test(relative) ? gunzipSync(bytes, { maxOutputLength: MAX_TEXT_BYTES }) : bytes;
  if (unpacked.length > MAX_TEXT_BYTES) {
    throw new MnemeError('failure', `${relative} is larger than ${MAX_TEXT_BYTES / 1024 / 1024} MB.`);
  }
  if (unpacked[0] === 0xff && unpacked[1] === 0xfe) return new TextDecoder('utf-16le').decode(unpacked);
  if (unpacked[0] === 0xfe && unpacked[1] === 0xff) return new TextDecoder('utf-16be').decode(unpacked);
  // A picture with a text's name has nothing to say; stray bytes in a text are shown as the replacement character.
  return unpacked.subarray(0, BINARY_PROBE_BYTES).includes(0) ? '' : unpacked.toString('utf8');
}
