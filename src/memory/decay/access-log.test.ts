import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { AccessLog } from './access-log.ts';

const march = Date.UTC(2026, 2, 5);
const april = Date.UTC(2026, 3, 5);

function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name)] : []));
}

describe('AccessLog', () => {
  it('counts uses over processes and devices, and keeps the latest time', () => {
    const folder = makeTemporaryFolder();
    const here = new AccessLog(nodeFileSystem, folder, 'here');
    const there = new AccessLog(nodeFileSystem, folder, 'there');
    here.recordUses('reply', march, ['a']);
    expect(here.readUses().get('a')).toEqual({ count: 1, lastMs: march });
    there.recordUses('reference', april, ['a']);
    there.recordUses('link', march, ['a']);
    expect(here.readUses().get('a')).toEqual({ count: 3, lastMs: april });
    expect(here.readUses().get('b')).toBeUndefined();
  });

  it('does not take being listed for being used', () => {
    const log = new AccessLog(nodeFileSystem, makeTemporaryFolder(), 'here');
    log.recordListing({ time: march, query: 'q', mode: 'hybrid', hits: [{ id: 'a', score: 0.7 }] });
    expect(log.readUses().get('a')).toBeUndefined();
  });

  it('lets go of answers that are over a year old, and of the older half of too many', async () => {
    const folder = makeTemporaryFolder();
    const log = new AccessLog(nodeFileSystem, folder, 'here');
    const yearLater = Date.UTC(2027, 2, 31);
    const listed = (time: number, query: string) => ({ time, query, mode: 'hybrid', hits: [{ id: 'a', score: 1 }] });
    log.recordListing(listed(march, 'over a year ago'));
    log.recordListing(listed(Date.UTC(2026, 1, 28), 'long before'));
    log.recordListing(listed(yearLater, 'first'));
    const file = filesBelow(folder).find((name) => name.includes('2027')) ?? '';
    fs.appendFileSync(file, `${' '.repeat(33 * 1024 * 1024)}\n`);
    log.recordListing(listed(yearLater, 'last'));
    await log.compact(yearLater);
    expect(log.listingsOf('a', 10).map(({ query }) => query)).toEqual(['last', 'over a year ago']);
    expect(fs.statSync(file).size).toBeLessThan(1000);
    await log.compact(Date.UTC(2027, 3, 1));
    expect(log.listingsOf('a', 10).map(({ query }) => query)).toEqual(['last']);
  });

  it('remembers questions with their scores, the latest first', () => {
    const log = new AccessLog(nodeFileSystem, makeTemporaryFolder(), 'here');
    log.recordListing({ time: march, query: 'first', mode: 'hybrid', hits: [{ id: 'a', score: 0.7 }] });
    log.recordListing({ time: march, query: 'other', mode: 'hybrid', hits: [{ id: 'b', score: 0.6 }] });
    log.recordListing({ time: april, query: 'second', mode: 'scan', hits: [{ id: 'a', score: 0.5 }] });
    expect(log.listingsOf('a', 10).map(({ query, hits }) => [query, hits[0]?.score])).toEqual([
      ['second', 0.5],
      ['first', 0.7],
    ]);
    expect(log.listingsOf('a', 1)).toHaveLength(1);
  });

  it('passes over a line that a crash tore, and starts again when something was erased', () => {
    const folder = makeTemporaryFolder();
    const log = new AccessLog(nodeFileSystem, folder, 'here');
    for (const id of ['a', 'a', 'b']) log.recordUses('reply', march, [id]);
    expect(log.readUses().get('a')?.count).toBe(2);
    const [file = ''] = filesBelow(folder);
    const [first = ''] = fs.readFileSync(file, 'utf8').split('\n');
    fs.writeFileSync(file, `${first}\n{"time":1,"ki`);
    expect(log.readUses().get('a')?.count).toBe(1);
    expect(log.readUses().get('b')).toBeUndefined();
  });

  it('keeps the beginning of a pasted question, and names no machine', () => {
    const folder = makeTemporaryFolder();
    const log = new AccessLog(nodeFileSystem, folder, 'anna-laptop');
    log.recordListing({ time: march, query: 'x'.repeat(5000), mode: 'hybrid', hits: [{ id: 'a', score: 1 }] });
    expect(log.listingsOf('a', 1)[0]?.query).toHaveLength(500);
    expect(filesBelow(folder).join('\n')).not.toContain('anna');
  });
});
