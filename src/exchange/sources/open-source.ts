import fs from 'node:fs';
import path from 'node:path';
import { kindOfSource, walkFiles } from '../import/lines.ts';
import type { Tally } from '../import/port.ts';
import { isZip, openZip } from './zip.ts';

export interface OpenedSource {
  readonly files: readonly SourceFile[];
  /** Whether a file was named that is no archive: then it is meant, whatever it is called. */
  readonly isFile: boolean;
  readonly isArchive: boolean;
}

/** Tools keep their own things in such folders. */
export const PRIVATE_FOLDER = /^(?:\.|node_modules$|__MACOSX$)/u;

/** Opens the file at a path, or the wanted files of a folder or archive, in the order of their names. */
export async function openSource(
  given: string,
  tally: Tally,
  isWanted: (relative: string) => boolean,
): Promise<OpenedSource> {
  if (kindOfSource(given) === 'folder') {
    const found = walkFiles(given, (_relative, name) => !PRIVATE_FOLDER.test(name));
    const files = found
      .filter(({ relative }) => isWanted(relative))
      .flatMap(({ path: full, relative }) => fileOnDisk(full, relative) ?? []);
    return { files: inOrder(files), isFile: false, isArchive: false };
  }
  if (!isZip(startOf(given))) {
    return { files: [fileOnDisk(given, path.basename(given)) ?? []].flat(), isFile: true, isArchive: false };
  }
  const archive = await openZip(given);
  for (const { name, why } of archive.refused) tally.addDamage('file', why, { file: name, at: undefined });
  if (archive.isCutOff) {
    tally.addDamage('archive', 'its end is missing; what is there was read', {
      file: path.basename(given),
      at: undefined,
    });
  }
  const files = archive.files.filter(({ relative }) => isWanted(relative) && !isPrivate(relative));
  return { files: inOrder(files), isFile: false, isArchive: true };
}

function isPrivate(relative: string): boolean {
  return relative
    .split('/')
    .slice(0, -1)
    .some((segment) => PRIVATE_FOLDER.test(segment));
}

function inOrder(files: readonly SourceFile[]): SourceFile[] {
  return [...files].sort((a, b) => (a.relative < b.relative ? -1 : 1));
}

function startOf(file: string): Buffer {
  const buffer = Buffer.alloc(4);
  const descriptor = fs.openSync(file, 'r');
  try {
    return buffer.subarray(0, fs.readSync(descriptor, buffer, 0, buffer.length, 0));
  } finally {
    fs.closeSync(descriptor);
  }
}

/** A file to import, on the disk or inside an archive. Large ones are read piece by piece. */
export interface SourceFile {
  /** Relative to what was named, with `/`. */
  readonly relative: string;
  /** The id, where that is not its path. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Its bytes from a position on. */
  open(from?: number): AsyncIterable<Buffer>;
}

const CHUNK_BYTES = 1024 * 1024;

/** A file on the disk, or undefined when it is gone meanwhile. */
export function fileOnDisk(full: string, relative: string): SourceFile | undefined {
  const stat = fs.statSync(full, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) return undefined;
  return {
    relative,
    name: relative.split('/').at(-1) ?? relative,
    size: stat.size,
    mtimeMs: Math.floor(stat.mtimeMs),
    open: (from = 0) => fs.createReadStream(full, { start: from, highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>,
  };
}

/** The whole of a small file; undefined when it is larger than it may be. */
export async function readSmall(file: SourceFile, maxBytes: number): Promise<Buffer | undefined> {
  if (file.size > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file.open()) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The beginning of a file, to tell what it is. */
export async function readStart(file: SourceFile, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of file.open()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(chunks).subarray(0, bytes);
}
