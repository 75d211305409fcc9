import fs from 'node:fs';
import path from 'node:path';
import { MnemeError, systemCode } from '../../model/errors.ts';
import type { LogFile } from './port.ts';

export interface FoundFile {
  readonly path: string;
  /** Relative to the folder that was searched, with `/`. */
  readonly relative: string;
  readonly name: string;
}

/** All files below a folder, links not followed. A folder that cannot be read counts as empty. */
export function walkFiles(root: string, enters: (relative: string, name: string) => boolean = () => true): FoundFile[] {
  const found: FoundFile[] = [];
  const visit = (folder: string, prefix: string): void => {
    for (const entry of readEntries(folder)) {
      const relative = `${prefix}${entry.name}`;
      const full = path.join(folder, entry.name);
      if (entry.isDirectory() && enters(relative, entry.name)) visit(full, `${relative}/`);
      else if (entry.isFile()) found.push({ path: full, relative, name: entry.name });
    }
  };
  visit(root, '');
  return found;
}

function readEntries(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return [];
    throw error;
  }
}

/** Codex names a log by time and id; the others by the id alone. */
const ROLLOUT_ID = /^rollout-.*?([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl?$/u;

/** The id of the session in a program's log, by the name of the file, which need not exist yet. */
export function logId(file: string): string {
  const name = path.basename(file);
  return ROLLOUT_ID.exec(name)?.[1] ?? name.replace(/\.jsonl?$/u, '');
}

export function logFile(full: string, id: string): LogFile | undefined {
  const stat = fs.statSync(full, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) return undefined;
  return { id, path: full, size: stat.size, mtimeMs: Math.floor(stat.mtimeMs) };
}

/** Tells whether a given path is a file or a folder; it must exist. */
export function kindOfSource(source: string): 'file' | 'folder' {
  const stat = fs.statSync(source, { throwIfNoEntry: false });
  if (stat === undefined) {
    throw new MnemeError('not-found', `There is no ${source}.`, { hint: 'Check the path to import from.' });
  }
  return stat.isDirectory() ? 'folder' : 'file';
}
