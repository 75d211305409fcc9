import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { systemClock } from '../../platform/clock.ts';
import { pretendRefusal, pretendSpace, sqliteError } from '../../platform/testing/disk.ts';
import { isDamaged } from '../port.ts';
import { explainFailure } from './index-database.ts';
import { SqliteIndex } from './sqlite-index.ts';

describe('what keeps the index from being used', () => {
  const file = path.join(makeTemporaryFolder(), 'index.db');

  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is a full disk or a read-only file system, not damage', () => {
    pretendSpace({ freeBlocks: 0, freeFiles: 100 });
    const full = explainFailure(file, sqliteError(4874));
    expect(full).toMatchObject({ code: 'failure', message: `${file} cannot be written: the disk is full.` });
    expect(isDamaged(full)).toBe(false);
    pretendRefusal('EROFS');
    expect(explainFailure(file, sqliteError(8))).toMatchObject({
      message: `${file} cannot be written: the file system is read-only.`,
    });
  });

  it('is damage when the file ends too early', () => {
    expect(isDamaged(explainFailure(file, sqliteError(522)))).toBe(true);
  });

  it('is a folder in its place', () => {
    fs.mkdirSync(file);
    expect(() => new SqliteIndex(file, systemClock)).toThrow(`${file} is a folder where a file is expected.`);
  });
});
