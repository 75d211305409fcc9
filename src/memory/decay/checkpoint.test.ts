import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { AccessLog } from './access-log.ts';
import { serializeCheckpoint } from './checkpoint.ts';

const march = Date.UTC(2026, 2, 5);
const april = Date.UTC(2026, 3, 5);

describe('the checkpoint', () => {
  it('is sorted, one line for each memory and device', () => {
    const folder = makeTemporaryFolder();
    const log = new AccessLog(nodeFileSystem, folder, 'here');
    log.recordUses('link', april, ['person--alex', '7k2m9x0q4t1za']);
    log.recordUses('reply', march, ['7k2m9x0q4t1za']);
    const [device] = fs.readdirSync(path.join(folder, 'access'));
    expect(serializeCheckpoint(log.makeCheckpoint(april))).toBe(
      `{
  "version": 1,
  "updated": "2026-04-05T00:00:00.000Z",
  "entries": {
    "7k2m9x0q4t1za ${device}": {"count":2,"last":"2026-04-05T00:00:00.000Z"},
    "person--alex ${device}": {"count":1,"last":"2026-04-05T00:00:00.000Z"}
  }
}
`,
    );
  });

  it('tells a second device what the first one used, and neither counts twice', () => {
    const file = path.join(makeTemporaryFolder(), 'decay-scores.json');
    const [one, other] = ['one', 'other'].map(
      (name) => new AccessLog(nodeFileSystem, makeTemporaryFolder(), name, file),
    );
    const write = (log: AccessLog | undefined): void =>
      fs.writeFileSync(file, serializeCheckpoint(log?.makeCheckpoint(april) ?? { updatedMs: april, uses: new Map() }));
    one?.recordUses('reply', march, ['a']);
    write(one);
    other?.recordUses('reference', april, ['a']);
    write(other);
    write(one);
    expect(one?.readUses().get('a')).toEqual({ count: 2, lastMs: april });
    expect(other?.readUses().get('a')).toEqual({ count: 2, lastMs: april });
  });

  it('may be broken without anything else being so', () => {
    const file = path.join(makeTemporaryFolder(), 'decay-scores.json');
    fs.writeFileSync(file, '<<<<<<< ours\n{');
    const log = new AccessLog(nodeFileSystem, makeTemporaryFolder(), 'here', file);
    log.recordUses('reply', march, ['a']);
    expect(log.readUses().get('a')).toEqual({ count: 1, lastMs: march });
  });
});

describe('a long log', () => {
  it('is shortened to a line for each memory, and another process reads it on', async () => {
    const folder = makeTemporaryFolder();
    const log = new AccessLog(nodeFileSystem, folder, 'here');
    const watching = new AccessLog(nodeFileSystem, folder, 'here');
    const ids = Array.from({ length: 100 }, (_, number) => `item-${number}`);
    expect(await log.compact(april)).toBe(false);
    for (let round = 0; round < 60; round += 1) log.recordUses('reply', march + round, ids);
    expect(watching.readUses().get('item-7')).toEqual({ count: 60, lastMs: march + 59 });
    expect(await log.compact(april)).toBe(true);
    log.recordUses('link', april, ['item-7']);
    expect(watching.readUses().get('item-7')).toEqual({ count: 61, lastMs: april });
    expect(log.readUses().get('item-8')).toEqual({ count: 60, lastMs: march + 59 });
  });
});
