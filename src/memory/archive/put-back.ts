import { sectionRange } from '../../workspace/markdown/blocks.ts';
import { parseDocument, serializeDocument, serializeWithBody } from '../../workspace/markdown/document.ts';
import { appendToSection, insertBlocks } from '../../workspace/markdown/edit.ts';
import { countLines } from '../../workspace/markdown/lines.ts';
import type { Block, MarkdownDocument } from '../../workspace/markdown/types.ts';
import { isContent, neighbourKey, rawOf, type CutPlace } from './cut.ts';

/**
 * The text with `source` where it was cut from: to the byte while its neighbours still stand beside each other, else
 * beside the one that is left, else below its heading, else at the end.
 */
export function putBack(text: string, source: string, place: CutPlace): string {
  const document = parseDocument(text);
  const { blocks } = document;
  const exact = findSeam(blocks, place);
  if (exact !== undefined) return insertAt(document, exact, (place.lead ?? '') + source + (place.tail ?? '\n'));
  const before = findBlock(blocks, place.before);
  if (before !== undefined) return serializeDocument(insertBlocks(document, before, [source]));
  const after = findBlock(blocks, place.after);
  if (after !== undefined) {
    // Where a blank line stood before it, it stands behind the one that is there now.
    const next = place.skip === undefined ? after + 1 : nextContent(blocks, after);
    return serializeDocument(insertBlocks(document, next, [source]));
  }
  if (place.under !== undefined && sectionRange(document, place.under) !== undefined) {
    return serializeDocument(appendToSection(document, place.under, source));
  }
  return serializeDocument(insertBlocks(document, blocks.length, [source]));
}

/** The index of the block before which it stood, when both neighbours are there with nothing between them. */
function findSeam(blocks: readonly Block[], { after, before, nth = 0, skip = 0 }: CutPlace): number | undefined {
  const content = [...blocks.keys()].filter((index) => isContentAt(blocks, index));
  const sides = [-1, ...content, blocks.length];
  const seams = sides.flatMap((left, at) => {
    const right = sides[at + 1];
    if (right === undefined || keyOf(blocks, left) !== after || keyOf(blocks, right) !== before) return [];
    const index = indexBehind(blocks, left, right, skip);
    return index === undefined ? [] : [{ index, distance: Math.abs(at - nth) }];
  });
  return seams.toSorted((one, other) => one.distance - other.distance)[0]?.index;
}

/** The block behind so many blank lines. */
function indexBehind(blocks: readonly Block[], left: number, right: number, skip: number): number | undefined {
  for (let index = left + 1; index <= right; index += 1) {
    if (countLines(rawOf(blocks, left + 1, index)) === skip) return index;
  }
  return undefined;
}

function insertAt(document: MarkdownDocument, index: number, raw: string): string {
  const { blocks } = document;
  return serializeWithBody(document, rawOf(blocks, 0, index) + raw + rawOf(blocks, index, blocks.length));
}

function keyOf(blocks: readonly Block[], index: number): string | undefined {
  const block = blocks[index];
  return block === undefined ? undefined : neighbourKey(block);
}

function findBlock(blocks: readonly Block[], key: string | undefined): number | undefined {
  if (key === undefined) return undefined;
  const index = blocks.findIndex((block) => isContent(block) && neighbourKey(block) === key);
  return index === -1 ? undefined : index;
}

function nextContent(blocks: readonly Block[], index: number): number {
  const behind = blocks.slice(index + 1).findIndex(isContent);
  return behind === -1 ? blocks.length : index + 1 + behind;
}

function isContentAt(blocks: readonly Block[], index: number): boolean {
  const block = blocks[index];
  return block !== undefined && isContent(block);
}
