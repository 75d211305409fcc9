import { hash } from 'node:crypto';
import { encodeBase32, ITEM_ID_LENGTH } from '../../model/ids.ts';
import { blockText } from './blocks.ts';
import { alignUnits } from './merge/pairing.ts';
import { takeApart } from './merge/units.ts';
import type { Block, MarkdownDocument } from './document.ts';

/** Kinds that are items of memory in their own right; a heading names others, rules and HTML say nothing. */
const ITEM_KINDS: ReadonlySet<Block['kind']> = new Set(['paragraph', 'item', 'fence', 'table']);

type Ids = readonly (string | undefined)[];

/** The id of text without an anchor: from its path, its words, and how many equal blocks stand before it. */
export function derivedId(path: string, block: Block, occurrence: number): string {
  const digest = hash('sha256', `${path}\0${normalizedText(block)}\0${occurrence}`, 'buffer');
  return encodeBase32(digest, ITEM_ID_LENGTH);
}

/** Re-wrapping, re-indenting or another bullet leaves a block what it is. */
function normalizedText(block: Block): string {
  return blockText(block).replaceAll(/\s+/g, ' ').trim().toWellFormed();
}

/** An id for every paragraph, item, fence and table, no id twice; undefined for the other blocks. */
export function itemIds(path: string, doc: MarkdownDocument): (string | undefined)[] {
  return assignIds(path, doc, []);
}

export interface Revision {
  readonly path: string;
  readonly before: MarkdownDocument;
  /** The ids `before`'s blocks had: from `itemIds`, or followed from an earlier revision. */
  readonly beforeIds: Ids;
  readonly after: MarkdownDocument;
}

/**
 * The ids of `after`'s blocks. A block keeps its id through a small edit or a move; of two blocks with one anchor the
 * one that was there before keeps it.
 */
export function followIds({ path, before, beforeIds, after }: Revision): (string | undefined)[] {
  const inherited: (string | undefined)[] = [];
  for (const [from, to] of followBlocks(before, after)) inherited[to] = beforeIds[from];
  return assignIds(path, after, inherited);
}

/** Maps each block of `before` to its block in `after`, by index: same anchor or text, moved as it is, or edited. */
function followBlocks(before: MarkdownDocument, after: MarkdownDocument): Map<number, number> {
  const oldIndexes = contentIndexes(before);
  const newIndexes = contentIndexes(after);
  const oldUnits = takeApart(before.blocks).units;
  const newUnits = takeApart(after.blocks).units;
  const partners = alignUnits(oldUnits, newUnits, { pairReplacements: false });
  const isTaken = new Set(partners);
  const newcomers = Map.groupBy(
    newUnits.keys().filter((at) => !isTaken.has(at)),
    (at) => newUnits[at]?.content ?? '',
  );
  const followed = new Map<number, number>();
  for (const [at, unit] of oldUnits.entries()) {
    const partner = partners[at] === -1 ? newcomers.get(unit.content)?.shift() : partners[at];
    const from = oldIndexes[at];
    const to = newIndexes[partner ?? -1];
    if (from !== undefined && to !== undefined) followed.set(from, to);
  }
  return followed;
}

function contentIndexes(doc: MarkdownDocument): number[] {
  return [...doc.blocks.keys()].filter((index) => doc.blocks[index]?.kind !== 'blank');
}

function assignIds(path: string, doc: MarkdownDocument, inherited: Ids): (string | undefined)[] {
  const ids: (string | undefined)[] = doc.blocks.map(() => undefined);
  const used = new Set<string>();
  const claim = (index: number, id: string | undefined): void => {
    if (id === undefined || used.has(id) || ids[index] !== undefined) return;
    ids[index] = id;
    used.add(id);
  };
  const isItem = (block: Block): boolean => ITEM_KINDS.has(block.kind);
  for (const [index, block] of doc.blocks.entries()) if (block.id === inherited[index]) claim(index, block.id);
  for (const [index, block] of doc.blocks.entries()) claim(index, block.id);
  for (const [index, block] of doc.blocks.entries()) if (isItem(block)) claim(index, inherited[index]);
  // Anchored blocks count as occurrences too: writing an anchor must not shift the ids of equal blocks below it.
  const occurrences = new Map<string, number>();
  for (const [index, block] of doc.blocks.entries()) {
    if (!isItem(block)) continue;
    const text = normalizedText(block);
    let occurrence = occurrences.get(text) ?? 0;
    occurrences.set(text, occurrence + 1);
    while (ids[index] === undefined) {
      claim(index, derivedId(path, block, occurrence));
      occurrence += 1;
    }
  }
  return ids;
}

export interface DuplicateAnchor {
  readonly id: string;
  /** The indexes of the blocks that carry it. */
  readonly blocks: readonly number[];
}

export function findDuplicateAnchors(doc: MarkdownDocument): DuplicateAnchor[] {
  const byId = Map.groupBy(
    [...doc.blocks.keys()].filter((index) => doc.blocks[index]?.id !== undefined),
    (index) => doc.blocks[index]?.id ?? '',
  );
  return [...byId].filter(([, blocks]) => blocks.length > 1).map(([id, blocks]) => ({ id, blocks }));
}
