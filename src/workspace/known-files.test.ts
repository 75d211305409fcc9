import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { pretendRefusal } from '../platform/testing/disk.ts';
import { KnownFiles } from './known-files.ts';

const HEAD = { bootId: 'boot', end: { segment: 3, offset: 17 } };

function databaseFile(): string {
  return path.join(makeTemporaryFolder(), 'state', 'lock.db');
}

describe('what is known of the files', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is there for the next process', () => {
    const file = databaseFile();
    const first = new KnownFiles(file);
    expect(first.head()).toBeUndefined();
    first.setHead(HEAD);
    first.set('notes/a.md', 'oid-1', '10:20:30:40');
    first.set('b.md', 'oid-2');
    first.close();
    const second = new KnownFiles(file);
    expect(second.head()).toEqual(HEAD);
    expect(second.find('notes/a.md')).toEqual({ oid: 'oid-1', stamp: '10:20:30:40' });
    expect(second.all()).toEqual(
      new Map([
        ['b.md', { oid: 'oid-2', stamp: undefined }],
        ['notes/a.md', { oid: 'oid-1', stamp: '10:20:30:40' }],
      ]),
    );
    second.close();
  });

  it('forgets a deleted file, and with it the stamp', () => {
    const known = new KnownFiles(databaseFile());
    known.set('a.md', 'oid', 'stamp');
    known.set('a.md', null);
    expect(known.find('a.md')).toBeUndefined();
    known.set('a.md', 'other');
    expect(known.find('a.md')).toEqual({ oid: 'other', stamp: undefined });
    known.close();
  });

  it('starts anew when its file is damaged or deleted', () => {
    const file = databaseFile();
    new KnownFiles(file).close();
    fs.writeFileSync(file, 'this is no database'.repeat(100));
    const known = new KnownFiles(file);
    expect(known.head()).toBeUndefined();
    known.setHead(HEAD);
    fs.rmSync(path.dirname(file), { recursive: true });
    expect(known.head()).toBeUndefined();
    known.close();
  });

  it('is nothing on a disk that may not be written, and nobody gets the lock there', () => {
    const file = databaseFile();
    const before = new KnownFiles(file);
    expect(before.obstacle).toBeUndefined();
    before.close();
    pretendRefusal('EROFS');
    const known = new KnownFiles(file);
    expect(known.obstacle?.message).toBe(`${file} cannot be written: the file system is read-only.`);
    expect(known.head()).toBeUndefined();
    expect(known.all().size).toBe(0);
    expect(() => known.database).toThrow('the file system is read-only');
    known.close();
  });
});
