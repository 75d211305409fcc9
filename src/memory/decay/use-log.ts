import path from 'node:path';
import { z } from 'zod';
import type { FileSystem } from '../../platform/fs.ts';
import { parseJson } from '../../model/records.ts';

/** The four ways in which a memory is reinforced. */
export const USE_KINDS = ['reply', 'reference', 'confirmation', 'link'] as const;
export type UseKind = (typeof USE_KINDS)[number];

const useSchema = z.object({
  time: z.number(),
  id: z.string().min(1),
  /** More than one for a line that stands for several, made when the log was shortened. */
  count: z.number().int().min(1).default(1),
});

/** Up to this size the log is quick to read; beyond, one line for each memory is kept. */
const MAX_BYTES = 256 * 1024;

/** One device's uses: a line each, read on from where the last reading stopped. */
export class UseLog {
  readonly #fs: FileSystem;
  readonly #file: string;
  readonly #uses = new Map<string, Use>();
  #inode: bigint | undefined;
  #readTo = 0;

  constructor(fs: FileSystem, file: string) {
    this.#fs = fs;
    this.#file = file;
  }

  get uses(): ReadonlyMap<string, Use> {
    return this.#uses;
  }

  append(kind: UseKind, timeMs: number, ids: readonly string[]): void {
    this.#fs.makeDirectory(path.dirname(this.#file));
    const lines = ids.map((id) => `${JSON.stringify({ time: timeMs, kind, id })}\n`).join('');
    this.#fs.append(this.#file, Buffer.from(lines));
  }

  /** Takes over what was appended, by whichever process. True when there was something. */
  readOn(): boolean {
    const stamp = this.#fs.stamp(this.#file);
    const size = stamp?.size ?? 0;
    // Another file, or a shorter one: it was shortened, or erased from.
    const isOther = (this.#inode !== undefined && stamp?.inode !== this.#inode) || size < this.#readTo;
    if (isOther) {
      this.#uses.clear();
      this.#readTo = 0;
    }
    this.#inode = stamp?.inode;
    if (size <= this.#readTo) return isOther;
    const bytes = (this.#fs.read(this.#file) ?? Buffer.alloc(0)).subarray(this.#readTo);
    const end = bytes.lastIndexOf(0x0a) + 1;
    this.#readTo += end;
    for (const record of parseLines(bytes.subarray(0, end))) {
      const use = useSchema.safeParse(record).data;
      if (use === undefined) continue;
      this.#uses.set(use.id, addUse(this.#uses.get(use.id), { count: use.count, lastMs: use.time }));
    }
    return isOther || end > 0;
  }

  /** One line for each memory instead of one for each use. A use that another process notes meanwhile may be lost. */
  async compact(): Promise<boolean> {
    this.readOn();
    if (this.#readTo <= MAX_BYTES) return false;
    const lines = Array.from(this.#uses, ([id, { count, lastMs }]) => JSON.stringify({ time: lastMs, id, count }));
    const temporary = `${this.#file}.new`;
    this.#fs.write(temporary, Buffer.from(`${lines.join('\n')}\n`, 'utf8'));
    await this.#fs.rename(temporary, this.#file);
    return true;
  }
}

/** A line that does not parse was torn by a crash, and was never needed. */
export function parseLines(bytes: Buffer): unknown[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const record = line === '' ? undefined : parseJson(line);
      return record === undefined ? [] : [record];
    });
}

/** The number of uses, and the time of the last. */
export interface Use {
  readonly count: number;
  readonly lastMs: number;
}

/** The counts of one device, by memory. They only ever grow. */
type DeviceUses = ReadonlyMap<string, Use>;

/** Every device counts for itself, so that the same use is never added twice. */
export type UsesByDevice = ReadonlyMap<string, DeviceUses>;

/**
 * Two accounts of the same devices become one: of each device and memory the greater count and the later time. In
 * whatever order and however often accounts are merged, the result is the same.
 */
export function mergeUses(left: UsesByDevice, right: UsesByDevice): UsesByDevice {
  const merged = new Map<string, Map<string, Use>>();
  for (const account of [left, right]) {
    for (const [device, uses] of account) {
      const own = merged.get(device) ?? new Map<string, Use>();
      for (const [id, use] of uses) own.set(id, greaterOf(own.get(id), use));
      merged.set(device, own);
    }
  }
  return merged;
}

/** Over all devices: counts add up, and the latest time counts. */
export function totalUses(byDevice: UsesByDevice): Map<string, Use> {
  const total = new Map<string, Use>();
  for (const uses of byDevice.values()) {
    for (const [id, use] of uses) total.set(id, addUse(total.get(id), use));
  }
  return total;
}

function addUse(known: Use | undefined, { count, lastMs }: Use): Use {
  return { count: (known?.count ?? 0) + count, lastMs: Math.max(known?.lastMs ?? 0, lastMs) };
}

function greaterOf(known: Use | undefined, { count, lastMs }: Use): Use {
  return { count: Math.max(known?.count ?? 0, count), lastMs: Math.max(known?.lastMs ?? 0, lastMs) };
}
