import path from 'node:path';
import { hash } from 'node:crypto';
import type { FileStamp, FileSystem } from '../../platform/fs.ts';
import { readCheckpoint, type Checkpoint } from './checkpoint.ts';
import { type Use, type UseKind, UseLog, type UsesByDevice, mergeUses, parseLines, totalUses } from './use-log.ts';
import { systemCode } from '../../model/errors.ts';

/** A clock further ahead than this was simply wrong, and nothing should stay faded because of it. */
const MAX_AHEAD_MS = 35 * 86_400_000;
const USE_LOG = 'used.jsonl';

/**
 * The log of questions and uses on this device: append-only JSON lines under `journal/access/`, one folder a
 * device so that two machines never write the same file. Written without a sync: losing the last line to a power cut
 * costs nobody a memory. What other devices counted comes with the checkpoint in the workspace.
 */
export class AccessLog {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #device: string;
  readonly #checkpointFile: string | undefined;
  readonly #logs = new Map<string, UseLog>();
  #checkpoint: { readonly stamp: FileStamp | undefined; readonly content: Checkpoint } | undefined;
  #total: ReadonlyMap<string, Use> | undefined;
  #latestMs = 0;

  constructor(fs: FileSystem, journalFolder: string, deviceName: string, checkpointFile?: string) {
    this.#fs = fs;
    this.#folder = path.join(journalFolder, 'access');
    this.#checkpointFile = checkpointFile;
    // A host's name may be private, and need not be a legal file name.
    this.#device = hash('sha256', deviceName).slice(0, 12);
  }

  /** The question must have been redacted. */
  recordListing(listing: ListingRecord): void {
    this.#listingsOn(this.#device).record(listing);
  }

  /** That memories were used, each once. Having been listed in an answer is no use: nobody knows whether it was read. */
  recordUses(kind: UseKind, timeMs: number, ids: readonly string[]): void {
    if (ids.length > 0) this.#logOf(this.#device).append(kind, timeMs, [...new Set(ids)]);
  }

  /** The uses of each item so far, on all known devices. */
  readUses(): ReadonlyMap<string, Use> {
    const hasMoreLogs = this.#readLogs();
    const hasOther = this.#readCheckpoint();
    if (this.#total === undefined || hasMoreLogs || hasOther) {
      this.#total = totalUses(this.#merged());
      for (const { lastMs } of this.#total.values()) this.#latestMs = Math.max(this.#latestMs, lastMs);
      this.#latestMs = Math.max(this.#latestMs, this.#checkpoint?.content.updatedMs ?? 0);
    }
    return this.#total;
  }

  /**
   * The time that fading goes by: never earlier than any that was reckoned with before, or what has faded would come
   * back whenever a clock is set back.
   */
  fadingNow(nowMs: number): number {
    // A caller that needs this has just read the uses; reading the files a second time would find nothing new.
    if (this.#total === undefined) this.readUses();
    const isAhead = this.#latestMs > nowMs && this.#latestMs - nowMs <= MAX_AHEAD_MS;
    if (isAhead) return this.#latestMs;
    this.#latestMs = nowMs;
    return nowMs;
  }

  /** Makes the new checkpoint, including the present one's contents. */
  makeCheckpoint(updatedMs: number): Checkpoint {
    this.readUses();
    return { updatedMs, uses: this.#merged() };
  }

  /** Shortens this device's log of uses to a line for each memory, when it has grown long, and lets go of old answers. */
  async compact(nowMs: number): Promise<boolean> {
    await this.#listingsOn(this.#device).trim(nowMs);
    return this.#logOf(this.#device).compact();
  }

  /** The answers an item was part of, the latest first. */
  listingsOf(id: string, limit: number): ListingRecord[] {
    const found: ListingRecord[] = [];
    for (const listing of this.#listings()) {
      if (listing.hits.some((hit) => hit.id === id)) found.push(listing);
      if (found.length >= limit) return found;
    }
    return found;
  }

  /** The answers that were given from one time to another, the latest first. */
  listingsBetween(fromMs: number, toMs: number): ListingRecord[] {
    const found: ListingRecord[] = [];
    for (const listing of this.#listings(monthOf(fromMs))) {
      if (listing.time >= fromMs && listing.time <= toMs) found.push(listing);
    }
    return found;
  }

  *#listings(sinceMonth = ''): Generator<ListingRecord> {
    const logs = this.#devices().map((device) => this.#listingsOn(device));
    const months = logs.flatMap((log) => log.months().map((month) => ({ log, month })));
    months.sort((left, right) => (left.month < right.month ? 1 : left.month > right.month ? -1 : 0));
    for (const { log, month } of months) if (month >= sinceMonth) yield* log.read(month);
  }

  #listingsOn(device: string): ListingLog {
    return new ListingLog(this.#fs, path.join(this.#folder, device));
  }

  #merged(): UsesByDevice {
    const here: UsesByDevice = new Map([...this.#logs].map(([device, log]) => [device, log.uses]));
    return mergeUses(this.#checkpoint?.content.uses ?? new Map(), here);
  }

  #readLogs(): boolean {
    let hasChanged = false;
    for (const device of this.#devices()) hasChanged = this.#logOf(device).readOn() || hasChanged;
    return hasChanged;
  }

  /** Read again only when the file is another one. */
  #readCheckpoint(): boolean {
    if (this.#checkpointFile === undefined) return false;
    const stamp = this.#fs.stamp(this.#checkpointFile);
    if (this.#checkpoint !== undefined && isSame(this.#checkpoint.stamp, stamp)) return false;
    const text = stamp === undefined ? undefined : this.#fs.read(this.#checkpointFile)?.toString('utf8');
    this.#checkpoint = { stamp, content: readCheckpoint(text) };
    return true;
  }

  #devices(): string[] {
    return this.#fs.list(this.#folder);
  }

  #logOf(device: string): UseLog {
    const known = this.#logs.get(device);
    if (known !== undefined) return known;
    const log = new UseLog(this.#fs, path.join(this.#folder, device, USE_LOG));
    this.#logs.set(device, log);
    return log;
  }
}

function isSame(left: FileStamp | undefined, right: FileStamp | undefined): boolean {
  return left?.inode === right?.inode && left?.mtimeNs === right?.mtimeNs && left?.size === right?.size;
}

/** A question and what it was answered with, kept so that `why` can say when something was last shown. */
interface ListingRecord {
  readonly time: number;
  readonly query: string;
  readonly mode: string;
  readonly hits: readonly { readonly id: string; readonly score: number }[];
}

/** A question longer than this was pasted; its beginning is enough to recognise it. */
const MAX_QUERY_CHARACTERS = 500;
/** Questions why a memory was shown come within a year. */
const KEPT_MONTHS = 12;
/** Some fifty thousand answers; a server that is asked all day has as many in an hour. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

const FILE_NAME = /^listed-(\d{4}-\d{2})\.jsonl$/u;

/** The log of questions on one device: a file a month, of JSON lines. */
class ListingLog {
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

function monthOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 7);
}
