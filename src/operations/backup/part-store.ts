import { createHash, hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, gunzipSync, gzipSync } from 'node:zlib';
import { damaged } from '../../maintain/backup/tar/header.ts';
import { systemCode } from '../../model/errors.ts';

const UNFINISHED = '.new';
/** Packed parts up to this size are read at once: a stream takes longer to set up than that. */
const SMALL_BYTES = 512 * 1024;

/** Contents by their hash, each packed in a file of its own: what two backups hold is there once. */
export class PartStore {
  readonly folder: string;
  readonly #known: Set<string>;
  /** What was added since it was opened. */
  readonly added: string[] = [];

  private constructor(folder: string, known: Set<string>) {
    this.folder = folder;
    this.#known = known;
  }

  static open(folder: string): PartStore {
    const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    return new PartStore(folder, new Set(names.filter((name) => !name.endsWith(UNFINISHED))));
  }

  get count(): number {
    return this.#known.size;
  }

  has(sha256: string): boolean {
    return this.#known.has(sha256);
  }

  add(bytes: Buffer): string {
    const sha256 = hash('sha256', bytes);
    if (this.has(sha256)) return sha256;
    this.#makeFolder();
    const unfinished = this.#unfinished();
    fs.writeFileSync(unfinished, gzipSync(bytes), { mode: 0o600, flush: true });
    this.#settle(unfinished, sha256);
    return sha256;
  }

  /** As `add`, for what is too large to be held in memory; `size` is what was read. */
  async addStream(content: AsyncIterable<Buffer>): Promise<{ readonly sha256: string; readonly size: number }> {
    this.#makeFolder();
    const unfinished = this.#unfinished();
    const digest = createHash('sha256');
    let size = 0;
    async function* watched(): AsyncGenerator<Buffer> {
      for await (const piece of content) {
        digest.update(piece);
        size += piece.length;
        yield piece;
      }
    }
    // Large parts are packs of git and old segments of the journal: trying hard to make them smaller is wasted.
    const target = fs.createWriteStream(unfinished, { mode: 0o600, flush: true });
    await pipeline(watched(), createGzip({ level: 1 }), target);
    const sha256 = digest.digest('hex');
    if (this.has(sha256)) fs.rmSync(unfinished, { force: true });
    else this.#settle(unfinished, sha256);
    return { sha256, size };
  }

  /** A small part, whole. */
  read(sha256: string): Buffer {
    try {
      const bytes = gunzipSync(fs.readFileSync(this.#file(sha256)));
      if (hash('sha256', bytes) === sha256) return bytes;
    } catch (error) {
      throw this.#lost(sha256, error);
    }
    throw this.#lost(sha256);
  }

  /** Unpacks a part into a file, or nowhere, and compares it. Returns how many bytes it has. */
  async unpack(sha256: string, target?: string): Promise<number> {
    const packed = fs.statSync(this.#file(sha256), { throwIfNoEntry: false });
    if (packed !== undefined && packed.size <= SMALL_BYTES) {
      const bytes = this.read(sha256);
      if (target !== undefined) fs.writeFileSync(target, bytes, { flag: 'wx', mode: 0o600 });
      return bytes.length;
    }
    const digest = createHash('sha256');
    let size = 0;
    const descriptor = target === undefined ? undefined : fs.openSync(target, 'wx', 0o600);
    try {
      const source = fs.createReadStream(this.#file(sha256));
      await pipeline(source, createGunzip(), async (pieces: AsyncIterable<Buffer>) => {
        for await (const piece of pieces) {
          digest.update(piece);
          size += piece.length;
          if (descriptor !== undefined) fs.writeSync(descriptor, piece);
        }
      });
    } catch (error) {
      throw this.#lost(sha256, error);
    } finally {
      if (descriptor !== undefined) fs.closeSync(descriptor);
    }
    if (digest.digest('hex') !== sha256) throw this.#lost(sha256);
    return size;
  }

  /** As `unpack` without a target. A part that went bad goes, so that the next backup makes it anew of the home. */
  async unpackOrDrop(sha256: string): Promise<number> {
    try {
      return await this.unpack(sha256);
    } catch (error) {
      fs.rmSync(this.#file(sha256), { force: true });
      this.#known.delete(sha256);
      throw error;
    }
  }

  /** Removes what nobody needs, and what a crash left unfinished. */
  keepOnly(needed: ReadonlySet<string>): number {
    if (!fs.existsSync(this.folder)) return 0;
    const gone = fs.readdirSync(this.folder).filter((name) => !needed.has(name));
    for (const name of gone) {
      fs.rmSync(path.join(this.folder, name), { force: true });
      this.#known.delete(name);
    }
    return gone.length;
  }

  #makeFolder(): void {
    if (this.#known.size === 0) fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  #settle(unfinished: string, sha256: string): void {
    fs.renameSync(unfinished, this.#file(sha256));
    this.#known.add(sha256);
    this.added.push(sha256);
  }

  #file(sha256: string): string {
    return path.join(this.folder, sha256);
  }

  #unfinished(): string {
    return path.join(this.folder, `${process.pid}${UNFINISHED}`);
  }

  #lost(sha256: string, cause?: unknown): Error {
    const what = systemCode(cause) === 'ENOENT' ? 'is missing' : 'is not what was backed up';
    return damaged(`the part ${path.join(this.folder, sha256)} ${what}`, cause);
  }
}
