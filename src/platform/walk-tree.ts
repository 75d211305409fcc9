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

/** Another process may have cleared it away meanwhile. */
function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
