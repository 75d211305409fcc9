import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { StateDatabase } from './sqlite.ts';
import { pretendRefusal, pretendSpace } from './testing/disk.ts';

const SCHEMA = 'CREATE TABLE IF NOT EXISTS notes (text TEXT)';

describe('a database in state/ that cannot be written', () => {
  let file: string;

  beforeEach(() => {
    file = path.join(makeTemporaryFolder(), 'state', 'lock.db');
    const database = new StateDatabase(file, SCHEMA);
    database.connection.exec("INSERT INTO notes VALUES ('old')");
    database.close();
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** SQLite cannot make what it needs beside the file: what a full disk does, without filling one. */
  function blockWriteAheadLog(): void {
    fs.mkdirSync(`${file}-wal`);
  }

  it('is refused with the name of the file and the reason', () => {
    blockWriteAheadLog();
    pretendSpace({ freeBlocks: 0, freeFiles: 100 });
    expect(() => new StateDatabase(file, SCHEMA)).toThrow(`${file} cannot be written: the disk is full.`);
  });

  it('is refused when the file system is read-only', () => {
    pretendRefusal('EROFS');
    expect(() => new StateDatabase(file, SCHEMA)).toThrow(`${file} cannot be written: the file system is read-only.`);
  });

  it('opens for reading without rows, and refuses writes with the reason', () => {
    blockWriteAheadLog();
    pretendSpace({ freeBlocks: 0, freeFiles: 100 });
    const database = StateDatabase.openForReadingAtLeast(file, SCHEMA);
    expect(database.obstacle).toMatchObject({ code: 'failure', message: expect.stringContaining('full') as string });
    expect(database.prepare('SELECT * FROM notes').all()).toEqual([]);
    expect(() => database.writable).toThrow('the disk is full');
    database.close();
  });

  it('opens for reading and writing as usual when nothing prevents writing', () => {
    const database = StateDatabase.openForReadingAtLeast(file, SCHEMA);
    expect(database.obstacle).toBeUndefined();
    expect(database.writable.location()).toBe(file);
    expect(database.prepare('SELECT text FROM notes').get()).toEqual({ text: 'old' });
    database.close();
  });

  it('fails for readers too when a folder stands in its place', () => {
    fs.rmSync(file);
    fs.mkdirSync(file);
    expect(() => StateDatabase.openForReadingAtLeast(file, SCHEMA)).toThrow(
      `${file} is a folder where a file is expected.`,
    );
  });
});

describe('a new database that two processes open at once', () => {
  /** Has the write lock of a file that is not in WAL mode yet, as whoever is just creating it. */
  const CREATOR = `
    const { DatabaseSync } = require('node:sqlite');
    const { parentPort, workerData } = require('node:worker_threads');
    const database = new DatabaseSync(workerData);
    database.exec('BEGIN IMMEDIATE');
    parentPort.postMessage('locked');
    setTimeout(() => { database.exec('COMMIT'); database.close(); }, 100);
  `;

  it('is waited for', async () => {
    const file = path.join(makeTemporaryFolder(), 'lock.db');
    const creator = new Worker(CREATOR, { eval: true, workerData: file });
    const ended = once(creator, 'exit');
    await once(creator, 'message');
    const database = new StateDatabase(file, SCHEMA);
    expect(database.connection.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(database.prepare('SELECT * FROM notes').all()).toEqual([]);
    database.close();
    await ended;
  });
});
