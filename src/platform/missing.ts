import fs from 'node:fs';
import { systemCode } from '../model/errors.ts';

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
