import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import { MnemeError } from '../../../model/errors.ts';
import { ARCHIVE_END, paddingOf, serializeHeader, type TarEntry } from './header.ts';

export interface WrittenEntry {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** Writes a `.tar.gz`, entry after entry; it is whole and on the disk when `finish` resolves. */
export class ArchiveWriter {
  readonly #gzip: Gzip;
  readonly #done: Promise<void>;

  private constructor(file: string, level: number) {
    this.#gzip = createGzip({ level });
    this.#done = pipeline(this.#gzip, fs.createWriteStream(file, { mode: 0o600, flags: 'wx', flush: true }));
    // The next write or the end reports a failure; no caller waits for it before.
    this.#done.catch(() => undefined);
  }

  static create(file: string, level = 6): ArchiveWriter {
    return new ArchiveWriter(file, level);
  }

  async add(entry: TarEntry, content: Buffer | AsyncIterable<Buffer>): Promise<WrittenEntry> {
    await this.#write(serializeHeader(entry));
    const sha256 = createHash('sha256');
    let size = 0;
    for await (const piece of Buffer.isBuffer(content) ? [content] : content) {
      sha256.update(piece);
      size += piece.length;
      await this.#write(piece);
    }
    if (size !== entry.size) {
      throw new MnemeError('conflict', `${entry.path} changed while it was being copied.`, { hint: 'Try again.' });
    }
    await this.#write(Buffer.alloc(paddingOf(size)));
    return { path: entry.path, size, sha256: sha256.digest('hex') };
  }

  async finish(): Promise<void> {
    await this.#write(ARCHIVE_END);
    this.#gzip.end();
    await this.#done;
  }

  /** Lets go of the file; what stands in it is of no use. */
  async abandon(): Promise<void> {
    this.#gzip.destroy();
    await this.#done.catch(() => undefined);
  }

  async #write(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    await Promise.race([
      new Promise<void>((resolve, reject) => {
        this.#gzip.write(bytes, (error) => {
          if (error === null || error === undefined) resolve();
          else reject(error);
        });
      }),
      // A disk that is full fails the other end of the pipe, and this end would wait for ever.
      this.#done,
    ]);
  }
}
