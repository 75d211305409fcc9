import path from 'node:path';
import { hash } from 'node:crypto';
import type { FileSystem } from '../platform/fs.ts';

/** Only these are uses. Having been listed in an answer is not: nobody knows whether it was read. */
export const USE_KINDS = ['reply', 'reference', 'confirmation', 'link'] as const;
export type UseKind = (typeof USE_KINDS)[number];

interface UseRecord {
  readonly time: number;
  readonly kind: UseKind;
  readonly id: string;
}

/** A question and what it was answered with, kept so that `why` can say when something was last shown. */
export interface ListingRecord {
  readonly time: number;
  readonly query: string;
  readonly mode: string;
  readonly hits: readonly { readonly id: string; readonly score: number }[];
}

export interface Use {
  readonly count: number;
  readonly lastMs: number;
}

/** A question longer than this was pasted; its beginning is enough to recognise it. */
const MAX_QUERY_CHARACTERS = 500;

/**
 * What was asked and what was used, on this device: append-only JSON lines under `journal/access/`, one folder a
 * device so that two machines never write the same file. Written without a sync: losing the last line to a power cut
 * costs nobody a memory.
 */
export class AccessLog {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #device: string;
  readonly #uses = new Map<string, { count: number; lastMs: number }>();
  readonly #readTo = new Map<string, number>();

  constructor(fs: FileSystem, journalFolder: string, deviceName: string) {
    this.#fs = fs;
    this.#folder = path.join(journalFolder, 'access');
    // A host's name may be private, and need not be a legal file name.
    this.#device = hash('sha256', deviceName).slice(0, 12);
  }

  /** The question must have been redacted. */
  recordListing(listing: ListingRecord): void {
    const month = new Date(listing.time).toISOString().slice(0, 7);
    const query = listing.query.slice(0, MAX_QUERY_CHARACTERS).toWellFormed();
    this.#append(`listed-${month}.jsonl`, { ...listing, query });
  }

  recordUse(use: UseRecord): void {
    this.#append('used.jsonl', use);
  }

  /** How often each item was used so far, on all devices whose logs are here. */
  readUses(): ReadonlyMap<string, Use> {
    this.#readUses();
    return this.#uses;
  }

  /** The answers an item was part of, the latest first. */
  listingsOf(id: string, limit: number): ListingRecord[] {
    const found: ListingRecord[] = [];
    for (const file of this.#files('listed-').sort((left, right) => comparePeriods(right, left))) {
      for (const record of this.#parse(this.#fs.read(file) ?? Buffer.alloc(0)).reverse()) {
        const listing = record as ListingRecord;
        if (listing.hits.some((hit) => hit.id === id)) found.push(listing);
        if (found.length >= limit) return found;
      }
    }
    return found;
  }

  #append(name: string, record: unknown): void {
    const folder = path.join(this.#folder, this.#device);
    this.#fs.makeDirectory(folder);
    const file = this.#fs.open(path.join(folder, name));
    try {
      file.write(Buffer.from(`${JSON.stringify(record)}\n`, 'utf8'), file.size());
    } finally {
      file.close();
    }
  }

  /** Reads on where it stopped: another process may have appended. A file that shrank was erased from, so all anew. */
  #readUses(): void {
    const files = this.#files('used');
    const hasShrunk = files.some((file) => (this.#fs.stamp(file)?.size ?? 0) < (this.#readTo.get(file) ?? 0));
    if (hasShrunk) {
      this.#uses.clear();
      this.#readTo.clear();
    }
    for (const file of files) this.#readUsesOf(file);
  }

  #readUsesOf(file: string): void {
    const from = this.#readTo.get(file) ?? 0;
    const size = this.#fs.stamp(file)?.size ?? 0;
    if (size <= from) return;
    const bytes = (this.#fs.read(file) ?? Buffer.alloc(0)).subarray(from);
    const end = bytes.lastIndexOf(0x0a) + 1;
    this.#readTo.set(file, from + end);
    for (const record of this.#parse(bytes.subarray(0, end))) {
      const { id, time } = record as UseRecord;
      const known = this.#uses.get(id);
      this.#uses.set(id, { count: (known?.count ?? 0) + 1, lastMs: Math.max(known?.lastMs ?? 0, time) });
    }
  }

  #files(prefix: string): string[] {
    return this.#fs.list(this.#folder).flatMap((device) =>
      this.#fs
        .list(path.join(this.#folder, device))
        .filter((name) => name.startsWith(prefix) && name.endsWith('.jsonl'))
        .map((name) => path.join(this.#folder, device, name)),
    );
  }

  /** A line that does not parse was torn by a crash, and was never needed. */
  #parse(bytes: Buffer): unknown[] {
    return bytes
      .toString('utf8')
      .split('\n')
      .flatMap((line) => {
        const record = line === '' ? undefined : parseLine(line);
        return record === undefined ? [] : [record];
      });
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function comparePeriods(left: string, right: string): number {
  const [a, b] = [path.basename(left), path.basename(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}
