import path from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../model/records.ts';
import type { FileSystem } from '../../platform/fs.ts';
import type { Change } from '../../workspace/door/request.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { findUnpacked, isPackedName, plainName } from '../../workspace/packed.ts';
import { type ArchiveRecord, readRecord } from './record.ts';
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

/** The entry of a file in the archive's table of contents. */
const entrySchema = z.object({
  /** Where it came from. */
  from: z.string().min(1),
  /** The item's id; absent when the file itself was archived. */
  item: z.string().optional(),
  at: z.string(),
  reason: z.string().optional(),
  /** Of the text, unpacked. */
  bytes: z.number().int().min(0),
  packed: z.boolean(),
});
export type IndexedArchive = z.infer<typeof entrySchema>;

const VERSION = 1;
const fileSchema = z.object({ version: z.literal(VERSION), entries: z.record(z.string(), z.unknown()) });
const SCOPE_FOLDER = /^memory\/scopes\/[^/]+\//u;

/** Each scope's archive has a table of its own, or one scope's would name what belongs to another. */
export function indexPathOf(archived: string): string {
  return `${SCOPE_FOLDER.exec(archived)?.[0] ?? ''}memory/archive/index.json`;
}

/** By the plain name of each file; one line each, sorted. */
export function serializeArchiveIndex(entries: ReadonlyMap<string, IndexedArchive>): string {
  const lines = [...entries]
    .toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([path, entry]) => `    ${JSON.stringify(path)}: ${JSON.stringify(entry)}`);
  const body = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
  return `{\n  "version": ${VERSION},\n  "entries": ${body}\n}\n`;
}

const lastRead = new Map<string, { readonly text: string; readonly entries: ReadonlyMap<string, IndexedArchive> }>();

/** As `parseArchiveIndex`; on most nights it is as it was, and there is a line for everything that was ever put away. */
function readArchiveIndex(file: string, text: string | undefined): ReadonlyMap<string, IndexedArchive> {
  const known = lastRead.get(file);
  if (known !== undefined && known.text === text) return known.entries;
  const entries = parseArchiveIndex(text);
  if (text === undefined) lastRead.delete(file);
  else lastRead.set(file, { text, entries });
  return entries;
}

/** Parses the readable entries. The index is made from the files, which have the last word. */
export function parseArchiveIndex(text: string | undefined): Map<string, IndexedArchive> {
  const file = text === undefined ? undefined : fileSchema.safeParse(parseJson(text)).data;
  const entries = new Map<string, IndexedArchive>();
  for (const [path, value] of Object.entries(file?.entries ?? {})) {
    const entry = entrySchema.safeParse(value).data;
    if (entry !== undefined) entries.set(path, entry);
  }
  return entries;
}

function indexedArchive(
  { from, item, at, reason }: ArchiveRecord,
  file: Pick<IndexedArchive, 'bytes' | 'packed'>,
): IndexedArchive {
  return { from, ...(item === undefined ? {} : { item }), at, ...(reason === undefined ? {} : { reason }), ...file };
}

/** The tables of contents as they should be; `touched` are files whose table has to be written even when it is empty. */
export function indexChanges(files: readonly ArchivedFile[], touched: readonly { readonly path: string }[]): Change[] {
  const tables = new Map<string, Map<string, IndexedArchive>>();
  for (const { path } of touched) tables.set(indexPathOf(path), new Map());
  for (const { path, ...entry } of files) {
    const table = indexPathOf(path);
    const entries = tables.get(table) ?? new Map<string, IndexedArchive>();
    entries.set(path, entry);
    tables.set(table, entries);
  }
  return [...tables].map(([path, entries]) => ({ path, edit: () => serializeArchiveIndex(entries) }));
}
