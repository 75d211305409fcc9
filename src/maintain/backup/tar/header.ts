import { MnemeError } from '../../../model/errors.ts';

/** The tar format (POSIX 1003.1, ustar with pax records): every tool can unpack a backup when Mneme is gone. */

export const BLOCK_BYTES = 512;

/** The largest number in eleven octal digits; a larger file needs a pax record. */
const MAX_OCTAL_SIZE = 8 ** 11 - 1;
const MAX_NAME_BYTES = 100;
const MAX_MTIME_SECONDS = 8 ** 11 - 1;

export interface TarEntry {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
}

/** The blocks that stand before an entry's content. */
export function serializeHeader(entry: TarEntry): Buffer {
  const isPlain = /^[\x20-\x7E]+$/u.test(entry.path) && entry.path.length <= MAX_NAME_BYTES;
  const records = {
    ...(isPlain ? {} : { path: entry.path }),
    ...(entry.size <= MAX_OCTAL_SIZE ? {} : { size: String(entry.size) }),
  };
  const own = headerBlock({ ...entry, path: isPlain ? entry.path : shortName(entry.path) }, '0');
  if (Object.keys(records).length === 0) return own;
  const body = Buffer.concat(Object.entries(records).map(([key, value]) => paxRecord(key, value)));
  const pax = headerBlock({ path: 'PaxHeader', size: body.length, mode: 0o644, mtimeMs: entry.mtimeMs }, 'x');
  return Buffer.concat([pax, body, Buffer.alloc(paddingOf(body.length)), own]);
}

/** Zeros that fill the last block of a content. */
export function paddingOf(size: number): number {
  return (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
}

/** Two empty blocks end an archive. */
export const ARCHIVE_END = Buffer.alloc(2 * BLOCK_BYTES);

/** Only for tools that do not know pax; ours never reads it. */
function shortName(path: string): string {
  return path.replaceAll(/[^\x20-\x7E]/gu, '_').slice(-MAX_NAME_BYTES);
}

function headerBlock({ path, size, mode, mtimeMs }: TarEntry, type: '0' | 'x'): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, at: number, length: number): void => {
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, length, 'latin1');
  };
  block.write(path, 0, MAX_NAME_BYTES, 'latin1');
  octal(mode & 0o777, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(Math.min(size, MAX_OCTAL_SIZE), 124, 12);
  octal(Math.min(Math.max(0, Math.floor(mtimeMs / 1000)), MAX_MTIME_SECONDS), 136, 12);
  block.write(type, 156, 1, 'latin1');
  block.write('ustar\u000000', 257, 8, 'latin1');
  block.write(`${checksumOf(block).toString(8).padStart(6, '0')}\0 `, 148, 8, 'latin1');
  return block;
}

/** The sum of all bytes, its own field counted as spaces. */
function checksumOf(block: Buffer): number {
  let sum = 0;
  for (let at = 0; at < BLOCK_BYTES; at += 1) sum += at >= 148 && at < 156 ? 32 : (block[at] ?? 0);
  return sum;
}

/** `LENGTH key=value\n`, where the length counts its own digits too. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`, 'utf8');
}

export interface ParsedHeader extends TarEntry {
  readonly type: string;
}

/** Undefined for the empty block that ends an archive. */
export function parseHeader(block: Buffer): ParsedHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  const text = (at: number, length: number): string => {
    const field = block.toString('utf8', at, at + length);
    const end = field.indexOf('\0');
    return end === -1 ? field : field.slice(0, end);
  };
  const octal = (at: number, length: number): number => {
    const digits = text(at, length).trim();
    if (!/^[0-7]*$/u.test(digits)) throw damaged('a number in a header is none');
    return digits === '' ? 0 : Number.parseInt(digits, 8);
  };
  if (octal(148, 8) !== checksumOf(block)) throw damaged('a header does not add up');
  const prefix = text(345, 155);
  const name = text(0, MAX_NAME_BYTES);
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    mode: octal(100, 8) & 0o777,
    size: octal(124, 12),
    mtimeMs: octal(136, 12) * 1000,
    type: text(156, 1) || '0',
  };
}

export function parsePax(body: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(0x20, at);
    const length = Number(body.toString('latin1', at, Math.max(at, space)));
    const equals = body.indexOf(0x3d, space);
    if (!Number.isInteger(length) || length <= 0 || equals === -1 || at + length > body.length) {
      throw damaged('an extended header cannot be read');
    }
    records.set(body.toString('utf8', space + 1, equals), body.toString('utf8', equals + 1, at + length - 1));
    at += length;
  }
  return records;
}

export function damaged(what: string, cause?: unknown): MnemeError {
  return new MnemeError('integrity', `The archive is damaged: ${what}.`, {
    hint: 'Use another backup: `mneme backup list`.',
    cause,
  });
}
