import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { pretendRefusal, pretendSpace, sqliteError } from '../../platform/testing/disk.ts';
import { explainSystemError } from './system-error.ts';

describe('explainSystemError', () => {
  const home = makeTemporaryFolder();
  const file = path.join(home, 'state', 'lock.db');

  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('knows a full disk from a read-only one when SQLite only says that it failed', () => {
    pretendSpace({ freeBlocks: 0, freeFiles: 100 });
    expect(explainSystemError(sqliteError(4874), home)).toMatchObject({
      code: 'failure',
      message: `${file} cannot be written: the disk is full.`,
    });
    pretendRefusal('EROFS');
    expect(explainSystemError(sqliteError(14, 'unable to open database file'), home)).toMatchObject({
      message: `${file} cannot be written: the file system is read-only.`,
    });
  });

  it('names the path that the system names', () => {
    const error = Object.assign(new Error('EROFS'), { code: 'EROFS', path: 'notes/a.md' });
    expect(explainSystemError(error, home)?.message).toBe('The file system is read-only: notes/a.md (EROFS).');
  });

  it('knows a read-only disk when Node only says that a folder to be made is missing', () => {
    const folder = path.join(home, 'journal', 'forget');
    const error = Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'mkdir', path: folder });
    expect(explainSystemError(error, home)?.message).toContain('is missing');
    pretendRefusal('EROFS');
    expect(explainSystemError(error, home)?.message).toBe(`The file system is read-only: ${folder} (EROFS).`);
  });

  it('keeps quiet about what is a fault of ours', () => {
    expect(explainSystemError(sqliteError(1, 'no such table'), home)).toBeUndefined();
    expect(explainSystemError(new TypeError('x is undefined'), home)).toBeUndefined();
  });
});
