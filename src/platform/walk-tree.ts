import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../model/errors.ts';

/**
 * Everything below a folder. Links are listed and never followed: Node's own recursive listing follows folder links, and what they
 * lead to is not part of the tree.
 */
export function walkTree(root: string): fs.Dirent[] {
  const found: fs.Dirent[] = [];
  const waiting = fs.readdirSync(root, { withFileTypes: true });
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    found.push(entry);
    if (entry.isDirectory()) waiting.push(...entriesOf(path.join(entry.parentPath, entry.name)));
  }
  return found;
}

/** Looks at a file or folder; undefined when there is none. It may be made when first needed, or go away between two looks. */
export function ignoringMissing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** The entries of a folder; none when there is no such folder. */
export function entriesOf(folder: string): fs.Dirent[] {
  return ignoringMissing(() => fs.readdirSync(folder, { withFileTypes: true })) ?? [];
}

/** Whether there is a file at the path itself, not one that a link leads to. */
export function isFile(full: string): boolean {
  return fs.lstatSync(full, { throwIfNoEntry: false })?.isFile() === true;
}
