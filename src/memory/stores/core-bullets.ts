import { CORE_BLOCKS, coreUsage, type CoreBlockName, type CoreCaps } from '../../workspace/formats/core.ts';
import { itemDefaults, resolveMetadata, type ResolvedMetadata } from '../../workspace/formats/defaults.ts';
import { parseItem, type LocatedItem } from '../../workspace/formats/item.ts';
import { findSections, itemTree, sectionsOf } from '../../workspace/formats/sections.ts';
import { itemMetadataSchema } from '../../model/schemas/item.ts';
import { blockLineRanges, blockText, itemRange } from '../../workspace/markdown/blocks.ts';
import { removeBlock } from '../../workspace/markdown/edit.ts';
import { itemIds } from '../../workspace/markdown/identity.ts';
import { visibleText } from '../../workspace/formats/metadata.ts';
import type { MarkdownDocument } from '../../workspace/markdown/document.ts';

export const CORE_FILE = 'MEMORY.md';

/** The key by which a bullet names the item of a store that says the same in full. */
export const STATES = 'states';

/** A bullet of core memory, with what decides whether it may leave. */
export interface CoreBullet {
  readonly block: CoreBlockName;
  /** Its anchor, or the id that a bullet without one goes by. */
  readonly id: string;
  readonly text: string;
  readonly meta: ResolvedMetadata;
  /** The item of a store that it states. */
  readonly states: string | undefined;
  readonly isPinned: boolean;
  /** Where its block stands in the document. */
  readonly index: number;
}

/** The bullets of the four blocks, in the file's order. */
export function coreBullets(document: MarkdownDocument): CoreBullet[] {
  const sections = sectionsOf(document);
  const ids = itemIds(CORE_FILE, document);
  const indexes = new Map(blockLineRanges(document).map(({ startLine }, index) => [startLine, index]));
  const defaults = itemDefaults('memory', document.frontmatter?.values);
  const bullets = CORE_BLOCKS.flatMap(({ name }) =>
    findSections(sections, name)
      .flatMap(({ blocks }) => itemTree(blocks))
      .flatMap((node): CoreBullet[] => {
        const item: LocatedItem = parseItem(node, itemMetadataSchema);
        const index = indexes.get(item.startLine);
        const id = index === undefined ? undefined : (item.id ?? ids[index]);
        if (index === undefined || id === undefined) return [];
        const meta = resolveMetadata(item.meta, defaults);
        const states = item.meta[STATES];
        const isPinned = meta.pinned === true;
        const stated = typeof states === 'string' ? states : undefined;
        return [{ block: name, id, text: item.text, meta, states: stated, isPinned, index }];
      }),
  );
  return bullets.sort((left, right) => left.index - right.index);
}

/** Removes a bullet with everything written below it. */
export function removeBullet(document: MarkdownDocument, bullet: CoreBullet): MarkdownDocument {
  const { start, end } = itemRange(document, bullet.index);
  let rest = document;
  for (let index = end - 1; index >= start; index -= 1) {
    if (document.blocks[index]?.kind !== 'blank') rest = removeBlock(rest, index);
  }
  return rest;
}

/** The bullet and what stands below it, as the text of an entry of its own. */
export function textOfBullet(document: MarkdownDocument, bullet: CoreBullet): string {
  const { start, end } = itemRange(document, bullet.index);
  const below = document.blocks.slice(start + 1, end).map((block) => `- ${visibleText(blockText(block)).trim()}`);
  return [bullet.text, ...below.filter((line) => line !== '- ')].join('\n');
}

/** The limit that is exceeded: the block's share, the file's caps, or none. */
export function findExcess(
  document: MarkdownDocument,
  block: CoreBlockName,
  caps: CoreCaps,
): 'block' | 'file' | undefined {
  const { share, blocks } = coreUsage(document, caps);
  const own = blocks.find(({ name }) => name === block);
  if (own !== undefined && own.tokens > own.maxTokens) return 'block';
  return share > 1 ? 'file' : undefined;
}
