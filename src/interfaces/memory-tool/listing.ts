import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import { isHidden } from '../../search-index/sync/home-files.ts';

export interface FoundEntry {
  /** Relative to the folder. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Of a folder: of all that is in it. */
  readonly bytes: number;
  readonly depth: number;
}

/** Files and folders below a folder, links left out; undefined when there is no such folder. */
export function listFolder(full: string): FoundEntry[] | undefined {
  const entries = entriesOf(full);
  return entries === undefined ? undefined : entries.flatMap((entry) => walk(full, entry, '', 1));
}

function entriesOf(full: string): fs.Dirent[] | undefined {
  try {
    return fs.readdirSync(full, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

function walk(root: string, entry: fs.Dirent, folder: string, depth: number): FoundEntry[] {
  const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
  const full = path.join(root, relative);
  if (entry.isFile()) {
    const bytes = fs.statSync(full, { throwIfNoEntry: false })?.size ?? 0;
    return [{ path: relative, isFolder: false, bytes, depth }];
  }
  if (!entry.isDirectory()) return [];
  const inside = (entriesOf(full) ?? []).flatMap((child) => walk(root, child, relative, depth + 1));
  const bytes = inside.reduce((sum, child) => (child.isFolder ? sum : sum + child.bytes), 0);
  // Nothing is kept of a folder that holds no file, in history or anywhere: it counts as gone.
  return inside.length === 0 ? [] : [{ path: relative, isFolder: true, bytes, depth }, ...inside];
}

const MAX_DEPTH = 2;

/** As the documentation shows a directory. */
export function renderListing(shown: string, entries: readonly FoundEntry[]): string {
  const total = entries.reduce((sum, { isFolder, bytes }) => (isFolder ? sum : sum + bytes), 0);
  const lines = entries
    .filter(({ depth, path: relative }) => depth <= MAX_DEPTH && !relative.split('/').some(isHidden))
    .map(({ path: relative, isFolder, bytes }) => `${humanSize(bytes)}\t${shown}/${relative}${isFolder ? '/' : ''}`);
  const head = `Here're the files and directories up to 2 levels deep in ${shown}, excluding hidden items and node_modules:`;
  return [head, `${humanSize(total)}\t${shown}`, ...lines].join('\n');
}

const UNITS = ['B', 'K', 'M', 'G'] as const;

function humanSize(bytes: number): string {
  let unit = 0;
  let amount = bytes;
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${Number.isInteger(amount) ? amount : amount.toFixed(1)}${UNITS[unit]}`;
}
