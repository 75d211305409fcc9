import { itemMetadataSchema, type ItemMetadata } from '../../model/schemas/item.ts';
import { cutBlocks } from '../../memory/archive/cut.ts';
import { locateMemory } from '../../memory/archive/locate.ts';
import { parseEpisodes } from '../../workspace/formats/episode.ts';
import { parseItem } from '../../workspace/formats/item.ts';
import type { FileKind } from '../../workspace/formats/layout.ts';
import { locateBlocks } from '../../workspace/formats/sections.ts';
import { headingText } from '../../workspace/markdown/blocks.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';

/** A statement that an extractor found, where it stands in a file. */
export interface DerivedItem {
  readonly path: string;
  readonly id: string;
  readonly text: string;
  /** `facts`, without its version. */
  readonly extractor: string;
  /** The heading it stands below; undefined for an entry of a day. */
  readonly section: string | undefined;
  /** Exactly as written. */
  readonly raw: string;
  readonly meta: ItemMetadata;
}

/** Files whose items extractors write. */
export const DERIVED_KINDS: ReadonlySet<FileKind> = new Set(['entity', 'episode']);

/** Selects the statements that an extractor made and may make again. */
export interface DerivedRule {
  readonly isChosen: (extractor: string) => boolean;
  /** Ids of what a person wrote or changed: from then on it is theirs. */
  readonly touched: ReadonlySet<string>;
}

/** The extractors' items in a file; never items that a user asked to keep, pinned, or wrote. */
export function derivedItems(path: string, text: string, kind: FileKind, rule: DerivedRule): DerivedItem[] {
  const found = kind === 'episode' ? entriesOf(text) : itemsOf(text);
  return found.flatMap(({ id, meta, text: said, section }): DerivedItem[] => {
    const extractor = /^([^@]+)/u.exec(meta.extractor ?? '')?.[1];
    if (id === undefined || extractor === undefined || !rule.isChosen(extractor) || rule.touched.has(id)) return [];
    if (meta.source === 'user-explicit' || meta.pinned === true) return [];
    const raw = locateMemory(path, text, id, kind)?.raw;
    return raw === undefined ? [] : [{ path, id, text: said, extractor, section, raw, meta }];
  });
}

interface FoundItem {
  readonly id: string | undefined;
  readonly meta: ItemMetadata;
  readonly text: string;
  readonly section: string | undefined;
}

function entriesOf(text: string): FoundItem[] {
  return parseEpisodes(parseDocument(text)).entries.map(({ id, meta, text: said }) => ({
    id,
    meta,
    text: said,
    section: undefined,
  }));
}

function itemsOf(text: string): FoundItem[] {
  let section: string | undefined;
  return locateBlocks(parseDocument(text)).flatMap((located): FoundItem[] => {
    if (located.block.kind === 'heading') section = headingText(located.block);
    if (located.block.kind !== 'item') return [];
    const { id, meta, text: said } = parseItem(located, itemMetadataSchema);
    return [{ id, meta, text: said, section }];
  });
}

/** The text without these items; what is not there any more is left out. */
export function withoutItems(path: string, text: string, kind: FileKind, ids: readonly string[]): string {
  let rest = text;
  for (const id of ids) {
    const located = locateMemory(path, rest, id, kind);
    if (located !== undefined) rest = cutBlocks(rest, located.range).rest;
  }
  return rest;
}

/** By which two versions of a statement are the same: its words, with the marks of what is done or no longer holds. */
export function sayingOf({ path, text }: DerivedItem): string {
  const words = text
    .replaceAll(/\s+/gu, ' ')
    .replace(/[.\s]+$/u, '')
    .trim()
    .toLowerCase();
  return `${path}\n${words}`;
}
