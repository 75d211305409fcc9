import { itemMetadataSchema } from '../../model/schemas/item.ts';
import { parseEpisodes } from '../../workspace/formats/episode.ts';
import { parseItem } from '../../workspace/formats/item.ts';
import type { FileKind } from '../../workspace/formats/layout.ts';
import { visibleText } from '../../workspace/formats/metadata.ts';
import { locateBlocks, type LocatedBlock } from '../../workspace/formats/sections.ts';
import { blockLineRanges, blockText, itemRange, type BlockRange } from '../../workspace/markdown/blocks.ts';
import { type Block, type MarkdownDocument, parseDocument } from '../../workspace/markdown/document.ts';
import { derivedId, itemIds } from '../../workspace/markdown/identity.ts';
import { isContent, rawOf } from './cut.ts';

/** One memory where it stands in a file. */
export interface LocatedMemory {
  readonly range: BlockRange;
  /** 1-based, with what stands below it. */
  readonly startLine: number;
  readonly endLine: number;
  /** Exactly as written. */
  readonly raw: string;
  /** As a person reads it. */
  readonly text: string;
  /** Its statements, one by one: they must go when the words themselves must. */
  readonly pieces: readonly string[];
  readonly isPinned: boolean;
}

/** Finds an item by the id that search knows it by. Undefined when the file has no such item any more. */
export function locateMemory(path: string, text: string, id: string, kind: FileKind): LocatedMemory | undefined {
  const document = parseDocument(text);
  if (kind === 'episode') return findEntry(path, document, itemIds(path, document), id);
  // The first block that carries an anchor has the id; only for words without one all the others have to be looked at.
  const anchored = document.blocks.findIndex((block) => block.id === id);
  return findItem(document, anchored === -1 ? itemIds(path, document).indexOf(id) : anchored);
}

type Ids = readonly (string | undefined)[];

/** An entry is one memory however many paragraphs it has; it goes by the last id among them, as the index has it. */
function findEntry(path: string, document: MarkdownDocument, ids: Ids, id: string): LocatedMemory | undefined {
  const located = locateBlocks(document);
  for (const entry of parseEpisodes(document).entries) {
    const start = located.findIndex(({ startLine }) => startLine >= entry.startLine);
    const end = located.findLastIndex(({ endLine }) => endLine <= entry.endLine) + 1;
    const first = located[start]?.block;
    if (first === undefined || end <= start) continue;
    const own = ids.slice(start, end).findLast((known) => known !== undefined);
    if ((own ?? derivedId(path, first, 0)) !== id || isLooseList(entry, located.slice(start, end))) continue;
    const memory = describe(document, { start, end });
    const text = visibleText(entry.text).trim();
    const pieces = [text, ...(entry.title === undefined ? [] : [entry.title]), ...memory.pieces];
    return { ...memory, text, pieces: [...new Set(pieces)], isPinned: entry.meta.pinned === true };
  }
  return findItem(document, ids.indexOf(id));
}

/** As the index sees it: bullets that nobody made into an entry are memories of their own. */
function isLooseList(
  entry: { readonly time: string | undefined; readonly meta: object },
  blocks: readonly LocatedBlock[],
): boolean {
  if (entry.time !== undefined || Object.keys(entry.meta).length > 0) return false;
  return blocks.filter(({ block }) => block.kind === 'item').length > 1;
}

function findItem(document: MarkdownDocument, index: number): LocatedMemory | undefined {
  if (index === -1) return undefined;
  const { start, end } = itemRange(document, index);
  const range = { start: withAnchored(document.blocks, start), end };
  const memory = describe(document, range);
  const located = locateBlocks(document)[index];
  const isPinned = located !== undefined && parseItem(located, itemMetadataSchema).meta.pinned === true;
  return { ...memory, isPinned };
}

/** Code and tables carry their anchor in a line of its own below them. */
function withAnchored(blocks: readonly Block[], index: number): number {
  const block = blocks[index];
  if (block?.kind !== 'paragraph' || blockText(block).trim() !== '') return index;
  const above = blocks.slice(0, index).findLastIndex(isContent);
  const kind = blocks[above]?.kind;
  return kind === 'fence' || kind === 'table' ? above : index;
}

function describe(document: MarkdownDocument, range: BlockRange): Omit<LocatedMemory, 'isPinned'> {
  const blocks = document.blocks.slice(range.start, range.end);
  const said = blocks.filter((block) => isContent(block) && block.kind !== 'html' && block.kind !== 'heading');
  const pieces = said.map((block) => visibleText(blockText(block)).trim()).filter((text) => text !== '');
  const lines = blockLineRanges(document);
  const startLine = lines[range.start]?.startLine ?? 1;
  const endLine = lines[range.end - 1]?.endLine ?? startLine;
  return {
    range,
    startLine,
    endLine,
    raw: rawOf(document.blocks, range.start, range.end),
    text: pieces.join('\n'),
    pieces,
  };
}
