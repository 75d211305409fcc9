import fs from 'node:fs';

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
