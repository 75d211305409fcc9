import type { z } from 'zod';
import { itemMetadataSchema, type ItemMetadata } from '../../model/schemas/item.ts';
import { blockText, type LineRange } from '../markdown/blocks.ts';
import type { Block } from '../markdown/document.ts';
import { resolveMetadata, withoutDefaults, type ItemDefaults } from './defaults.ts';
import { readMetadata, renderComment, splitTrailingMetadata } from './metadata.ts';
import { itemTree, type ItemNode, type LocatedBlock, type Section } from './sections.ts';
import { oneLine } from '../../model/text.ts';

/** A bullet that is a memory of its own: `- text <!-- metadata --> ^id`. */
export interface Item<T extends ItemMetadata = ItemMetadata> {
  readonly id: string | undefined;
  readonly text: string;
  readonly meta: T;
}

/** Where an item stands in its file, and what its metadata got wrong. */
export interface Located extends LineRange {
  readonly problems: readonly string[];
}

export type LocatedItem<T extends ItemMetadata = ItemMetadata> = Item<T> & Located;

type MetadataSchema<T extends ItemMetadata> = z.ZodType<T> & { readonly shape: Readonly<Record<string, z.ZodType>> };

/** The text of a list item; its continuation lines lose their indentation. */
export function itemText(block: Block): string {
  return blockText(block)
    .replaceAll(/\r?\n[ \t]*/gu, '\n')
    .trim();
}

export function parseItem<T extends ItemMetadata>(located: LocatedBlock, schema: MetadataSchema<T>): LocatedItem<T> {
  const { block, startLine, endLine } = located;
  const { text, fields } = splitTrailingMetadata(itemText(block));
  const { meta, problems } = readMetadata(schema, fields);
  return { id: block.id, text: unescapeComment(text.trim()), meta, problems, startLine, endLine };
}

/** The top-level bullets of a section. */
export function parseItems(section: Section | undefined): LocatedItem[] {
  return itemTree(section?.blocks ?? []).map((node) => parseItem(node, itemMetadataSchema));
}

const DETAIL = /^\**([\p{L}][\p{L} _-]{0,40}?)\**\s*:\**\s*([\s\S]*)$/u;

/** `- Key: value` bullets below an item, keys in lower case with underscores. */
export function parseDetails(children: readonly ItemNode[]): ReadonlyMap<string, string> {
  const details = new Map<string, string>();
  for (const child of children) {
    const match = DETAIL.exec(itemText(child.block));
    const key = match?.[1]?.toLowerCase().replaceAll(/[ -]+/gu, '_');
    if (key !== undefined && match?.[2] !== undefined) details.set(key, match[2]);
  }
  return details;
}

/** One line without a line end. A bullet is one line: line ends inside the text become spaces. */
export function renderItem(item: Item, defaults: ItemDefaults, marker = '-'): string {
  const text = escapeComment(oneLine(item.text));
  const comment = renderItemMetadata(item.meta, defaults, text);
  return [marker, text, comment, item.id === undefined ? '' : `^${item.id}`].filter((part) => part !== '').join(' ');
}

function escapeComment(text: string): string {
  return text.replaceAll(/\\*<!--/gu, String.raw`\$&`);
}

function unescapeComment(text: string): string {
  return text.replaceAll(/\\(\\*<!--)/gu, '$1');
}

/** The fields that a reader looks for first come first. */
const KEY_ORDER = [
  'category',
  'status',
  'due',
  'source',
  'trust',
  'importance',
  'confidence',
  'time',
  'from',
  'until',
  'learned',
  'verified',
  'last_verified',
  'session',
  'turn',
  'evidence',
  'scope',
  'tags',
  'outcome',
  'related',
  'supersedes',
  'superseded_by',
  'consolidated_into',
  'extractor',
  'pinned',
];

/** The metadata comment behind `text` with only what differs from the file's defaults, or ''. */
export function renderItemMetadata(meta: ItemMetadata, defaults: ItemDefaults, text = ''): string {
  const written: Record<string, unknown> = { ...withoutDefaults(meta, defaults), ...originOf(meta, defaults) };
  const known = KEY_ORDER.filter((key) => key in written);
  const unknown = Object.keys(written).filter((key) => !KEY_ORDER.includes(key));
  return renderComment(
    [...known, ...unknown].map((key) => [key, written[key]] as const),
    text,
  );
}

/** Facts learned from a turn name their origin whatever the file's defaults are: the short form implies the user's. */
function originOf(meta: ItemMetadata, defaults: ItemDefaults): ItemMetadata {
  const { session, source, trust } = resolveMetadata(meta, defaults);
  if (session === undefined || meta.turn === undefined || meta.evidence === undefined) return {};
  return source === 'auto' ? { session, source, trust } : { session, source };
}
