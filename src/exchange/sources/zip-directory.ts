import fs from 'node:fs';

/** An entry as the archive's directory, or the header before its data, describes it. */
export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly isLink: boolean;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly mtimeMs: number;
  /** Where its local header begins. */
  readonly at: number;
}

const END = 0x06054b50;
const END_64_LOCATOR = 0x07064b50;
const END_64 = 0x06064b50;
const CENTRAL = 0x02014b50;
export const LOCAL = 0x04034b50;

const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
/** A directory of this size has millions of entries; nobody's export has. */
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024;

const LINK_MODE = 0o120_000;
const MODE_MASK = 0o170_000;

/** Reads an archive's directory; undefined when it has none, because its end is missing. */
export function readDirectory(descriptor: number, size: number): ZipEntry[] | undefined {
  const tailAt = Math.max(0, size - END_BYTES - MAX_COMMENT_BYTES);
  const tail = readAt(descriptor, tailAt, size - tailAt);
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end === -1 || end + END_BYTES > tail.length || tail.readUInt32LE(end) !== END) return undefined;
  let count = tail.readUInt16LE(end + 10);
  let bytes = tail.readUInt32LE(end + 12);
  let at = tail.readUInt32LE(end + 16);
  if (count === 0xffff || bytes === 0xffff_ffff || at === 0xffff_ffff) {
    const large = readLargeEnd(descriptor, tail, end);
    if (large !== undefined) ({ count, bytes, at } = large);
  }
  if (bytes > MAX_DIRECTORY_BYTES || at + bytes > size) return undefined;
  const directory = readAt(descriptor, at, bytes);
  const entries: ZipEntry[] = [];
  for (let position = 0; entries.length < count && position + 46 <= directory.length;) {
    if (directory.readUInt32LE(position) !== CENTRAL) break;
    const { entry, next } = readCentral(directory, position);
    entries.push(entry);
    position = next;
  }
  return entries;
}

function readLargeEnd(
  descriptor: number,
  tail: Buffer,
  end: number,
): { readonly count: number; readonly bytes: number; readonly at: number } | undefined {
  const locator = end - 20;
  if (locator < 0 || tail.readUInt32LE(locator) !== END_64_LOCATOR) return undefined;
  const record = readAt(descriptor, Number(tail.readBigUInt64LE(locator + 8)), 56);
  if (record.length < 56 || record.readUInt32LE(0) !== END_64) return undefined;
  return {
    count: Number(record.readBigUInt64LE(32)),
    bytes: Number(record.readBigUInt64LE(40)),
    at: Number(record.readBigUInt64LE(48)),
  };
}

function readCentral(directory: Buffer, at: number): { readonly entry: ZipEntry; readonly next: number } {
  const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
  const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
  const next = extraEnd + directory.readUInt16LE(at + 32);
  const sizes = largeSizes(directory.subarray(nameEnd, extraEnd), [
    directory.readUInt32LE(at + 24),
    directory.readUInt32LE(at + 20),
    directory.readUInt32LE(at + 42),
  ]);
  const [bytes = 0, packedBytes = 0, localAt = 0] = sizes;
  const entry = {
    name: directory.subarray(at + 46, nameEnd).toString('utf8'),
    method: directory.readUInt16LE(at + 10),
    isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
    isLink: ((directory.readUInt32LE(at + 38) >>> 16) & MODE_MASK) === LINK_MODE,
    crc: directory.readUInt32LE(at + 16),
    packedBytes,
    bytes,
    mtimeMs: dosTime(directory.readUInt16LE(at + 14), directory.readUInt16LE(at + 12)),
    at: localAt,
  };
  return { entry, next };
}

/** Sizes and places beyond 4 GB stand in an extra field, in this order, those that need it only. */
function largeSizes(extra: Buffer, small: readonly number[]): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let position = at + 4;
    return small.map((value) => {
      if (value !== 0xffff_ffff || position + 8 > extra.length) return value;
      position += 8;
      return Number(extra.readBigUInt64LE(position - 8));
    });
  }
  return [...small];
}

/** A header before an entry's data; its sizes are zero when they were written behind the data. */
export function readLocal(descriptor: number, at: number): (ZipEntry & { readonly dataAt: number }) | undefined {
  const header = readAt(descriptor, at, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== LOCAL) return undefined;
  const nameBytes = header.readUInt16LE(26);
  const flags = header.readUInt16LE(6);
  return {
    name: readAt(descriptor, at + 30, nameBytes).toString('utf8'),
    method: header.readUInt16LE(8),
    isEncrypted: (flags & 1) === 1,
    isLink: false,
    crc: header.readUInt32LE(14),
    packedBytes: header.readUInt32LE(18),
    bytes: header.readUInt32LE(22),
    mtimeMs: dosTime(header.readUInt16LE(12), header.readUInt16LE(10)),
    at,
    dataAt: at + 30 + nameBytes + header.readUInt16LE(28),
  };
}

/** Days of the calendar as the format packs them, taken as UTC: no zone is told. */
function dosTime(date: number, time: number): number {
  const [year, month, day] = [1980 + (date >> 9), (date >> 5) & 15, date & 31];
  return Date.UTC(year, Math.max(month, 1) - 1, Math.max(day, 1), time >> 11, (time >> 5) & 63, (time & 31) * 2);
}

export function readAt(descriptor: number, at: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const count = fs.readSync(descriptor, buffer, filled, length - filled, at + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}
