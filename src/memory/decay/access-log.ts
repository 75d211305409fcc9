import path from 'node:path';
import { hash } from 'node:crypto';
import type { FileStamp, FileSystem } from '../../platform/fs.ts';
import { readCheckpoint, type Checkpoint } from './checkpoint.ts';
import { parseLines, UseLog, type UseKind } from './use-log.ts';
import { mergeUses, totalUses, type Use, type UsesByDevice } from './uses.ts';

/** A question and what it was answered with, kept so that `why` can say when something was last shown. */
export interface ListingRecord {
  readonly time: number;
  readonly query: string;
  readonly mode: string;
  readonly hits: readonly { readonly id: string; readonly score: number }[];
}

/** A question longer than this was pasted; its beginning is enough to recognise it. */
const MAX_QUERY_CHARACTERS = 500;
/** A clock further ahead than this was simply wrong, and nothing should stay faded because of it. */
const MAX_AHEAD_MS = 35 * 86_400_000;
const USE_LOG = 'used.jsonl';

/**
 * What was asked and what was used, on this device: append-only JSON lines under `journal/access/`, one folder a
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
    const month = new Date(listing.time).toISOString().slice(0, 7);
    const query = listing.query.slice(0, MAX_QUERY_CHARACTERS).toWellFormed();
    const folder = path.join(this.#folder, this.#device);
    this.#fs.makeDirectory(folder);
    // Threads and other processes write here too.
    this.#fs.append(
      path.join(folder, `listed-${month}.jsonl`),
      Buffer.from(`${JSON.stringify({ ...listing, query })}\n`),
    );
  }

  /** That memories were used, each once. Having been listed in an answer is no use: nobody knows whether it was read. */
  recordUses(kind: UseKind, timeMs: number, ids: readonly string[]): void {
    if (ids.length > 0) this.#logOf(this.#device).append(kind, timeMs, [...new Set(ids)]);
  }

  /** How often each item was used so far, on all devices that are known of. */
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
    this.readUses();
    const isAhead = this.#latestMs > nowMs && this.#latestMs - nowMs <= MAX_AHEAD_MS;
    if (isAhead) return this.#latestMs;
    this.#latestMs = nowMs;
    return nowMs;
  }

  /** What the checkpoint should say, with what it says already. */
  makeCheckpoint(updatedMs: number): Checkpoint {
    this.readUses();
    return { updatedMs, uses: this.#merged() };
  }

  /** Shortens this device's log to a line for each memory, when it has grown long. */
  compact(): Promise<boolean> {
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
    for (const listing of this.#listings(new Date(fromMs).toISOString().slice(0, 7))) {
      if (listing.time >= fromMs && listing.time <= toMs) found.push(listing);
    }
    return found;
  }

  *#listings(sinceMonth = ''): Generator<ListingRecord> {
    const files = this.#devices().flatMap((device) =>
      this.#fs
        .list(path.join(this.#folder, device))
        .filter((name) => /^listed-\d{4}-\d{2}\.jsonl$/u.test(name) && name.slice('listed-'.length) >= sinceMonth)
        .map((name) => ({ name, file: path.join(this.#folder, device, name) })),
    );
    files.sort((left, right) => (left.name < right.name ? 1 : left.name > right.name ? -1 : 0));
    for (const { file } of files) {
      for (const record of parseLines(this.#fs.read(file) ?? Buffer.alloc(0)).reverse()) yield record as ListingRecord;
    }
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
