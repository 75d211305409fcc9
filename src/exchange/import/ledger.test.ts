import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { ImportLedger, type SessionRecord } from './ledger.ts';

const RECORD: SessionRecord = { origin: 'codex:a', path: 'conversations/a.md', turns: 2, keys: [1, 2], topic: 'A' };

function open(folder: string, written: readonly string[] = []): ImportLedger {
  const ledger = new ImportLedger(folder, nodeFileSystem, (file) => written.includes(file));
  ledger.refresh();
  return ledger;
}

describe('the record of imports', () => {
  it('remembers sessions over all their imports', async () => {
    const folder = makeTemporaryFolder();
    const ledger = open(folder);
    await ledger.announce('1', [RECORD]);
    await ledger.confirm('1', [RECORD]);
    const more = { ...RECORD, path: 'conversations/b.md', turns: 1, keys: [3], topic: 'B' };
    await ledger.announce('2', [more]);
    await ledger.confirm('2', [more]);
    for (const one of [ledger, open(folder)]) {
      expect(one.session('codex:a')).toEqual({ parts: 2, turns: 3, topic: 'A', position: undefined });
      expect([1, 2, 3, 4].map((key) => one.isKnown(key))).toEqual([true, true, true, false]);
    }
  });

  it('believes what was announced before a crash only where the transcript is there', async () => {
    const folder = makeTemporaryFolder();
    await open(folder).announce('1', [RECORD]);
    expect(open(folder).session('codex:a')).toBeUndefined();
    expect(open(folder, ['conversations/a.md']).session('codex:a')?.turns).toBe(2);
  });

  it('outlives a line that a crash tore', async () => {
    const folder = makeTemporaryFolder();
    const file = path.join(folder, 'imports.jsonl');
    const first = open(folder);
    await first.announce('1', [RECORD]);
    fs.appendFileSync(file, '{"done":');
    const second = open(folder);
    const other = { ...RECORD, origin: 'codex:b' };
    await second.announce('2', [other]);
    await second.confirm('2', [other]);
    expect(open(folder).session('codex:b')?.turns).toBe(2);
    expect(open(folder).session('codex:a')).toBeUndefined();
  });

  it('notices what another process imported since, and only that', async () => {
    const folder = makeTemporaryFolder();
    const [ours, theirs] = [open(folder), open(folder)];
    await theirs.announce('1', [RECORD]);
    await theirs.confirm('1', [RECORD]);
    expect(theirs.wasOvertaken('codex:a', [1])).toBe(false);
    ours.refresh();
    expect(ours.wasOvertaken('codex:a', [])).toBe(true);
    expect(ours.wasOvertaken('codex:b', [2])).toBe(true);
    expect(ours.wasOvertaken('codex:b', [9])).toBe(false);
    expect(open(folder).wasOvertaken('codex:a', [1])).toBe(false);
  });

  it('remembers documents', async () => {
    const folder = makeTemporaryFolder();
    const document = { origin: 'markdown:n/a.md', path: 'memory/reference/n/a.md', hash: 'h', blob: 'b' };
    await open(folder).recordDocuments([document]);
    expect(open(folder).document('markdown:n/a.md')).toEqual(document);
  });

  it('remembers which folder goes where', async () => {
    const folder = makeTemporaryFolder();
    const record = { folder: 'markdown:hash', name: 'markdown:n-2', target: 'memory/reference/n-2' };
    await open(folder).recordFolder(record);
    expect(open(folder).folder('markdown:hash')).toEqual(record);
    expect([...open(folder).folders()]).toEqual([record]);
  });
});
