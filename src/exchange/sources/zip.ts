import fs from 'node:fs';
import zlib from 'node:zlib';
import { errorMessage, MnemeError } from '../../model/errors.ts';
import type { SourceFile } from './open-source.ts';
import { readDirectory, readLocal, type ZipEntry } from './zip-directory.ts';

/** An entry of an archive that is not read, and the reason. */
export interface RefusedEntry {
  readonly name: string;
  readonly why: string;
}

export interface ZipArchive {
  readonly files: readonly SourceFile[];
  readonly refused: readonly RefusedEntry[];
  /** Its end is missing: what is there was found entry by entry. */
  readonly isCutOff: boolean;
}

const STORED = 0;
const DEFLATED = 8;

/** Text packs ten or twenty times; what packs hundreds of times was made to fill a memory. */
const MAX_RATIO = 250;
/** Below this, however well packed, nothing is filled. */
const HARMLESS_BYTES = 16 * 1024 * 1024;
const MAX_ENTRIES = 200_000;
const CHUNK_BYTES = 256 * 1024;

/** Whether a file begins as such archives do. */
export function isZip(start: Uint8Array): boolean {
  return start[0] === 0x50 && start[1] === 0x4b && (start[2] === 0x03 || start[2] === 0x05);
}

/**
 * Opens an archive without unpacking it to the disk: names in it can lead nowhere, and nothing is held but what is being
 * read. Entries that lie about their size, name a place outside or cannot be read are refused one by one.
 */
export async function openZip(archive: string): Promise<ZipArchive> {
  const descriptor = fs.openSync(archive, 'r');
  try {
    const { size } = fs.fstatSync(descriptor);
    const directory = readDirectory(descriptor, size);
    const entries = directory ?? (await walkEntries(archive, descriptor, size));
    if (entries.length > MAX_ENTRIES) {
      throw new MnemeError('refused', `${archive} has more than ${MAX_ENTRIES.toLocaleString('en')} entries.`, {
        hint: 'Unpack what you need of it, and import that folder.',
      });
    }
    return { ...sortOut(archive, descriptor, entries, size), isCutOff: directory === undefined };
  } finally {
    fs.closeSync(descriptor);
  }
}

function sortOut(
  archive: string,
  descriptor: number,
  entries: readonly ZipEntry[],
  size: number,
): Pick<ZipArchive, 'files' | 'refused'> {
  const files: SourceFile[] = [];
  const refused: RefusedEntry[] = [];
  let lastEnd = 0;
  for (const entry of [...entries].sort((a, b) => a.at - b.at)) {
    if (entry.name.endsWith('/')) continue;
    const why = entry.at < lastEnd ? 'it overlaps another entry' : objection(entry);
    const local = why === undefined ? readLocal(descriptor, entry.at) : undefined;
    if (local === undefined || local.dataAt > size) {
      refused.push({ name: entry.name, why: why ?? 'its data is not there' });
      continue;
    }
    lastEnd = local.dataAt + entry.packedBytes;
    files.push(toFile(archive, entry, local.dataAt));
  }
  return { files, refused };
}

function objection(entry: ZipEntry): string | undefined {
  const segments = entry.name.replaceAll('\\', '/').split('/');
  if (entry.name.startsWith('/') || /^[a-z]:/iu.test(entry.name) || segments.includes('..') || entry.name === '') {
    return 'its name leads out of the archive';
  }
  if (entry.name.includes('\0')) return 'its name has a NUL byte';
  if (entry.isLink) return 'it is a link';
  if (entry.isEncrypted) return 'it is encrypted';
  if (entry.method !== STORED && entry.method !== DEFLATED) return 'it is packed in an unknown way';
  if (entry.bytes > HARMLESS_BYTES && entry.bytes > entry.packedBytes * MAX_RATIO) {
    return `it claims to unpack to more than ${MAX_RATIO} times its size`;
  }
  return undefined;
}

function toFile(archive: string, entry: ZipEntry, dataAt: number): SourceFile {
  const relative = entry.name
    .replaceAll('\\', '/')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
  return {
    relative,
    name: relative.split('/').at(-1) ?? relative,
    size: entry.bytes,
    mtimeMs: entry.mtimeMs,
    open: (from = 0) => readEntry(archive, entry, dataAt, from),
  };
}

async function* readEntry(archive: string, entry: ZipEntry, dataAt: number, from: number): AsyncGenerator<Buffer> {
  const packed = fs.createReadStream(archive, {
    start: dataAt,
    end: dataAt + entry.packedBytes - 1,
    highWaterMark: CHUNK_BYTES,
  });
  if (entry.packedBytes === 0) return;
  const unpacked = entry.method === STORED ? packed : packed.pipe(zlib.createInflateRaw({ chunkSize: CHUNK_BYTES }));
  packed.on('error', (error) => unpacked.destroy(error));
  let position = 0;
  let crc = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      if (position + chunk.length > entry.bytes) throw new Error('it is longer than it says');
      crc = zlib.crc32(chunk, crc);
      const wanted = chunk.subarray(Math.min(Math.max(from - position, 0), chunk.length));
      position += chunk.length;
      if (wanted.length > 0) yield wanted;
    }
    if (position < entry.bytes) throw new Error('it ends early');
    if (crc !== entry.crc) throw new Error('its checksum is wrong');
  } catch (error) {
    throw new MnemeError('integrity', `${entry.name} in ${archive} cannot be read: ${errorMessage(error)}.`, {
      hint: 'The archive is damaged; download it again.',
      cause: error,
    });
  } finally {
    packed.destroy();
  }
}

/** Without a directory, entries are found one behind the other; the last may be cut off. */
async function walkEntries(archive: string, descriptor: number, size: number): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  for (let at = 0; at < size && entries.length < MAX_ENTRIES;) {
    const local = readLocal(descriptor, at);
    if (local === undefined) break;
    const { dataAt, ...entry } = local;
    if (entry.packedBytes > 0 || entry.method === STORED) {
      entries.push({ ...entry, packedBytes: Math.min(entry.packedBytes, size - dataAt) });
      at = dataAt + entry.packedBytes;
      continue;
    }
    const measured = await measure(archive, dataAt);
    entries.push({ ...entry, ...measured });
    // Behind the data: a signature that may be missing, checksum and two sizes.
    const tail = [16, 12].find((length) => readLocal(descriptor, dataAt + measured.packedBytes + length) !== undefined);
    at = dataAt + measured.packedBytes + (tail ?? 16);
  }
  return entries;
}

async function measure(archive: string, dataAt: number): Promise<Pick<ZipEntry, 'packedBytes' | 'bytes' | 'crc'>> {
  const packed = fs.createReadStream(archive, { start: dataAt, highWaterMark: CHUNK_BYTES });
  const inflate = zlib.createInflateRaw({ chunkSize: CHUNK_BYTES });
  packed.pipe(inflate);
  let bytes = 0;
  let crc = 0;
  let isCutOff = false;
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      crc = zlib.crc32(chunk, crc);
      if (bytes > HARMLESS_BYTES && bytes > inflate.bytesWritten * MAX_RATIO) break;
    }
  } catch (error) {
    // Cut off: how much of it there is was counted, and reading it says so again.
    isCutOff = true;
    if (!(error instanceof Error)) throw error;
  } finally {
    packed.destroy();
  }
  // One byte more than there is, so that reading it tells that its end is missing.
  return { packedBytes: inflate.bytesWritten, bytes: isCutOff ? bytes + 1 : bytes, crc };
}
