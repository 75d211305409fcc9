import { createHash, hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, gunzipSync, gzipSync } from 'node:zlib';
import { damaged } from '../../maintain/backup/tar/header.ts';
import { systemCode } from '../../model/errors.ts';

const UNFINISHED = '.new';
/** Larger ones are logs and tables that are stored anew every night: a fifth more room for a third of the time. */
const QUICK_BYTES = 16 * 1024;
/** Packed parts up to this size are read at once: a stream takes longer to set up than that. */
const SMALL_BYTES = 512 * 1024;

/** Contents by their hash, each packed in a file of its own: what two backups hold is there once. */
export class PartStore {
  readonly folder: string;
  /** Looked for one by one: there is one for every file there ever was, and a night needs few of them. */
  readonly #known = new Map<string, boolean>();
  /** Parts added since it was opened. */
  readonly added: string[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  static open(folder: string): PartStore {
    return new PartStore(folder);
  }

  /** Other whenever a part was added or taken away, by whomever; '' when there are none. */
  get stamp(): string {
    const stat = fs.statSync(this.folder, { throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.ino}/${stat.mtimeMs}`;
  }

  has(sha256: string): boolean {
    const known = this.#known.get(sha256) ?? fs.existsSync(this.#file(sha256));
    this.#known.set(sha256, known);
    return known;
  }

  /** `isPacked`: what would not become any smaller. */
  add(bytes: Buffer, { isPacked = false }: { readonly isPacked?: boolean } = {}): string {
    const sha256 = hash('sha256', bytes);
    if (this.has(sha256)) return sha256;
    this.#makeFolder();
    const unfinished = this.#unfinished();
    const level = isPacked ? 0 : bytes.length > QUICK_BYTES ? 1 : 6;
    fs.writeFileSync(unfinished, gzipSync(bytes, { level }), { mode: 0o600, flush: true });
    this.#settle(unfinished, sha256);
    return sha256;
  }

  /** As `add`, for packs that may be too large to be held in memory; `size` is what was read. */
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
    const target = fs.createWriteStream(unfinished, { mode: 0o600, flush: true });
    await pipeline(watched(), createGzip({ level: 0 }), target);
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

  /**
   * As `unpack` without a target. A part that went bad goes, and with it the list that names it, so that the next backup
   * makes both anew of the home.
   */
  async unpackOrDrop(sha256: string, list?: string): Promise<number> {
    try {
      return await this.unpack(sha256);
    } catch (error) {
      this.drop(sha256);
      if (list !== undefined) this.drop(list);
      throw error;
    }
  }

  drop(sha256: string): void {
    fs.rmSync(this.#file(sha256), { force: true });
    this.#known.set(sha256, false);
  }

  /** Removes what nobody needs, and what a crash left unfinished. */
  keepOnly(needed: ReadonlySet<string>): number {
    const gone = this.#names().filter((name) => !needed.has(name));
    for (const name of gone) this.drop(name);
    return gone.length;
  }

  #names(): string[] {
    return fs.existsSync(this.folder) ? fs.readdirSync(this.folder) : [];
  }

  #makeFolder(): void {
    if (this.added.length === 0) fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  #settle(unfinished: string, sha256: string): void {
    fs.renameSync(unfinished, this.#file(sha256));
    this.#known.set(sha256, true);
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
