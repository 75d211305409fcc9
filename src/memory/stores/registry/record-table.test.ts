import path from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../../test/support/home.ts';
import { isSameStamp } from './entity-files.ts';
import { readRecord } from './entity-record.ts';
import { RecordTable } from './record-table.ts';

const STAMP = { size: 9, mtimeMs: 1_794_000_000_000.25, ctimeMs: 1_794_000_000_001.5, inode: 2 ** 52 + 1 };
const NOTHING = { facts: [], edges: [] };
const FILE = 'memory/graph/entities/person--ada.md';

function open(): RecordTable {
  return new RecordTable(path.join(makeTemporaryFolder(), 'entities.db'));
}

test('a stamp as young as the ticks of a file system’s clock is not believed later', () => {
  const table = open();
  const record = readRecord(FILE, '# Ada\n');
  table.put(record, NOTHING, STAMP, STAMP.mtimeMs + 100);
  expect(isSameStamp(table.stamps().get(FILE), STAMP)).toBe(false);
  table.put(record, NOTHING, STAMP, STAMP.mtimeMs + 60_000);
  expect(isSameStamp(table.stamps().get(FILE), STAMP)).toBe(true);
});

test('what goes in comes out, and what is removed has no names left', () => {
  const table = open();
  const text =
    '---\nname: Ada Lovelace\naliases: [Countess]\nstatus: merged\nmerged_into: person--a\ntags: [user]\n---\n';
  const record = readRecord(FILE, text);
  table.put(record, NOTHING, STAMP, 0);
  expect(table.byPath(FILE)).toEqual(record);
  expect(table.all()).toEqual([record]);
  expect(table.users()).toEqual([record]);
  expect(table.byForm('countess')).toEqual([{ ...record, kind: 'alias' }]);
  table.remove(FILE);
  expect([...table.all(), ...table.byForm('countess'), ...table.byForm('ada')]).toEqual([]);
});

test('a transaction that fails leaves nothing behind', () => {
  const table = open();
  const fail = (): void => {
    table.put(readRecord(FILE, '# Ada\n'), NOTHING, STAMP, 0);
    throw new Error('no');
  };
  expect(() => table.writing(fail)).toThrow('no');
  expect(table.all()).toEqual([]);
});
