import { findBlockById, itemRange, sectionRange, type BlockRange } from '../workspace/markdown/blocks.ts';
import { parseDocument, serializeDocument } from '../workspace/markdown/document.ts';
import { insertBlocks, removeBlock, replaceBlock } from '../workspace/markdown/edit.ts';
import { itemIds } from '../workspace/markdown/identity.ts';
import { diffBlocks } from '../workspace/markdown/merge.ts';
import type { Block, MarkdownDocument } from '../workspace/markdown/types.ts';

/** Recognises one item in any version of its file. */
export type ItemTest = (block: Block) => boolean;

/** By its anchor; text without one has an id made from its words, and is followed as long as those stay. */
export function createItemTest(path: string, id: string, current: string): ItemTest {
  const doc = parseDocument(current);
  const index = findBlockById(doc, id) === undefined ? itemIds(path, doc).indexOf(id) : -1;
  const words = doc.blocks[index]?.raw.trim();
  return (block) => block.id === id || (words !== undefined && block.raw.trim() === words);
}

/**
 * The later version with nothing but this item as it was in the earlier one; undefined when the item did not change
 * between them.
 */
export function reverseItem(before: string, after: string, isItem: ItemTest): string | undefined {
  const { added, removed, changed } = diffBlocks(before, after);
  const afterDoc = parseDocument(after);
  const edit = changed.find((pair) => isItem(pair.after) || isItem(pair.before));
  if (edit !== undefined) {
    const index = afterDoc.blocks.findIndex((block) => isEqual(block, edit.after));
    return serializeDocument(replaceBlock(afterDoc, index, edit.before.raw));
  }
  if (added.some(isItem)) {
    return serializeDocument(removeRange(afterDoc, itemExtent(afterDoc, afterDoc.blocks.findIndex(isItem), added)));
  }
  if (!removed.some(isItem)) return undefined;
  const beforeDoc = parseDocument(before);
  const extent = itemExtent(beforeDoc, beforeDoc.blocks.findIndex(isItem), removed);
  return serializeDocument(insertRange(afterDoc, beforeDoc, extent));
}

/** An entry comes and goes with its heading if both did so together and nothing else of importance stands under it. */
function itemExtent(doc: MarkdownDocument, index: number, together: readonly Block[]): BlockRange {
  const came = (block: Block): boolean => together.some((other) => isEqual(other, block));
  const heading = doc.blocks.slice(0, index).findLastIndex((block) => block.kind === 'heading');
  const section = heading === -1 ? undefined : sectionRange(doc, heading);
  if (section !== undefined) {
    const content = doc.blocks.slice(section.start, section.end).filter((block) => block.kind !== 'blank');
    const anchors = content.filter((block) => block.id !== undefined).length;
    const headings = content.filter((block) => block.kind === 'heading').length;
    if (content.every(came) && anchors <= 1 && headings === 1) return section;
  }
  const range = itemRange(doc, index);
  const isWhole = doc.blocks.slice(range.start, range.end).every((block) => block.kind === 'blank' || came(block));
  return isWhole ? range : { start: index, end: index + 1 };
}

function removeRange(doc: MarkdownDocument, range: BlockRange): MarkdownDocument {
  let result = doc;
  for (let index = range.end - 1; index >= range.start; index -= 1) {
    if (doc.blocks[index]?.kind !== 'blank') result = removeBlock(result, index);
  }
  return result;
}

/** Puts blocks of `source` back behind the nearest block before them that is still there. */
function insertRange(doc: MarkdownDocument, source: MarkdownDocument, range: BlockRange): MarkdownDocument {
  const raws = source.blocks.slice(range.start, range.end).map((block) => block.raw);
  const earlier = source.blocks.slice(0, range.start).filter((block) => block.kind !== 'blank');
  for (const neighbour of earlier.reverse()) {
    const index = doc.blocks.findIndex((block) => isEqual(block, neighbour));
    if (index !== -1) return insertBlocks(doc, index + 1, raws);
  }
  return insertBlocks(doc, 0, raws);
}

/** The same block, whatever happened to its text if it has an anchor. */
function isEqual(a: Block, b: Block): boolean {
  return a.id === undefined || b.id === undefined ? a.raw.trim() === b.raw.trim() : a.id === b.id;
}
