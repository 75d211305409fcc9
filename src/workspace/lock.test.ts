import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { systemClock } from '../platform/clock.ts';
import { systemRandom } from '../platform/random.ts';
import { StateDatabase } from '../platform/sqlite.ts';
import { holdLock } from './lock.ts';

const TOOLS = { clock: systemClock, random: systemRandom };
const SCHEMA = 'CREATE TABLE IF NOT EXISTS notes (text TEXT)';

function openTwice(): [StateDatabase, StateDatabase] {
  const file = path.join(makeTemporaryFolder(), 'lock.db');
  return [new StateDatabase(file, SCHEMA), new StateDatabase(file, SCHEMA)];
}

function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

describe('the lock', () => {
  it('lets one connection in at a time', async () => {
    const [mine, yours] = openTwice();
    const inside: string[] = [];
    const { opened, open } = gate();
    const first = holdLock(mine.connection, 'test', TOOLS, async () => {
      inside.push('mine in');
      await opened;
      inside.push('mine out');
    });
    const second = holdLock(yours.connection, 'test', TOOLS, async () => {
      inside.push('yours in');
      return Promise.resolve();
    });
    setTimeout(open, 30);
    await Promise.all([first, second]);
    expect(inside).toEqual(['mine in', 'mine out', 'yours in']);
  });

  it('keeps the order of callers on one connection', async () => {
    const [mine] = openTwice();
    const order: number[] = [];
    const callers = Array.from({ length: 10 }, (_, index) =>
      holdLock(mine.connection, 'test', TOOLS, async () => {
        await new Promise((resolve) => {
          setTimeout(resolve, 5 - (index % 5));
        });
        order.push(index);
      }),
    );
    await Promise.all(callers);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('takes back what a failed body wrote, and lets the next one in', async () => {
    const [mine, yours] = openTwice();
    const failed = holdLock(mine.connection, 'test', TOOLS, () => {
      mine.connection.exec("INSERT INTO notes VALUES ('half')");
      return Promise.reject(new Error('in the middle'));
    });
    await expect(failed).rejects.toThrow('in the middle');
    const count = await holdLock(yours.connection, 'test', TOOLS, () =>
      Promise.resolve(yours.connection.prepare('SELECT count(*) AS count FROM notes').get()),
    );
    expect(count).toEqual({ count: 0 });
  });

  it('is free when its holder is gone', async () => {
    const [mine, yours] = openTwice();
    mine.connection.exec('BEGIN IMMEDIATE');
    mine.close();
    await expect(holdLock(yours.connection, 'test', TOOLS, () => Promise.resolve('in'))).resolves.toBe('in');
  });

  it('says so when somebody never lets go', async () => {
    const [mine, yours] = openTwice();
    const { opened, open } = gate();
    const holding = holdLock(mine.connection, 'write', TOOLS, () => opened);
    let nowMs = 0;
    const clock = { now: () => (nowMs += 5000) };
    const waiting = holdLock(yours.connection, 'write', { ...TOOLS, clock }, () => Promise.resolve());
    await expect(waiting).rejects.toMatchObject({
      code: 'locked',
      message: `Process ${process.pid} has held the write lock for 20 s.`,
    });
    open();
    await holding;
  });

  it('names nobody when its last holder is dead', async () => {
    const [mine, yours] = openTwice();
    await holdLock(mine.connection, 'write', TOOLS, () => Promise.resolve());
    fs.writeFileSync(`${mine.connection.location()}.holder`, '999999999');
    mine.connection.exec('BEGIN IMMEDIATE');
    let nowMs = 0;
    const clock = { now: () => (nowMs += 5000) };
    const waiting = holdLock(yours.connection, 'write', { ...TOOLS, clock }, () => Promise.resolve());
    await expect(waiting).rejects.toThrow('Another process has held the write lock');
  });

  it('says that the disk is full when what was written under it finds no room', async () => {
    const [mine] = openTwice();
    mine.connection.exec('PRAGMA max_page_count = 3');
    const writing = holdLock(mine.connection, 'test', TOOLS, async () => {
      mine.connection.exec('INSERT INTO notes VALUES (hex(zeroblob(100000)))');
      return Promise.resolve();
    });
    await expect(writing).rejects.toMatchObject({
      code: 'failure',
      message: `${mine.connection.location()} cannot be written: the disk is full.`,
    });
  });
});
