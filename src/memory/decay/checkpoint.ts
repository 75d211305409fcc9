import { z } from 'zod';
import type { Use, UsesByDevice } from './uses.ts';

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

const entrySchema = z.object({ count: z.number().int().min(1), last: z.iso.datetime() });
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
    const entry = entrySchema.safeParse(value).data;
    const at = key.lastIndexOf(' ');
    if (entry === undefined || at < 1) continue;
    const [id, device] = [key.slice(0, at), key.slice(at + 1)];
    const own = uses.get(device) ?? new Map<string, Use>();
    own.set(id, { count: entry.count, lastMs: Date.parse(entry.last) });
    uses.set(device, own);
  }
  return { updatedMs: file.updated === undefined ? undefined : Date.parse(file.updated), uses };
}

/** A missing or broken file says nothing; the logs of this device are still there. */
export function readCheckpoint(text: string | undefined): Checkpoint {
  return text === undefined ? EMPTY : (parseCheckpoint(text) ?? EMPTY);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
