import { cutAnchor } from './anchor.ts';
import { type Block, type MarkdownDocument, serializeHead } from './document.ts';
import { countLines, withoutFinalEol } from './lines.ts';

const ITEM_PREFIX = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]*/;

/** Returns a block's text without list marker, heading marks, anchor, and the indentation an item gives its lines. */
export function blockText(block: Block): string {
  if (block.kind === 'heading') return headingText(block);
  const text = withoutFinalEol(block.id === undefined ? block.raw : cutAnchor(block.raw));
  if (block.kind !== 'item') return text;
  const prefix = ITEM_PREFIX.exec(text)?.[0] ?? '';
  const indentation = new RegExp(`\\n[ \\t]{0,${prefix.length}}`, 'g');
  return text.slice(prefix.length).replaceAll(indentation, '\n');
}

/** The words of a heading, without its opening and closing `#`. */
export function headingText(block: Block): string {
  const words = block.raw.trim().replace(/^#{1,6}/, '');
  const closing = /[ \t]#+$/.exec(words);
  return (closing === null ? words : words.slice(0, closing.index)).trim();
}

export interface LineRange {
  /** 1-based, as editors and hits count. */
  readonly startLine: number;
  readonly endLine: number;
}

/** Where each block stands in the file. */
export function blockLineRanges(doc: MarkdownDocument): LineRange[] {
  let startLine = 1 + countLines(serializeHead(doc));
  return doc.blocks.map((block) => {
    const range = { startLine, endLine: startLine + Math.max(1, countLines(block.raw)) - 1 };
    startLine = range.endLine + 1;
    return range;
  });
}

export interface BlockRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/**
 * The blocks of a section, its heading included, down to the next heading that is not deeper. A heading given as text
 * is found by its words, exactly or else ignoring case; `## Facts` also demands the level.
 */
export function sectionRange(doc: MarkdownDocument, heading: string | number): BlockRange | undefined {
  const start = typeof heading === 'number' ? heading : findHeading(doc, heading);
  const block = start === undefined ? undefined : doc.blocks[start];
  if (start === undefined || block?.kind !== 'heading') return undefined;
  const length = doc.blocks.slice(start + 1).findIndex((next) => next.kind === 'heading' && next.level <= block.level);
  return { start, end: length === -1 ? doc.blocks.length : start + 1 + length };
}

function findHeading(doc: MarkdownDocument, heading: string): number | undefined {
  const marks = /^#{1,6}(?=[ \t])/.exec(heading)?.[0] ?? '';
  const words = heading.slice(marks.length).trim();
  const has = (block: Block, matches: (text: string) => boolean): boolean =>
    block.kind === 'heading' && (marks === '' || block.level === marks.length) && matches(headingText(block));
  const exact = doc.blocks.findIndex((block) => has(block, (text) => text === words));
  if (exact !== -1) return exact;
  const folded = words.toLowerCase();
  const similar = doc.blocks.findIndex((block) => has(block, (text) => text.toLowerCase() === folded));
  return similar === -1 ? undefined : similar;
}

/** The index of the first block anchored `^id`. */
export function findBlockById(doc: MarkdownDocument, id: string): number | undefined {
  const index = doc.blocks.findIndex((block) => block.id === id);
  return index === -1 ? undefined : index;
}

/** An item with the deeper items directly below it: what a person means by "this bullet". */
export function itemRange(doc: MarkdownDocument, index: number): BlockRange {
  const item = doc.blocks[index];
  let end = index + 1;
  if (item?.kind !== 'item') return { start: index, end };
  for (let at = end; at < doc.blocks.length; at += 1) {
    const block = doc.blocks[at];
    if (block?.kind === 'item' && block.level > item.level) end = at + 1;
    else if (block?.kind !== 'blank') break;
  }
  return { start: index, end };
}
