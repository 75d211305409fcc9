import { must } from '../../model/errors.ts';
import { blockLineRanges, headingText, sectionRange, type LineRange } from '../markdown/blocks.ts';
import { appendToSection, insertBlocks } from '../markdown/edit.ts';
import type { Block, MarkdownDocument } from '../markdown/types.ts';

export interface LocatedBlock extends LineRange {
  readonly block: Block;
}

/** A heading and what stands below it, up to the next heading of the same or a higher level. */
export interface Section {
  /** The heading's text without hashes; '' for what stands before the first heading. */
  readonly title: string;
  readonly level: number;
  readonly line: number;
  readonly blocks: readonly LocatedBlock[];
}

export function locateBlocks(document: MarkdownDocument): LocatedBlock[] {
  const ranges = blockLineRanges(document);
  return document.blocks.map((block, index) => ({ block, ...must(ranges[index], 'the range of a block') }));
}

/** Cuts the document at headings of `level` and above; deeper headings stay inside their section. */
export function sectionsOf(document: MarkdownDocument, level = 2): Section[] {
  const sections: Section[] = [];
  let open: { title: string; level: number; line: number; blocks: LocatedBlock[] } = {
    title: '',
    level: 0,
    line: 1,
    blocks: [],
  };
  for (const located of locateBlocks(document)) {
    const { block } = located;
    if (block.kind === 'heading' && block.level <= level) {
      sections.push(open);
      open = { title: headingText(block), level: block.level, line: located.startLine, blocks: [] };
    } else {
      open.blocks.push(located);
    }
  }
  sections.push(open);
  return sections.filter((section) => section.level > 0 || section.blocks.some(({ block }) => block.kind !== 'blank'));
}

/** The first section of that name; case and a trailing colon do not count. */
export function findSection(sections: readonly Section[], ...names: readonly string[]): Section | undefined {
  const wanted = new Set(names.map(normalTitle));
  return sections.find((section) => wanted.has(normalTitle(section.title)));
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

/** Appends under `title`; a missing section is made where `order` puts it, not at the end of the file. */
export function appendInOrder(
  document: MarkdownDocument,
  title: string,
  order: readonly string[],
  raw: string,
): MarkdownDocument {
  if (sectionRange(document, title) !== undefined) return appendToSection(document, title, raw);
  const later = order.slice(order.indexOf(title) + 1).map((name) => sectionRange(document, name)?.start);
  const next = later.find((start) => start !== undefined);
  return insertBlocks(document, next ?? document.blocks.length, [`## ${title}`, raw]);
}
