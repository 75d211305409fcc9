import { z } from 'zod';
import type { ArchiveRecord } from './record.ts';
import { parseJson } from '../../model/parse-json.ts';

/** The entry of a file in the archive's table of contents. */
const entrySchema = z.object({
  /** Where it came from. */
  from: z.string().min(1),
  /** The item's id; absent when the file itself was archived. */
  item: z.string().optional(),
  at: z.string(),
  reason: z.string().optional(),
  /** Of the text, unpacked. */
  bytes: z.number().int().min(0),
  packed: z.boolean(),
});
export type IndexedArchive = z.infer<typeof entrySchema>;

const VERSION = 1;
const fileSchema = z.object({ version: z.literal(VERSION), entries: z.record(z.string(), z.unknown()) });
const SCOPE_FOLDER = /^memory\/scopes\/[^/]+\//u;

/** Each scope's archive has a table of its own, or one scope's would name what belongs to another. */
export function indexPathOf(archived: string): string {
  return `${SCOPE_FOLDER.exec(archived)?.[0] ?? ''}memory/archive/index.json`;
}

/** By the plain name of each file; one line each, sorted. */
export function serializeArchiveIndex(entries: ReadonlyMap<string, IndexedArchive>): string {
  const lines = [...entries]
    .toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([path, entry]) => `    ${JSON.stringify(path)}: ${JSON.stringify(entry)}`);
  const body = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
  return `{\n  "version": ${VERSION},\n  "entries": ${body}\n}\n`;
}

const lastRead = new Map<string, { readonly text: string; readonly entries: ReadonlyMap<string, IndexedArchive> }>();

/** As `parseArchiveIndex`; on most nights it is as it was, and there is a line for everything that was ever put away. */
export function readArchiveIndex(file: string, text: string | undefined): ReadonlyMap<string, IndexedArchive> {
  const known = lastRead.get(file);
  if (known !== undefined && known.text === text) return known.entries;
  const entries = parseArchiveIndex(text);
  if (text === undefined) lastRead.delete(file);
  else lastRead.set(file, { text, entries });
  return entries;
}

/** Parses the readable entries. The index is made from the files, which have the last word. */
export function parseArchiveIndex(text: string | undefined): Map<string, IndexedArchive> {
  const file = text === undefined ? undefined : fileSchema.safeParse(parseJson(text)).data;
  const entries = new Map<string, IndexedArchive>();
  for (const [path, value] of Object.entries(file?.entries ?? {})) {
    const entry = entrySchema.safeParse(value).data;
    if (entry !== undefined) entries.set(path, entry);
  }
  return entries;
}

export function indexedArchive(
  { from, item, at, reason }: ArchiveRecord,
  file: Pick<IndexedArchive, 'bytes' | 'packed'>,
): IndexedArchive {
  return { from, ...(item === undefined ? {} : { item }), at, ...(reason === undefined ? {} : { reason }), ...file };
}
