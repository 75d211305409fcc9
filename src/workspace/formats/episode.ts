import { readFrontmatter } from '../../model/schemas/index.ts';
import { itemMetadataSchema, type ItemMetadata } from '../../model/schemas/item.ts';
import { EPISODE_TYPES, type EpisodeFrontmatter, type EpisodeType } from '../../model/schemas/time.ts';
import { headingText } from '../markdown/blocks.ts';
import { insertBlocks, replaceBlock } from '../markdown/edit.ts';
import type { MarkdownDocument } from '../markdown/document.ts';
import { parseBody, renderBody } from './body.ts';
import { itemDefaults, type ItemDefaults } from './defaults.ts';
import { renderFrontmatter } from '../markdown/frontmatter.ts';
import { renderItemMetadata, type Located } from './item.ts';
import { parseFields, parseMetadataLine, readMetadata, renderFields, type MetadataFields } from './metadata.ts';
import { documentTitle, locateBlocks, type LocatedBlock } from './sections.ts';
import { oneLine } from '../../model/text.ts';

/** One thing that happened: `## 14:30 | decision | confidence:high | tags:[a, b]`, a metadata line, the text. */
export interface EpisodeEntry {
  readonly id: string | undefined;
  /** `HH:MM` in the home's zone; undefined where a person left it out. */
  readonly time: string | undefined;
  readonly type: EpisodeType;
  /** The words a person wrote into the heading beside the fields. */
  readonly title: string | undefined;
  readonly text: string;
  readonly meta: ItemMetadata;
}

export interface EpisodeFile {
  readonly frontmatter: Partial<EpisodeFrontmatter>;
  readonly date: string | undefined;
  readonly defaults: ItemDefaults;
  readonly entries: readonly (EpisodeEntry & Located)[];
}

/** A file that grows past this rolls over, so that appending and reading a busy day stay cheap. */
export const EPISODE_FILE_MAX_BYTES = 32 * 1024;

const TIME_AT_START = /^\[?(\d{1,2}:\d{2})(?::\d{2})?\]?(?=$|[\s|—–:-])[\s|—–:-]*/u;

interface EntryHeading {
  readonly time: string | undefined;
  readonly type: EpisodeType | undefined;
  readonly title: string | undefined;
  readonly fields: MetadataFields;
}

export function parseEpisodes(document: MarkdownDocument): EpisodeFile {
  const frontmatter = readFrontmatter('episode', document.frontmatter?.values);
  const entries = groupEntries(document).flatMap((group) => parseEntry(group) ?? []);
  const dateInTitle = /\d{4}-\d{2}-\d{2}/u.exec(documentTitle(document) ?? '')?.[0];
  return {
    frontmatter,
    date: frontmatter.date ?? dateInTitle,
    defaults: itemDefaults('episode', document.frontmatter?.values),
    entries,
  };
}

/** One entry, without reading the others. */
export function findEpisodeEntry(document: MarkdownDocument, id: string): (EpisodeEntry & Located) | undefined {
  const group = groupEntries(document).find(({ blocks }) => blocks.some(({ block }) => block.id === id));
  return group === undefined ? undefined : parseEntry(group);
}

/** The document with more metadata on an entry; unchanged where there is no such entry. */
export function addEpisodeMetadata(document: MarkdownDocument, id: string, more: ItemMetadata): MarkdownDocument {
  const group = groupEntries(document).find(({ blocks }) => blocks.some(({ block }) => block.id === id));
  const entry = group === undefined ? undefined : parseEntry(group);
  if (group?.heading === undefined || entry === undefined) return document;
  // Both stand in the heading.
  const { confidence: _, tags: __, ...meta } = { ...entry.meta, ...more };
  const line = renderItemMetadata(meta, itemDefaults('episode', document.frontmatter?.values));
  const first = group.blocks.find(({ block }) => block.kind !== 'blank')?.block;
  const isMetadata = first?.kind === 'html' && parseMetadataLine(first.raw) !== undefined;
  return isMetadata
    ? replaceBlock(document, document.blocks.indexOf(first), line)
    : insertBlocks(document, document.blocks.indexOf(group.heading.block) + 1, [`${line}\n`]);
}

interface EntryGroup {
  readonly heading: LocatedBlock | undefined;
  readonly blocks: LocatedBlock[];
}

/** A new entry begins at a level-two heading, or at a deeper one that starts with a time, as other agents' logs have. */
function groupEntries(document: MarkdownDocument): EntryGroup[] {
  const groups: EntryGroup[] = [{ heading: undefined, blocks: [] }];
  for (const located of locateBlocks(document)) {
    const { block } = located;
    if (block.kind === 'heading' && block.level === 1) groups.push({ heading: undefined, blocks: [] });
    else if (block.kind === 'heading' && (block.level === 2 || TIME_AT_START.test(headingText(block)))) {
      groups.push({ heading: located, blocks: [] });
    } else groups.at(-1)?.blocks.push(located);
  }
  return groups;
}

function parseEntry({ heading, blocks }: EntryGroup): (EpisodeEntry & Located) | undefined {
  const content = blocks.filter(({ block }) => block.kind !== 'blank');
  const first = content[0];
  const last = content.at(-1);
  const { time, type, title, fields } = parseEntryHeading(heading === undefined ? '' : headingText(heading.block));
  if (last === undefined && time === undefined) return undefined;
  const lineFields = first?.block.kind === 'html' ? parseMetadataLine(first.block.raw) : undefined;
  const body = lineFields === undefined ? blocks : blocks.slice(blocks.findIndex((located) => located === first) + 1);
  const id = body.findLast(({ block }) => block.kind !== 'blank')?.block.id;
  const text = parseBody(body.map(({ block }) => block.raw).join(''), id !== undefined).replace(/^(?:[ \t]*\n)+/u, '');
  if (heading === undefined && (text === '' || /^<!--[\s\S]*-->$/u.test(text))) return undefined;
  const { meta, problems } = readMetadata(itemMetadataSchema, new Map([...fields, ...(lineFields ?? [])]));
  const startLine = heading?.startLine ?? first?.startLine ?? 1;
  return {
    id,
    time,
    type: type ?? 'event',
    title,
    text,
    meta,
    problems,
    startLine,
    endLine: last?.endLine ?? startLine,
  };
}

/** Every part may be missing, and the parts may come in any order after the time. */
function parseEntryHeading(title: string): EntryHeading {
  const time = TIME_AT_START.exec(title)?.[1]?.padStart(5, '0');
  const parts = title
    .replace(TIME_AT_START, '')
    .split('|')
    .map((part) => part.trim());
  const fields = new Map<string, string | true | readonly string[]>();
  const words: string[] = [];
  let type: EpisodeType | undefined;
  for (const part of parts) {
    const named = EPISODE_TYPES.find((known) => known === part.toLowerCase());
    const parsed = named === undefined && part.includes(':') ? parseFields(part) : undefined;
    if (named !== undefined && type === undefined) type = named;
    else if (parsed !== undefined) for (const [key, value] of parsed) fields.set(key, value);
    else if (part !== '') words.push(part);
  }
  return { time, type, title: words.length === 0 ? undefined : words.join(' | '), fields };
}

/** The entry as it is appended to its day, without a blank line before it and with a line end behind it. */
export function renderEpisodeEntry(
  entry: EpisodeEntry,
  defaults: ItemDefaults = itemDefaults('episode', undefined),
): string {
  const { confidence, tags, ...rest } = entry.meta;
  const heading = [
    entry.time,
    entry.type,
    entry.title === undefined ? undefined : oneLine(entry.title),
    renderFields([['confidence', confidence]]),
    renderFields([['tags', tags]]),
  ].filter((part) => part !== undefined && part !== '');
  const lines = [`## ${heading.join(' | ')}`, renderItemMetadata(rest, defaults), renderBody(entry.text, entry.id)];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}

export function newEpisodeFile(date: string, part = 1): string {
  const frontmatter = { type: 'episodes', date, ...(part === 1 ? {} : { part }) };
  return `${renderFrontmatter(frontmatter)}\n# ${date} — what happened${part === 1 ? '' : ` (${part})`}\n`;
}

/**
 * The file an entry of `date` is appended to. `sizes` holds the bytes of the day's existing files by path; the last of
 * them is used until `addedBytes` would take it past the limit.
 */
export function episodeFileFor(
  date: string,
  sizes: ReadonlyMap<string, number>,
  addedBytes = 0,
  folder = 'memory/episodes/',
): { readonly path: string; readonly part: number } {
  let part = 1;
  while (sizes.has(episodePath(folder, date, part + 1))) part += 1;
  const path = episodePath(folder, date, part);
  const size = sizes.get(path) ?? 0;
  const isFull = size > 0 && size + addedBytes > EPISODE_FILE_MAX_BYTES;
  return isFull ? { path: episodePath(folder, date, part + 1), part: part + 1 } : { path, part };
}

function episodePath(folder: string, date: string, part: number): string {
  return `${folder}${date}${part === 1 ? '' : `.${part}`}.md`;
}
