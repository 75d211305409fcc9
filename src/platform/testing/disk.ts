import fs from 'node:fs';
import { vi } from 'vitest';

/** An error as node:sqlite throws it. */
export function sqliteError(errcode: number, message = 'disk I/O error'): Error {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
}

/** From now on every disk says that it is so full; `vi.restoreAllMocks` ends it. */
export function pretendSpace({ freeBlocks, freeFiles }: { freeBlocks: number; freeFiles: number }): void {
  const disk = {
    type: 0,
    bsize: 4096,
    frsize: 4096,
    blocks: 1024,
    bfree: 10,
    bavail: freeBlocks,
    files: 512,
    ffree: freeFiles,
  };
  vi.spyOn(fs, 'statfsSync').mockReturnValue(disk);
}

/** From now on nothing may be written, for this reason; chmod would not keep root from it. */
export function pretendRefusal(code: 'EROFS' | 'EACCES'): void {
  vi.spyOn(fs, 'accessSync').mockImplementation((target) => {
    throw Object.assign(new Error(`${code}: access '${String(target)}'`), { code });
  });
}
