import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import type { FileSystem } from '../../platform/fs.ts';
import { parseLines } from './use-log.ts';

/** A question and what it was answered with, kept so that `why` can say when something was last shown. */
export interface ListingRecord {
  readonly time: number;
  readonly query: string;
  readonly mode: string;
  readonly hits: readonly { readonly id: string; readonly score: number }[];
}

/** A question longer than this was pasted; its beginning is enough to recognise it. */
const MAX_QUERY_CHARACTERS = 500;
/** Whoever asks why something was shown has not waited a year to do so. */
const KEPT_MONTHS = 12;
/** Some fifty thousand answers; a server that is asked all day has as many in an hour. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

const FILE_NAME = /^listed-(\d{4}-\d{2})\.jsonl$/u;

/** What was asked on one device: a file a month, of JSON lines. */
export class ListingLog {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#folder = folder;
  }

  /** The question must have been redacted. */
  record(listing: ListingRecord): void {
    const query = listing.query.slice(0, MAX_QUERY_CHARACTERS).toWellFormed();
    const line = Buffer.from(`${JSON.stringify({ ...listing, query })}\n`);
    const file = this.#file(monthOf(listing.time));
    try {
      // Threads and other processes write here too.
      this.#fs.append(file, line);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
      this.#fs.makeDirectory(this.#folder);
      this.#fs.append(file, line);
    }
  }

  /** The months there is something of, the latest first. */
  months(): string[] {
    return this.#fs
      .list(this.#folder)
      .flatMap((name) => FILE_NAME.exec(name)?.[1] ?? [])
      .sort()
      .reverse();
  }

  /** A month's answers, the latest first. */
  read(month: string): ListingRecord[] {
    return parseLines(this.#fs.read(this.#file(month)) ?? Buffer.alloc(0)).reverse() as ListingRecord[];
  }

  /** Lets go of what is over a year old, and of the older half of a file that has grown too long. */
  async trim(nowMs: number): Promise<void> {
    const oldest = new Date(nowMs);
    oldest.setUTCDate(1);
    oldest.setUTCMonth(oldest.getUTCMonth() - KEPT_MONTHS);
    for (const month of this.months()) {
      const file = this.#file(month);
      if (month < monthOf(oldest.getTime())) this.#fs.remove(file);
      else if ((this.#fs.stamp(file)?.size ?? 0) > MAX_FILE_BYTES) await this.#halve(file);
    }
  }

  /** A line that somebody adds meanwhile may be lost with it: nobody loses a memory by that. */
  async #halve(file: string): Promise<void> {
    const bytes = this.#fs.read(file);
    if (bytes === undefined) return;
    const temporary = `${file}.new`;
    this.#fs.write(temporary, bytes.subarray(bytes.indexOf('\n', bytes.length - MAX_FILE_BYTES / 2) + 1));
    await this.#fs.rename(temporary, file);
  }

  #file(month: string): string {
    return path.join(this.#folder, `listed-${month}.jsonl`);
  }
}

export function monthOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 7);
}
