import { z } from 'zod';
import type { Use, UsesByDevice } from './use-log.ts';
import { parseJson } from '../../model/records.ts';

/** In every home at the same place, and in git: how other devices, and a restored home, learn what was used. */
export const CHECKPOINT_FILE = 'memory/meta/decay-scores.json';

/** Only what cannot be derived. Relevance and status follow from it, the files and the time. */
export interface Checkpoint {
  /** When it was last written; fading never goes back behind it. */
  readonly updatedMs: number | undefined;
  readonly uses: UsesByDevice;
}

const EMPTY: Checkpoint = { updatedMs: undefined, uses: new Map() };
const VERSION = 1;

const fileSchema = z.object({
  version: z.literal(VERSION),
  updated: z.iso.datetime().optional(),
  entries: z.record(z.string(), z.unknown()),
});

/** One line for each memory and device, sorted: two devices that write at once change different lines. */
export function serializeCheckpoint({ updatedMs, uses }: Checkpoint): string {
  const lines = [...uses]
    .flatMap(([device, own]) => [...own].map(([id, use]): [string, Use] => [`${id} ${device}`, use]))
    .toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([key, { count, lastMs }]) => {
      const entry = { count, last: new Date(lastMs).toISOString() };
      return `    ${JSON.stringify(key)}: ${JSON.stringify(entry)}`;
    });
  const entries = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
  const updated = updatedMs === undefined ? '' : `  "updated": "${new Date(updatedMs).toISOString()}",\n`;
  return `{\n  "version": ${VERSION},\n${updated}  "entries": ${entries}\n}\n`;
}

/** Undefined for what cannot be understood; lines that a person or a merge broke are passed over. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const file = fileSchema.safeParse(parseJson(text)).data;
  if (file === undefined) return undefined;
  const uses = new Map<string, Map<string, Use>>();
  for (const [key, value] of Object.entries(file.entries)) {
    const use = parseUse(value);
    const at = key.lastIndexOf(' ');
    if (use === undefined || at < 1) continue;
    const [id, device] = [key.slice(0, at), key.slice(at + 1)];
    const own = uses.get(device) ?? new Map<string, Use>();
    own.set(id, use);
    uses.set(device, own);
  }
  return { updatedMs: file.updated === undefined ? undefined : Date.parse(file.updated), uses };
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/u;

/** By hand: there is a line for every memory that was ever used, and a schema takes ten times as long over them. */
function parseUse(value: unknown): Use | undefined {
  if (typeof value !== 'object' || value === null || !('count' in value) || !('last' in value)) return undefined;
  const { count, last } = value;
  if (!Number.isSafeInteger(count) || Number(count) < 1 || typeof last !== 'string' || !ISO_TIME.test(last)) {
    return undefined;
  }
  const lastMs = Date.parse(last);
  return Number.isNaN(lastMs) ? undefined : { count: Number(count), lastMs };
}

let lastRead: { readonly text: string; readonly checkpoint: Checkpoint } | undefined;

/** A missing or broken file says nothing; the logs of this device are still there. A night asks several times. */
export function readCheckpoint(text: string | undefined): Checkpoint {
  if (text === undefined) return EMPTY;
  if (lastRead?.text !== text) lastRead = { text, checkpoint: parseCheckpoint(text) ?? EMPTY };
  return lastRead.checkpoint;
}

export function isSameUses(left: UsesByDevice, right: UsesByDevice): boolean {
  const isWithin = (one: UsesByDevice, other: UsesByDevice): boolean =>
    [...one].every(([device, uses]) => {
      const known = other.get(device);
      return [...uses].every(([id, { count, lastMs }]) => {
        const use = known?.get(id);
        return use?.count === count && use.lastMs === lastMs;
      });
    });
  return isWithin(left, right) && isWithin(right, left);
}
