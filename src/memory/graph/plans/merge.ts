import { MnemeError } from '../../../model/errors.ts';
import { sameWords } from '../../../model/same-words.ts';
import { itemMetadataSchema } from '../../../model/schemas/item.ts';
import { itemDefaults, type ItemDefaults } from '../../../workspace/formats/defaults.ts';
import { parseItem, renderItem } from '../../../workspace/formats/item.ts';
import { headingText, itemRange } from '../../../workspace/markdown/blocks.ts';
import { type MarkdownDocument, parseDocument, serializeDocument } from '../../../workspace/markdown/document.ts';
import { insertBlocks, removeBlock, withAnchor } from '../../../workspace/markdown/edit.ts';
import { type FrontmatterValue, setFrontmatterValue } from '../../../workspace/markdown/frontmatter.ts';
import {
  type ItemNode,
  appendInOrder,
  findSection,
  findSections,
  itemTree,
  sectionsOf,
  textOf,
} from '../../../workspace/formats/sections.ts';
import { ENTITY_SECTIONS, type EntitySection, OTHER_NAMES, newEntityFile } from '../../../workspace/formats/entity.ts';
import { itemIds } from '../../../workspace/markdown/identity.ts';
import { refuseDamaged } from '../../stores/plan.ts';
import { addAliases } from '../../stores/entities/add.ts';
import type { EntityRecord } from '../../stores/registry/entity-record.ts';

/** A file as it is and as it would be. */
export interface FileDraft {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

export interface MergeDraft {
  readonly files: readonly FileDraft[];
  readonly moved: number;
  /** Ids that stay where they are, because the other file says the same. */
  readonly kept: readonly string[];
  readonly notes: readonly string[];
}

export interface Merging {
  /** The entity that is given up: its file stays as a pointer to the other. */
  readonly from: EntityRecord;
  readonly into: EntityRecord;
  readonly readText: (path: string) => string;
  readonly now: string;
}

/** One entity instead of two: everything known of the first goes to the second, and nothing is thrown away. */
export function draftMerge({ from, into, readText, now }: Merging): MergeDraft {
  if (from.path === into.path) throw new MnemeError('usage', `${from.name} is one entity already.`);
  if (from.mergedInto !== undefined || into.mergedInto !== undefined) {
    const merged = from.mergedInto === undefined ? into : from;
    throw new MnemeError('conflict', `${merged.name} (${merged.id}) was merged into ${merged.mergedInto} already.`);
  }
  if (from.scope !== into.scope) {
    throw new MnemeError('refused', `${from.id} belongs to ${from.scope}, ${into.id} to ${into.scope}.`, {
      hint: 'What is private to one scope is not moved into another.',
    });
  }
  refuseDamaged(from.path, from.damage);
  refuseDamaged(into.path, into.damage);
  const [ours, theirs] = [readText(from.path), readText(into.path)];
  const source = { document: parseDocument(ours), path: from.path };
  const target = { document: parseDocument(theirs), path: into.path };
  const { from: rest, to, count, kept } = moveItems(source, target, () => true);
  const filled = takeOver(to, source.document, { from, into });
  const files = [
    { path: into.path, before: theirs, after: serializeDocument(setFrontmatterValue(filled.document, 'updated', now)) },
    { path: from.path, before: ours, after: serializeDocument(asSign(rest, into, now)) },
  ];
  return { files, moved: count, kept, notes: filled.notes };
}

/** Names, properties and tags that the other lacks; where both have a value, the other's stays and the difference is told. */
function takeOver(
  document: MarkdownDocument,
  source: MarkdownDocument,
  { from, into }: Pick<Merging, 'from' | 'into'>,
): { readonly document: MarkdownDocument; readonly notes: readonly string[] } {
  const notes: string[] = [];
  let filled = addAliases(document, into.name, [from.name, ...from.aliases]);
  const [ours, theirs] = [recordOf(source, 'properties'), recordOf(document, 'properties')];
  const missing = Object.entries(ours).filter(([key, value]) => {
    if (!Object.hasOwn(theirs, key)) return true;
    if (JSON.stringify(theirs[key]) !== JSON.stringify(value)) {
      notes.push(
        `${key} is ${JSON.stringify(theirs[key])} in ${into.id} and ${JSON.stringify(value)} in ${from.id}; the first is kept.`,
      );
    }
    return false;
  });
  if (missing.length > 0) {
    filled = setFrontmatterValue(filled, 'properties', { ...theirs, ...Object.fromEntries(missing) });
  }
  const tags = [...listOf(document, 'tags'), ...listOf(source, 'tags')];
  if (new Set(tags).size > listOf(document, 'tags').length) {
    filled = setFrontmatterValue(filled, 'tags', [...new Set(tags)]);
  }
  const summary = summaryOf(source);
  if (summary !== '' && summaryOf(document) === '') filled = appendInOrder(filled, 'Summary', ENTITY_SECTIONS, summary);
  return { document: filled, notes };
}

/** The rest of the file: a pointer to the new place, and everything that could not be moved. */
function asSign(document: MarkdownDocument, into: EntityRecord, now: string): MarkdownDocument {
  let sign = setFrontmatterValue(document, 'status', 'merged');
  sign = setFrontmatterValue(sign, 'merged_into', into.id);
  sign = setFrontmatterValue(sign, 'updated', now);
  const title = sign.blocks.findIndex((block) => block.kind === 'heading' && block.level === 1);
  const line = `Merged into [[${into.id}|${into.name.replaceAll(/[[\]|]/gu, ' ')}]].`;
  return withoutEmptySections(insertBlocks(sign, title === -1 ? 0 : title + 1, [line]));
}

/** A heading under which nothing is left says nothing. */
function withoutEmptySections(document: MarkdownDocument): MarkdownDocument {
  const titles = new Set<string>(ENTITY_SECTIONS);
  let left = document;
  for (let at = document.blocks.length - 1; at >= 0; at -= 1) {
    const block = left.blocks[at];
    if (block?.kind !== 'heading' || block.level !== 2 || !titles.has(headingText(block))) continue;
    const next = left.blocks.slice(at + 1).find(({ kind }) => kind !== 'blank');
    if (next === undefined || (next.kind === 'heading' && next.level <= 2)) left = removeBlock(left, at);
  }
  return left;
}

function summaryOf(document: MarkdownDocument): string {
  return textOf(findSection(sectionsOf(document), 'Summary')?.blocks ?? []);
}

function recordOf(document: MarkdownDocument, key: string): Readonly<Record<string, FrontmatterValue>> {
  const value = document.frontmatter?.values?.[key];
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as Readonly<Record<string, FrontmatterValue>>) : {};
}

function listOf(document: MarkdownDocument, key: string): string[] {
  const value = document.frontmatter?.values?.[key];
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' && value !== '' ? [value] : [];
}

interface Splitting {
  readonly entity: EntityRecord;
  readonly text: string;
  /** The new entity, under a name and file nobody else has. */
  readonly id: string;
  readonly path: string;
  readonly type: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** The facts, tasks, decisions and relations that are the other's. */
  readonly items: readonly string[];
  readonly now: string;
}

/** Two entities instead of one: the chosen lines go to a file of their own, with their ids and their history. */
export function draftSplit(splitting: Splitting): { readonly files: readonly FileDraft[]; readonly moved: number } {
  const { entity, text, id, path, type, name, aliases, items, now } = splitting;
  refuseDamaged(entity.path, entity.damage);
  const document = parseDocument(text);
  const known = new Set(movableItems(document, entity.path).map((item) => item.id));
  const missing = items.filter((item) => !known.has(item));
  if (missing.length > 0) {
    throw new MnemeError('not-found', `${entity.path} has no item ${missing.join(', ')}.`, {
      hint: `\`mneme graph show ${entity.id}\` lists the ids of its facts, tasks, decisions and relations.`,
    });
  }
  const made = newEntityFile({ id, type, name, aliases: [...aliases], created: now, updated: now }, '');
  const wanted = new Set(items);
  const { from, to, count } = moveItems(
    { document, path: entity.path },
    { document: parseDocument(made), path },
    (item) => wanted.has(item.id),
  );
  const rest = from.frontmatter === undefined ? from : setFrontmatterValue(from, 'updated', now);
  return {
    files: [
      { path: entity.path, before: text, after: serializeDocument(rest) },
      { path, before: undefined, after: serializeDocument(to) },
    ],
    moved: count,
  };
}

/** A bullet of an entity file with everything indented below it. */
interface MovableItem {
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
function movableItems(document: MarkdownDocument, path: string): MovableItem[] {
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

interface Moved {
  readonly from: MarkdownDocument;
  readonly to: MarkdownDocument;
  /** The number of items moved. */
  readonly count: number;
  /** Ids of those that stay because the other file says the same. */
  readonly kept: readonly string[];
}

/** Takes bullets out of one file and puts them into another, with their ids; what is said there already stays behind. */
function moveItems(
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
