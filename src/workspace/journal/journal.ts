import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import type { FileSystem, SyncedFile } from '../../platform/fs.ts';
import {
  FRAME_OVERHEAD,
  type JournalRecord,
  MAGIC,
  findRecordFault,
  frameLength,
  parseFrame,
  serializeRecord,
} from './record.ts';

/** A place between two records. */
export interface JournalPosition {
  readonly segment: number;
  readonly offset: number;
}

export interface JournalEntry {
  readonly record: JournalRecord;
  readonly end: JournalPosition;
}

/** A whole frame whose record must not be followed, and why. */
export interface RefusedEntry {
  readonly fault: string;
  readonly start: JournalPosition;
  readonly end: JournalPosition;
}

/** Past this size a new segment starts, so that what is durable elsewhere can be dropped by deleting whole files. */
export const SEGMENT_BYTES = 4 * 1024 * 1024;

const SEGMENT_NAME = /^(\d{12})\.wal$/;

export function comparePositions(a: JournalPosition, b: JournalPosition): number {
  return a.segment - b.segment || a.offset - b.offset;
}

/** For those who only note how far they have come. */
export function positionText({ segment, offset }: JournalPosition): string {
  return `${segment}:${offset}`;
}

/**
 * The write-ahead journal: numbered segment files of framed records. It knows nothing of locks; whoever appends holds
 * the write lock and says where the end is, so that garbage behind it (a torn write) is overwritten.
 */
export class Journal {
  readonly #directory: string;
  readonly #fs: FileSystem;
  readonly #segmentBytes: number;
  #open: { segment: number; file: SyncedFile } | undefined;

  constructor(directory: string, fs: FileSystem, segmentBytes = SEGMENT_BYTES) {
    this.#directory = directory;
    this.#fs = fs;
    this.#segmentBytes = segmentBytes;
    fs.makeDirectory(directory);
  }

  segments(): number[] {
    const numbers: number[] = [];
    for (const name of this.#fs.list(this.#directory)) {
      const match = SEGMENT_NAME.exec(name);
      if (match !== null) numbers.push(Number(match[1]));
    }
    return numbers.sort((a, b) => a - b);
  }

  /** The first position that can be read. */
  start(): JournalPosition {
    return { segment: this.segments()[0] ?? 1, offset: 0 };
  }

  totalBytes(): number {
    return this.segments().reduce((sum, segment) => sum + (this.#fs.stamp(this.#segmentPath(segment))?.size ?? 0), 0);
  }

  /** Whether the journal goes as far as a position: not so after it was replaced by an older copy or made anew. */
  reaches(position: JournalPosition): boolean {
    const size = this.#fs.stamp(this.#segmentPath(position.segment))?.size;
    return size === undefined ? position.offset === 0 && this.segments().length === 0 : size >= position.offset;
  }

  /** Whether nothing was written behind a position: what an interrupted append leaves is found by this. */
  endsAt(position: JournalPosition): boolean {
    const size = this.#fs.stamp(this.#segmentPath(position.segment))?.size ?? 0;
    return size === position.offset && this.#fs.stamp(this.#segmentPath(position.segment + 1)) === undefined;
  }

  /** Appends records at `end`, makes them durable, and returns the new end. */
  async append(records: readonly JournalRecord[], end: JournalPosition): Promise<JournalPosition> {
    for (const record of records) refuseUnreadable(record);
    let { segment, offset } = end;
    const isNew = offset === 0 || offset >= this.#segmentBytes;
    if (offset >= this.#segmentBytes) {
      segment += 1;
      offset = 0;
    }
    const bytes = Buffer.concat(records.map((record) => serializeRecord(record, offset)));
    const file = this.#file(segment);
    try {
      file.write(bytes, offset);
      await file.sync();
      if (isNew) this.#syncNames();
    } catch (error) {
      // The caller hears that it failed; what is there of it must not come back as a mutation.
      file.truncate(offset);
      throw error;
    }
    return { segment, offset: offset + bytes.length };
  }

  /**
   * Begins an empty segment. It exists at once, so that its number is never given twice: another process may still
   * have the file of an earlier number open after that was deleted.
   */
  beginSegment(segment: number): JournalPosition {
    this.#file(segment);
    this.#syncNames();
    return { segment, offset: 0 };
  }

  /**
   * Reads records from a position to the last whole one. Damage in the middle of a segment is an integrity error, and so
   * is a record that must not be followed: whoever reads gets none that leads out of its repository.
   */
  *read(from: JournalPosition, until?: JournalPosition): Generator<JournalEntry> {
    for (const entry of this.readAll(from, until)) {
      if ('fault' in entry) throw this.#refusal(entry);
      yield entry;
    }
  }

  /** As `read`, but also tells of the records that must not be followed, so that they can be set aside. */
  *readAll(from: JournalPosition, until?: JournalPosition): Generator<JournalEntry | RefusedEntry> {
    const numbers = this.segments().filter((number) => number >= from.segment);
    for (const [index, segment] of numbers.entries()) {
      if (until !== undefined && segment > until.segment) return;
      let offset = segment === from.segment ? from.offset : 0;
      const limit = until !== undefined && until.segment === segment ? until.offset : Number.MAX_SAFE_INTEGER;
      while (offset < limit) {
        const record = this.#readAt(segment, offset);
        if (record === undefined) break;
        offset = record.end.offset;
        yield record;
      }
      const isLast = index === numbers.length - 1;
      if (offset < limit && offset < this.#file(segment).size()) this.#refuseDamage(segment, offset, isLast);
    }
  }

  /** A content by its blob id, if a record still holds it. */
  findContent(oid: string): Buffer | undefined {
    for (const { record } of this.read(this.start())) {
      const index = record.files.findIndex((change) => change.after === oid);
      if (index !== -1) return record.contents[index];
    }
    return undefined;
  }

  #readAt(segment: number, offset: number): JournalEntry | RefusedEntry | undefined {
    const file = this.#file(segment);
    const length = frameLength(file.read(offset, FRAME_OVERHEAD));
    if (length === undefined || offset + FRAME_OVERHEAD + length > file.size()) return undefined;
    const frame = parseFrame(file.read(offset, FRAME_OVERHEAD + length));
    if (frame === undefined) return undefined;
    const end = { segment, offset: offset + FRAME_OVERHEAD + length };
    const fault = 'fault' in frame ? frame.fault : findRecordFault(frame.record);
    if (fault === undefined && 'record' in frame) return { record: frame.record, end };
    return { fault: fault ?? '', start: { segment, offset }, end };
  }

  #refusal({ fault, start }: RefusedEntry): MnemeError {
    const where = `${this.#segmentPath(start.segment)}, byte ${start.offset}`;
    return new MnemeError('integrity', `The journal holds a record that must not be replayed (${where}): ${fault}.`, {
      hint:
        'Nothing was changed. Mneme writes no such records: trust this home only if you know where it comes from. ' +
        '`mneme check --repair` sets them aside and keeps all others.',
    });
  }

  /** A torn end is the trace of a crash. Damage is what stands before something that was appended later. */
  #refuseDamage(segment: number, offset: number, isLast: boolean): void {
    const isDamaged = isLast ? this.#hasLaterAppend(segment, offset) : this.#readAt(segment + 1, 0) !== undefined;
    if (!isDamaged) return;
    throw new MnemeError('integrity', `The journal is damaged in ${this.#segmentPath(segment)} at byte ${offset}.`, {
      hint: 'Restore that file from a backup, or move it away and run `mneme check`; later mutations are intact.',
    });
  }

  #hasLaterAppend(segment: number, offset: number): boolean {
    const file = this.#file(segment);
    const bytes = file.read(offset, file.size() - offset);
    for (let at = bytes.indexOf(MAGIC, 1); at !== -1; at = bytes.indexOf(MAGIC, at + 1)) {
      const length = frameLength(bytes.subarray(at, at + FRAME_OVERHEAD));
      const frame = length === undefined ? undefined : parseFrame(bytes.subarray(at, at + FRAME_OVERHEAD + length));
      if (frame !== undefined && 'record' in frame && frame.appendedAt > offset) return true;
    }
    return false;
  }

  /** Cuts off what stands behind `end`: a torn write that was never acknowledged. */
  truncate(end: JournalPosition): void {
    this.remove(this.segments().filter((segment) => segment > end.segment));
    const file = this.#file(end.segment);
    if (file.size() > end.offset) file.truncate(end.offset);
  }

  /** The segments that lie wholly before a position and, if given, were last written before a moment; oldest first. */
  segmentsBefore(position: JournalPosition, writtenBeforeMs = Number.POSITIVE_INFINITY): number[] {
    const segments = this.segments();
    const kept = segments.findIndex(
      (segment) => segment >= position.segment || this.#writtenAtMs(segment) >= writtenBeforeMs,
    );
    return kept === -1 ? segments : segments.slice(0, kept);
  }

  #writtenAtMs(segment: number): number {
    return Number((this.#fs.stamp(this.#segmentPath(segment))?.mtimeNs ?? 0n) / 1_000_000n);
  }

  /** Deletes segments; their mutations are durable elsewhere. */
  remove(segments: readonly number[]): void {
    for (const segment of segments) {
      if (this.#open?.segment === segment) this.close();
      this.#fs.remove(this.#segmentPath(segment));
    }
  }

  close(): void {
    this.#open?.file.close();
    this.#open = undefined;
  }

  #file(segment: number): SyncedFile {
    if (this.#open?.segment === segment) return this.#open.file;
    this.close();
    const file = this.#fs.open(this.#segmentPath(segment));
    this.#open = { segment, file };
    return file;
  }

  /** A new segment can be found after a power cut only if the folders that lead to it can. */
  #syncNames(): void {
    const parent = path.dirname(this.#directory);
    for (const folder of [this.#directory, parent, path.dirname(parent)]) this.#fs.syncDirectory(folder);
  }

  #segmentPath(segment: number): string {
    return path.join(this.#directory, `${String(segment).padStart(12, '0')}.wal`);
  }
}

/** Refuses a record that could not be replayed: it must not be acknowledged. */
function refuseUnreadable(record: JournalRecord): void {
  const fault = findRecordFault(record);
  if (fault === undefined) return;
  throw new MnemeError('refused', `The change cannot be recorded: ${fault}.`, { hint: 'Give the file another name.' });
}
