import path from 'node:path';
import { MnemeError } from '../model/errors.ts';
import type { FileSystem, SyncedFile } from '../platform/fs.ts';

/** Session ids become file names. */
const LOG_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/**
 * An append-only log of JSON lines under `journal/`: what is still happening. An appended entry is durable when the
 * promise resolves; a torn last line, the trace of a crash, was never acknowledged and is cut off when the log opens.
 */
export class LiveLog {
  readonly #file: SyncedFile;
  readonly #fs: FileSystem;
  readonly #path: string;
  #end: number;
  #queue: Promise<void> = Promise.resolve();

  private constructor(fs: FileSystem, file: SyncedFile, fullPath: string, end: number) {
    this.#fs = fs;
    this.#file = file;
    this.#path = fullPath;
    this.#end = end;
  }

  static open(fs: FileSystem, folder: string, name: string): LiveLog {
    if (!LOG_NAME.test(name)) {
      throw new MnemeError('usage', `"${name}" cannot be the name of a session.`, {
        hint: 'Use letters, digits, dot, dash and underscore, at most 128 of them.',
      });
    }
    fs.makeDirectory(folder);
    const fullPath = path.join(folder, `${name}.jsonl`);
    const isNew = fs.stamp(fullPath) === undefined;
    const file = fs.open(fullPath);
    if (isNew) fs.syncDirectory(folder);
    const bytes = file.read(0, file.size());
    const end = bytes.lastIndexOf(0x0a) + 1;
    if (end < bytes.length) file.truncate(end);
    return new LiveLog(fs, file, fullPath, end);
  }

  /** Resolves when the entry survives a power cut. Entries keep the order of the calls. */
  append(entry: unknown): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(entry)}\n`, 'utf8');
    this.#file.write(bytes, this.#end);
    this.#end += bytes.length;
    // One sync may cover several entries, but none is reported before its own bytes are down.
    this.#queue = this.#queue.catch(() => undefined).then(() => this.#file.sync());
    return this.#queue;
  }

  entries(): unknown[] {
    const text = this.#file.read(0, this.#end).toString('utf8');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line));
  }

  async close(): Promise<void> {
    await this.#queue;
    this.#file.close();
  }

  /** Closes and deletes the log, after its content has found its final place. */
  async remove(): Promise<void> {
    await this.close();
    this.#fs.remove(this.#path);
  }
}

export function listLiveLogs(fs: FileSystem, folder: string): string[] {
  return fs
    .list(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length))
    .sort();
}
