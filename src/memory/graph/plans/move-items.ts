import { itemMetadataSchema } from '../../../model/schemas/item.ts';
import { itemDefaults, type ItemDefaults } from '../../../workspace/formats/defaults.ts';
import { ENTITY_SECTIONS, OTHER_NAMES, type EntitySection } from '../../../workspace/formats/entity.ts';
import { parseItem, renderItem } from '../../../workspace/formats/item.ts';
import {
  appendInOrder,
  findSections,
  itemTree,
  sectionsOf,
  type ItemNode,
} from '../../../workspace/formats/sections.ts';
import { itemRange } from '../../../workspace/markdown/blocks.ts';
import { removeBlock, withAnchor } from '../../../workspace/markdown/edit.ts';
import { itemIds } from '../../../workspace/markdown/identity.ts';
import type { MarkdownDocument } from '../../../workspace/markdown/types.ts';
import { sameWords } from '../../../model/same-words.ts';

/** A bullet of an entity file with everything indented below it. */
export interface MovableItem {
  readonly section: EntitySection;
  /** Its anchor, or the id it goes by. */
  readonly id: string;
  readonly text: string;
  /** The blocks it is made of. */
  readonly start: number;
  readonly end: number;
}

const MOVABLE: readonly EntitySection[] = ENTITY_SECTIONS.filter((section) => section !== 'Summary');

/** Every bullet of the sections an entity file has. */
export function movableItems(document: MarkdownDocument, path: string): MovableItem[] {
  const ids = itemIds(path, document);
  const sections = sectionsOf(document);
  const place = new Map(document.blocks.map((block, index) => [block, index]));
  return MOVABLE.flatMap((section) =>
    findSections(sections, section, ...(OTHER_NAMES[section] ?? []))
      .flatMap(({ blocks }) => itemTree(blocks))
      .flatMap((node: ItemNode) => {
        const at = place.get(node.block);
        const id = at === undefined ? undefined : ids[at];
        if (at === undefined || id === undefined) return [];
        const { start, end } = itemRange(document, at);
        return [{ section, id, text: parseItem(node, itemMetadataSchema).text, start, end }];
      }),
  );
}

export interface Moved {
  readonly from: MarkdownDocument;
  readonly to: MarkdownDocument;
  /** The number of items moved. */
  readonly count: number;
  /** Ids of those that stay because the other file says the same. */
  readonly kept: readonly string[];
}

/** Takes bullets out of one file and puts them into another, with their ids; what is said there already stays behind. */
export function moveItems(
  source: { readonly document: MarkdownDocument; readonly path: string },
  target: { readonly document: MarkdownDocument; readonly path: string },
  isWanted: (item: MovableItem) => boolean,
): Moved {
  const [ours, theirs] = [source, target].map(({ document }) => itemDefaults('entity', document.frontmatter?.values));
  const said = movableItems(target.document, target.path);
  const kept: string[] = [];
  const moving: MovableItem[] = [];
  let to = target.document;
  for (const item of movableItems(source.document, source.path).filter(isWanted)) {
    if (said.some((known) => known.section === item.section && sameWords(known.text, item.text))) {
      kept.push(item.id);
      continue;
    }
    moving.push(item);
    const raw = rawOf(source.document, item, { ours: ours ?? {}, theirs: theirs ?? {} });
    to = appendInOrder(to, item.section, ENTITY_SECTIONS, raw, OTHER_NAMES[item.section]);
  }
  let from = source.document;
  for (const { start, end } of [...moving].sort((a, b) => b.start - a.start)) {
    for (let at = end - 1; at >= start; at -= 1) from = removeBlock(from, at);
  }
  return { from, to, count: moving.length, kept };
}

function rawOf(
  document: MarkdownDocument,
  { id, start, end }: MovableItem,
  defaults: { readonly ours: ItemDefaults; readonly theirs: ItemDefaults },
): string {
  const [first, ...below] = document.blocks.slice(start, end);
  if (first === undefined) return '';
  const line = inheritsOtherwise(defaults)
    ? statedAnew(first.raw, { document, at: start }, defaults)
    : first.raw.trimEnd();
  const anchored = first.id === undefined ? withAnchor(line, id) : line;
  return [anchored, ...below.map(({ raw }) => raw.trimEnd())].filter((raw) => raw.trim() !== '').join(document.eol);
}

function inheritsOtherwise({ ours, theirs }: { readonly ours: ItemDefaults; readonly theirs: ItemDefaults }): boolean {
  return JSON.stringify(ours) !== JSON.stringify(theirs);
}

/** Writes the old file's defaults into the bullet itself. */
function statedAnew(
  raw: string,
  { document, at }: { readonly document: MarkdownDocument; readonly at: number },
  { ours, theirs }: { readonly ours: ItemDefaults; readonly theirs: ItemDefaults },
): string {
  const block = document.blocks[at];
  if (block === undefined) return raw.trimEnd();
  const item = parseItem({ block, startLine: 1, endLine: 1 }, itemMetadataSchema);
  return renderItem({ ...item, meta: { ...ours, ...item.meta } }, theirs);
}
