import path from 'node:path';
import type { FileSystem } from '../../platform/fs.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { findUnpacked, isPackedName, plainName } from '../../workspace/packed.ts';
import { indexedArchive, indexPathOf, readArchiveIndex, type IndexedArchive } from './archive-index.ts';
import { readRecord } from './record.ts';
import { compareTexts } from '../../model/text.ts';

export interface ArchivedFile extends IndexedArchive {
  /** By its plain name, packed or not. */
  readonly path: string;
}

export interface ArchiveListing {
  /** The latest archived first. */
  readonly files: readonly ArchivedFile[];
  /** Files that do not say where they came from: put there by hand, or damaged. */
  readonly strangers: readonly string[];
}

/**
 * Everything in the archives, shared and of scopes. A file is taken from the table of contents where that knows it: a
 * packed one because nobody changes it, another when it is older than the table and as long as that says.
 */
export function listArchive(fs: FileSystem, root: string): ArchiveListing {
  const files: ArchivedFile[] = [];
  const strangers: string[] = [];
  for (const archive of archiveFolders(fs, root)) {
    const table = path.join(root, indexPathOf(archive));
    const madeNs = fs.stamp(table)?.mtimeNs ?? 0n;
    const known = readArchiveIndex(table, fs.read(table)?.toString('utf8'));
    for (const relative of fs.listFiles(path.join(root, archive))) {
      const file = `${archive}/${path.sep === '/' ? relative : relative.replaceAll(path.sep, '/')}`;
      const plain = plainName(file);
      if (!MARKDOWN.test(plain) || HIDDEN.test(file)) continue;
      const isPacked = isPackedName(file);
      const told = known.get(plain);
      const isTold = told !== undefined && (isPacked || isAsTold(fs, `${root}/${file}`, told, madeNs));
      const entry = isTold ? told : readEntry(fs, root, file);
      if (entry === undefined) strangers.push(file);
      else files.push({ ...entry, path: plain, packed: isPacked });
    }
  }
  files.sort((left, right) => compareTexts(right.at, left.at) || compareTexts(left.path, right.path));
  return { files, strangers };
}

const MARKDOWN = /\.(?:md|markdown)$/iu;
const HIDDEN = /\/\./u;

/** Times are compared with a margin: file systems and copies round them. */
const MARGIN_NS = 2_000_000_000n;

function isAsTold(fs: FileSystem, file: string, { bytes, packed }: IndexedArchive, tableNs: bigint): boolean {
  const stamp = fs.stamp(file);
  return stamp !== undefined && !packed && stamp.size === bytes && stamp.mtimeNs + MARGIN_NS < tableNs;
}

function archiveFolders(fs: FileSystem, root: string): string[] {
  const scopes = fs.list(path.join(root, 'memory/scopes')).map((name) => `memory/scopes/${name}/memory/archive`);
  return ['memory/archive', ...scopes].filter((folder) => fs.exists(path.join(root, folder)));
}

function readEntry(fs: FileSystem, root: string, file: string): IndexedArchive | undefined {
  const bytes = fs.read(path.join(root, file));
  const text = bytes === undefined || !isPackedName(file) ? bytes : findUnpacked(bytes);
  if (text === undefined) return undefined;
  const record = readRecord(parseDocument(text.toString('utf8')));
  if (record === undefined) return undefined;
  return indexedArchive(record, { bytes: text.length, packed: isPackedName(file) });
}
