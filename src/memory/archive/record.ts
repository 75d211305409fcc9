import { z } from 'zod';
import { fileStem } from '../../workspace/formats/layout.ts';
import { deleteFrontmatterValue, setFrontmatterValue } from '../../workspace/markdown/frontmatter.ts';
import { type MarkdownDocument, parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';

/** The frontmatter key under which a file of the archive says where it came from. */
const KEY = 'archived';

/** Where something archived stood, so that it can go back there. A person may have edited any of it. */
const recordSchema = z.looseObject({
  at: z.string(),
  /** The file it was taken from. */
  from: z.string().min(1),
  /** The item's id; absent when the file itself was archived. */
  item: z.string().optional(),
  /** The reason for taking it out. */
  reason: z.string().optional(),
  /** The heading it stood below. */
  under: z.string().optional(),
  /** Its neighbours: their ids, or the hash of their text. */
  after: z.string().optional(),
  before: z.string().optional(),
  /** The number of blocks before it: tells places apart where equal neighbours make them look alike. */
  nth: z.number().int().min(0).optional(),
  /** Blank lines that stayed between the neighbour and the place. */
  skip: z.number().int().min(0).optional(),
  /** White space that was taken out with it. */
  lead: z.string().optional(),
  tail: z.string().optional(),
  /** For a file: whether the frontmatter was made only to carry this record. */
  bare: z.boolean().optional(),
});
export type ArchiveRecord = z.infer<typeof recordSchema>;

/** Reads the record of an archived file; undefined when it has none, or an unreadable one. */
export function readRecord(document: MarkdownDocument): ArchiveRecord | undefined {
  const record = recordSchema.safeParse(document.frontmatter?.values?.[KEY]).data;
  return record === undefined ? undefined : { ...record, ...changeSpace(record, unescapeSpace) };
}

export function withRecord(text: string, record: ArchiveRecord): string {
  const document = parseDocument(text);
  const isBare = document.frontmatter === undefined;
  const value = withoutUndefined(isBare ? { ...record, bare: true } : record);
  return serializeDocument(setFrontmatterValue(document, KEY, value));
}

/** The text as it was before `withRecord`, with what a person changed since. */
export function withoutRecord(document: MarkdownDocument, record: ArchiveRecord): string {
  if (record.bare !== true) return serializeDocument(deleteFrontmatterValue(document, KEY));
  const others = document.frontmatter?.entries.some(({ key }) => key !== undefined && key !== KEY) ?? false;
  if (others) return serializeDocument(deleteFrontmatterValue(document, KEY));
  return serializeDocument({ ...document, frontmatter: undefined });
}

/** The record as part of a new file's frontmatter. */
export function asFrontmatter(record: ArchiveRecord): Record<string, unknown> {
  return { [KEY]: withoutUndefined(record) };
}

type Value = string | number | boolean;

function withoutUndefined(record: ArchiveRecord): Record<string, Value> {
  const known = Object.entries({ ...record, ...changeSpace(record, escapeSpace) }).filter(
    (entry): entry is [string, Value] => entry[1] !== undefined,
  );
  return Object.fromEntries(known);
}

/** White space as a person can see it: YAML would write a line end as an empty line. */
function escapeSpace(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unescapeSpace(text: string): string {
  return text.replaceAll(/\\([nrt])/gu, (whole, letter: string) => ESCAPES[letter] ?? whole);
}

function changeSpace(
  { lead, tail }: ArchiveRecord,
  change: (text: string) => string,
): Pick<ArchiveRecord, 'lead' | 'tail'> {
  return {
    ...(lead === undefined ? {} : { lead: change(lead) }),
    ...(tail === undefined ? {} : { tail: change(tail) }),
  };
}

const SCOPE_FOLDER = /^memory\/scopes\/[^/]+\//u;
/** Longer names are cut: the id behind them keeps them apart, and 255 bytes is all a file system gives. */
const MAX_STEM_BYTES = 160;

/**
 * Where something taken from `path` is kept: `memory/archive/2026-11/` and the path it had, so that the layout still
 * knows what kind it is. An item's file carries its id. A core bullet leaves core memory for good: its file is no
 * second MEMORY.md, which would have caps of its own.
 */
export function archivePathOf(path: string, month: string, item?: string): string {
  const scope = SCOPE_FOLDER.exec(path)?.[0] ?? '';
  const own = path.slice(scope.length).replace(/^memory\//u, '');
  const folder = own.slice(0, own.lastIndexOf('/') + 1);
  const name = own === 'MEMORY.md' ? 'core.md' : own.slice(folder.length);
  const file = item === undefined ? name : `${cut(fileStem(name))}.${item}.md`;
  return `${scope}memory/archive/${month}/${folder}${file}`;
}

/** `path`, or the first `path` with a number that is free. */
export function freePath(path: string, isTaken: (path: string) => boolean): string {
  const dot = path.lastIndexOf('.');
  let free = path;
  for (let number = 2; isTaken(free); number += 1) free = `${path.slice(0, dot)}.${number}${path.slice(dot)}`;
  return free;
}

export function isArchivePath(path: string): boolean {
  return path.replace(SCOPE_FOLDER, '').startsWith('memory/archive/');
}

function cut(stem: string): string {
  let short = stem;
  while (Buffer.byteLength(short, 'utf8') > MAX_STEM_BYTES) short = [...short].slice(0, -1).join('');
  return short;
}
