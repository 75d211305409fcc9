import { must } from '../../model/errors.ts';
import { blockLineRanges, headingText, type LineRange } from '../markdown/blocks.ts';
import { insertBlocks } from '../markdown/edit.ts';
import type { Block, MarkdownDocument } from '../markdown/document.ts';

export interface LocatedBlock extends LineRange {
  readonly block: Block;
}

/** A heading and what stands below it, up to the next heading of the same or a higher level. */
export interface Section {
  /** The heading's text without hashes; '' for what stands before the first heading. */
  readonly title: string;
  readonly level: number;
  readonly line: number;
  /** The index of the heading's block; -1 for what stands before the first heading. */
  readonly heading: number;
  readonly blocks: readonly LocatedBlock[];
}

export function locateBlocks(document: MarkdownDocument): LocatedBlock[] {
  const ranges = blockLineRanges(document);
  return document.blocks.map((block, index) => ({ block, ...must(ranges[index], 'the range of a block') }));
}

/** Cuts the document at headings of `level` and above; deeper headings stay inside their section. */
export function sectionsOf(document: MarkdownDocument, level = 2): Section[] {
  const sections: Section[] = [];
  let open: { title: string; level: number; line: number; heading: number; blocks: LocatedBlock[] } = {
    title: '',
    level: 0,
    line: 1,
    heading: -1,
    blocks: [],
  };
  for (const [index, located] of locateBlocks(document).entries()) {
    const { block } = located;
    if (block.kind === 'heading' && block.level <= level) {
      sections.push(open);
      open = { title: headingText(block), level: block.level, line: located.startLine, heading: index, blocks: [] };
    } else {
      open.blocks.push(located);
    }
  }
  sections.push(open);
  return sections.filter((section) => section.level > 0 || section.blocks.some(({ block }) => block.kind !== 'blank'));
}

/** The first section of that name; case and a trailing colon do not count. The file's own title comes last. */
export function findSection(sections: readonly Section[], ...names: readonly string[]): Section | undefined {
  const found = findSections(sections, ...names);
  return found.find((section) => section.level > 1) ?? found[0];
}

/** Every section of one of these names: a person may have begun a second list further down. */
export function findSections(sections: readonly Section[], ...names: readonly string[]): Section[] {
  const wanted = new Set(names.map(normalTitle));
  return sections.filter((section) => wanted.has(normalTitle(section.title)));
}

export function normalTitle(title: string): string {
  return title.trim().replace(/:$/u, '').replaceAll('&', 'and').replaceAll(/\s+/gu, ' ').toLowerCase();
}

/** The text of blocks as a person wrote it, with LF, without blank lines around it. */
export function textOf(blocks: readonly LocatedBlock[]): string {
  return blocks
    .map(({ block }) => block.raw)
    .join('')
    .replaceAll('\r\n', '\n')
    .replace(/^(?:[ \t]*\n)+/u, '')
    .trimEnd();
}

/** The title of the document: its first heading of level one. */
export function documentTitle(document: MarkdownDocument): string | undefined {
  const heading = document.blocks.find((block) => block.kind === 'heading' && block.level === 1);
  return heading === undefined ? undefined : headingText(heading);
}

/** An item with the deeper items below it. */
export interface ItemNode extends LocatedBlock {
  readonly children: readonly ItemNode[];
}

/** The items among `blocks` as a tree by indentation. */
export function itemTree(blocks: readonly LocatedBlock[]): ItemNode[] {
  const roots: ItemNode[] = [];
  const path: { readonly level: number; readonly children: ItemNode[] }[] = [{ level: -1, children: roots }];
  for (const located of blocks) {
    const { kind, level } = located.block;
    if (kind !== 'item') continue;
    while (path.length > 1 && (path.at(-1)?.level ?? -1) >= level) path.pop();
    const children: ItemNode[] = [];
    path.at(-1)?.children.push({ ...located, children });
    path.push({ level, children });
  }
  return roots;
}

/**
 * Appends under `title`, or under the heading of an older name for it; a missing section is made where `order` puts it,
 * not at the end of the file. The section is the one that `findSection` reads, so that what was written is found again.
 */
export function appendInOrder(
  document: MarkdownDocument,
  title: string,
  order: readonly string[],
  raw: string,
  otherNames: readonly string[] = [],
): MarkdownDocument {
  const sections = sectionsOf(document);
  const own = findSection(sections, title, ...otherNames);
  if (own !== undefined && own.heading !== -1)
    return insertBlocks(document, endOfOwnText(document, own.heading), [raw]);
  const later = new Set(order.slice(order.indexOf(title) + 1).map(normalTitle));
  const next = sections.find((section) => section.level === 2 && later.has(normalTitle(section.title)));
  return insertBlocks(document, next?.heading ?? document.blocks.length, [`## ${title}`, raw]);
}

/** Behind the last block directly under a heading, before its first sub-heading. */
export function endOfOwnText(document: MarkdownDocument, heading: number): number {
  const below = document.blocks.slice(heading + 1);
  const nextHeading = below.findIndex((block) => block.kind === 'heading');
  const own = nextHeading === -1 ? below : below.slice(0, nextHeading);
  return heading + 2 + own.findLastIndex((block) => block.kind !== 'blank');
}
