import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { isMnemeError, type MnemeError } from '../model/errors.ts';
import { explainDiskFailure } from './disk-failure.ts';
import { pretendRefusal, pretendSpace, sqliteError } from './testing/disk.ts';

const IOERR = 10;
const IOERR_SHMSIZE = 4874;
const FULL = 13;

describe('what the disk refuses a database', () => {
  let file: string;

  beforeEach(() => {
    file = path.join(makeTemporaryFolder(), 'lock.db');
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  function explain(error: unknown): MnemeError {
    const explained = explainDiskFailure(file, error);
    if (!isMnemeError(explained)) throw new Error('It was not explained.', { cause: explained });
    return explained;
  }

  it('is explained in all its forms, by the name of the file', () => {
    // READONLY, IOERR, FULL and CANTOPEN, with some of their extended codes.
    for (const code of [8, 264, 1288, IOERR, 266, 778, IOERR_SHMSIZE, FULL, 14, 270, 526]) {
      const { code: kind, message, hint } = explain(sqliteError(code));
      expect({ kind, isNamed: message.includes(file), hasHint: hint !== undefined }).toEqual({
        kind: 'failure',
        isNamed: true,
        hasHint: true,
      });
    }
  });

  it('leaves alone what is something else', () => {
    for (const error of [sqliteError(1), sqliteError(5), sqliteError(11), new Error('mine'), 'text']) {
      expect(explainDiskFailure(file, error)).toBe(error);
    }
  });

  it('is a full disk when there is no room or no file left', () => {
    pretendSpace({ freeBlocks: 0, freeFiles: 100 });
    expect(explain(sqliteError(IOERR_SHMSIZE))).toMatchObject({
      message: `${file} cannot be written: the disk is full.`,
      hint: expect.stringContaining('nothing is lost') as string,
    });
    pretendSpace({ freeBlocks: 1000, freeFiles: 0 });
    expect(explain(sqliteError(14)).message).toContain('the disk is full');
    pretendSpace({ freeBlocks: 1000, freeFiles: 100 });
    expect(explain(sqliteError(FULL)).message).toContain('the disk is full');
    expect(explain(sqliteError(IOERR)).message).toBe(`${file} cannot be read or written: disk I/O error.`);
  });

  it('is a read-only file system or a lack of permission when the system says so', () => {
    pretendRefusal('EROFS');
    expect(explain(sqliteError(14)).message).toBe(`${file} cannot be written: the file system is read-only.`);
    pretendRefusal('EACCES');
    expect(explain(sqliteError(8)).message).toBe(`${file} cannot be written: permission was denied.`);
  });

  it('asks the nearest folder that exists', () => {
    file = path.join(path.dirname(file), 'not', 'there', 'lock.db');
    pretendSpace({ freeBlocks: 0, freeFiles: 100 });
    expect(explain(sqliteError(14)).message).toContain('the disk is full');
  });

  it('is a folder in place of the file', () => {
    fs.mkdirSync(file);
    let thrown: unknown;
    try {
      new DatabaseSync(file).close();
    } catch (error) {
      thrown = error;
    }
    expect(explain(thrown)).toMatchObject({
      message: `${file} is a folder where a file is expected.`,
      hint: expect.stringContaining('remove it') as string,
    });
  });

  it('may be said by the system itself, while files are made or removed', () => {
    const said = Object.assign(new Error('EROFS: read-only file system, mkdir'), { code: 'EROFS' });
    expect(explain(said)).toMatchObject({ message: `${file} cannot be written: the file system is read-only.` });
  });
});
