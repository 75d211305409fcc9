import fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { nodeFileSystem, type SyncedFile } from '../../platform/fs.ts';
import { Journal, type JournalPosition } from './journal.ts';
import { parseFrame, serializeRecord, type JournalRecord } from './record.ts';

const START: JournalPosition = { segment: 1, offset: 0 };

function recordOf(id: string, content: Buffer | undefined = Buffer.from(`content of ${id}\n`)): JournalRecord {
  return {
    id,
    timeMs: 1,
    repository: 'workspace',
    action: 'EDIT',
    summary: id,
    actor: 'bot:test',
    files: [{ path: 'a.md', before: null, after: null }],
    contents: [content],
  };
}

function openJournal(segmentBytes?: number): { journal: Journal; folder: string; segment: (number: number) => string } {
  const folder = makeTemporaryFolder();
  const segment = (number: number): string => path.join(folder, `${String(number).padStart(12, '0')}.wal`);
  return { journal: new Journal(folder, nodeFileSystem, segmentBytes), folder, segment };
}

function idsOf(journal: Journal, from = START): string[] {
  return [...journal.read(from)].map(({ record }) => record.id);
}

describe('a record', () => {
  it('comes back as it was, whatever its bytes', () => {
    const content = fc.option(fc.uint8Array({ maxLength: 300 }), { nil: undefined });
    fc.assert(
      fc.property(fc.string(), fc.array(content, { maxLength: 5 }), fc.nat(), (summary, contents, appendedAt) => {
        const bytes = contents.map((one) => (one === undefined ? undefined : Buffer.from(one)));
        const record: JournalRecord = { ...recordOf('01'), summary, contents: bytes };
        const parsed = parseFrame(serializeRecord(record, appendedAt));
        expect(parsed).toEqual({ record, appendedAt });
      }),
    );
  });

  it('is not taken for whole when any byte of it is another', () => {
    const frame = serializeRecord(recordOf('01'), 0);
    for (const [at, byte] of frame.entries()) {
      const damaged = Buffer.from(frame);
      damaged[at] = byte ^ 0x20;
      expect(parseFrame(damaged), `byte ${at}`).toBeUndefined();
    }
  });
});

describe('the journal', () => {
  it('reads what was appended, across segments', async () => {
    const { journal } = openJournal(400);
    let end = START;
    const ids = Array.from({ length: 12 }, (_, index) => `mutation-${index}`);
    for (const id of ids) end = await journal.append([recordOf(id)], end);
    expect(journal.segments().length).toBeGreaterThan(2);
    expect(idsOf(journal)).toEqual(ids);
    expect(journal.endsAt(end)).toBe(true);
    journal.close();
  });

  it('keeps everything before a tail that is torn at any byte, and goes on behind it', async () => {
    const whole = openJournal();
    const first = await whole.journal.append([recordOf('first'), recordOf('second')], START);
    await whole.journal.append([recordOf('torn', Buffer.from('MJ1\n inside a content'))], first);
    const bytes = fs.readFileSync(whole.segment(1));
    for (let size = first.offset; size < bytes.length; size += 1) {
      for (const rest of [Buffer.alloc(0), Buffer.alloc(bytes.length - size)]) {
        const { journal, segment } = openJournal();
        fs.writeFileSync(segment(1), Buffer.concat([bytes.subarray(0, size), rest]));
        expect(idsOf(journal), `torn at ${size}`).toEqual(['first', 'second']);
        journal.truncate(first);
        await journal.append([recordOf('next')], first);
        expect(idsOf(journal)).toEqual(['first', 'second', 'next']);
        journal.close();
      }
    }
  });

  it('takes a batch whose first record is torn for a torn tail, though the second is whole', async () => {
    const { journal, segment } = openJournal();
    const end = await journal.append([recordOf('first')], START);
    await journal.append([recordOf('torn'), recordOf('whole')], end);
    overwrite(segment(1), end.offset + 20, 'xxxx');
    expect(idsOf(journal)).toEqual(['first']);
    journal.close();
  });

  it('reports damage before something that was appended later, instead of dropping what follows', async () => {
    const { journal, segment } = openJournal();
    const first = await journal.append([recordOf('first')], START);
    const second = await journal.append([recordOf('second')], first);
    await journal.append([recordOf('third')], second);
    overwrite(segment(1), first.offset + 20, 'xxxx');
    expect(() => idsOf(journal)).toThrow(expect.objectContaining({ code: 'integrity' }));
    journal.close();
  });

  it('reports damage in an earlier segment', async () => {
    const { journal, segment } = openJournal(10);
    const end = await journal.append([recordOf('first')], START);
    await journal.append([recordOf('second')], end);
    overwrite(segment(1), 20, 'xxxx');
    expect(() => idsOf(journal)).toThrow(expect.objectContaining({ code: 'integrity' }));
    journal.close();
  });

  it('forgets a segment that holds nothing but a torn record', async () => {
    const { journal, segment } = openJournal(10);
    const end = await journal.append([recordOf('first')], START);
    fs.writeFileSync(segment(2), serializeRecord(recordOf('torn'), 0).subarray(0, 30));
    expect(idsOf(journal)).toEqual(['first']);
    journal.truncate(end);
    expect(journal.segments()).toEqual([1]);
    expect(journal.endsAt(end)).toBe(true);
    journal.close();
  });

  it('leaves nothing of an append that failed', async () => {
    const { folder } = openJournal();
    let isFull = false;
    const journal = new Journal(folder, {
      ...nodeFileSystem,
      open: (file) => {
        const opened = nodeFileSystem.open(file);
        const sync = (): Promise<void> => (isFull ? Promise.reject(new Error('no space')) : opened.sync());
        return { ...wrap(opened), sync };
      },
    });
    const end = await journal.append([recordOf('first')], START);
    isFull = true;
    await expect(journal.append([recordOf('refused')], end)).rejects.toThrow('no space');
    expect(journal.endsAt(end)).toBe(true);
    isFull = false;
    await journal.append([recordOf('second')], end);
    expect(idsOf(journal)).toEqual(['first', 'second']);
    journal.close();
  });

  it('names the segments that may go: wholly before a position, and old enough', async () => {
    const { journal, segment } = openJournal(10);
    let end = START;
    for (const id of ['first', 'second', 'third']) end = await journal.append([recordOf(id)], end);
    fs.utimesSync(segment(1), 1000, 1000);
    expect(journal.segmentsBefore(end)).toEqual([1, 2]);
    expect(journal.segmentsBefore({ segment: 2, offset: 5 })).toEqual([1]);
    expect(journal.segmentsBefore(end, 2_000_000)).toEqual([1]);
    journal.remove(journal.segmentsBefore(end));
    expect(idsOf(journal, journal.start())).toEqual(['third']);
    journal.close();
  });
});

function overwrite(file: string, position: number, text: string): void {
  const descriptor = fs.openSync(file, 'r+');
  fs.writeSync(descriptor, text, position);
  fs.closeSync(descriptor);
}

/** Methods of a class with private fields work only on the instance itself. */
function wrap(file: SyncedFile): SyncedFile {
  return {
    size: () => file.size(),
    read: (position, length) => file.read(position, length),
    write: (bytes, position) => file.write(bytes, position),
    truncate: (size) => file.truncate(size),
    sync: () => file.sync(),
    close: () => file.close(),
  };
}

describe('an error of the journal', () => {
  it('says which file and where', async () => {
    const { journal, segment } = openJournal();
    const first = await journal.append([recordOf('first')], START);
    await journal.append([recordOf('second')], first);
    overwrite(segment(1), 14, 'xxxx');
    expect(() => idsOf(journal)).toThrow(`${segment(1)} at byte 0`);
    journal.close();
  });
});
