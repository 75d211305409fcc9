import { hash } from 'node:crypto';
import { encodeBase32 } from '../../model/ids.ts';
import { ENTITY_ID_PATTERN, type EntityFrontmatter } from '../../model/schemas/graph.ts';
import { readFrontmatter } from '../../model/schemas/index.ts';
import { itemMetadataSchema } from '../../model/schemas/item.ts';
import type { MarkdownDocument } from '../markdown/document.ts';
import { itemDefaults, type ItemDefaults } from './defaults.ts';
import {
  type Decision,
  type Fact,
  type Relation,
  type Task,
  type TimelineEvent,
  parseDecision,
  parseFact,
  parseRelations,
  parseTask,
  parseTimelineEvent,
  renderDecision,
  renderFact,
  renderRelation,
  renderTask,
  renderTimelineEvent,
} from './entity-items.ts';
import { renderFrontmatter } from '../markdown/frontmatter.ts';
import { parseItem, renderItem, type Item, type Located, type LocatedItem } from './item.ts';
import { fileStem } from './layout.ts';
import { appendInOrder, documentTitle, findSection, findSections, itemTree, sectionsOf, textOf } from './sections.ts';
import { oneLine } from '../../model/text.ts';

export const ENTITY_SECTIONS = [
  'Summary',
  'Facts',
  'Timeline',
  'Open Questions',
  'Goals and Tasks',
  'Decisions',
  'Relations',
] as const;
export type EntitySection = (typeof ENTITY_SECTIONS)[number];

/** Names that people and older files give a section. */
export const OTHER_NAMES: Readonly<Partial<Record<EntitySection, readonly string[]>>> = {
  'Goals and Tasks': ['Goals', 'Tasks'],
  Decisions: ['Key Decisions'],
};

export interface Entity {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly frontmatter: Partial<EntityFrontmatter>;
  readonly defaults: ItemDefaults;
  readonly summary: string;
  readonly facts: readonly (Fact & Located)[];
  readonly timeline: readonly (TimelineEvent & Located)[];
  readonly questions: readonly LocatedItem[];
  readonly tasks: readonly (Task & Located)[];
  readonly decisions: readonly (Decision & Located)[];
  readonly relations: readonly (Relation & Located)[];
}

/** A write has the same document checked, indexed and entered in the graph. */
const parsed = new WeakMap<MarkdownDocument, { readonly path: string; readonly entity: Entity }>();

/**
 * Fills what the frontmatter leaves out from the file's name and title: a person may start an entity with a few
 * words.
 */
export function parseEntity(document: MarkdownDocument, path: string): Entity {
  const known = parsed.get(document);
  if (known?.path === path) return known.entity;
  const entity = readEntity(document, path);
  parsed.set(document, { path, entity });
  return entity;
}

function readEntity(document: MarkdownDocument, path: string): Entity {
  const frontmatter = readFrontmatter('entity', document.frontmatter?.values);
  const sections = sectionsOf(document);
  const nodes = (name: EntitySection) =>
    findSections(sections, name, ...(OTHER_NAMES[name] ?? [])).flatMap(({ blocks }) => itemTree(blocks));
  const fileName = fileStem(path);
  const id = frontmatter.id ?? fileName;
  return {
    id,
    type: frontmatter.type ?? (id.includes('--') ? id.slice(0, id.indexOf('--')) : 'thing'),
    name: frontmatter.name ?? documentTitle(document) ?? fileName,
    frontmatter,
    defaults: itemDefaults('entity', document.frontmatter?.values),
    summary: textOf(findSection(sections, 'Summary')?.blocks ?? []),
    facts: nodes('Facts').map(parseFact),
    timeline: nodes('Timeline').map(parseTimelineEvent),
    questions: nodes('Open Questions').map((node) => parseItem(node, itemMetadataSchema)),
    tasks: nodes('Goals and Tasks').map(parseTask),
    decisions: nodes('Decisions').map(parseDecision),
    relations: nodes('Relations').flatMap(parseRelations),
  };
}

/** Room for the other part of the name, a suffix and `.md` within the 255 bytes of a file name. */
const MAX_TYPE_CHARS = 20;
const MAX_SLUG_CHARS = 60;
const MAX_SLUG_BYTES = 170;
const DIGEST_CHARS = 6;

/**
 * `person--alex`: legal as a file name everywhere, and readable in a link. A name that the slug does not tell whole
 * (too long, no letters at all) gets a digest of itself, so that two such names never share a file.
 */
export function entityId(type: string, name: string): string {
  const typeSlug = cutSlug(slugOf(type), MAX_TYPE_CHARS, MAX_TYPE_CHARS * 3);
  const whole = slugOf(name);
  const slug = cutSlug(whole, MAX_SLUG_CHARS, MAX_SLUG_BYTES);
  const id = `${typeSlug === '' ? 'thing' : typeSlug}--${slug === '' ? 'unnamed' : slug}`;
  const isWhole = slug === whole && slug !== '' && ENTITY_ID_PATTERN.test(id);
  if (isWhole) return id;
  const digest = encodeBase32(hash('sha256', name.toWellFormed().normalize('NFC'), 'buffer'), DIGEST_CHARS);
  return ENTITY_ID_PATTERN.test(id) ? `${id}-${digest}` : `thing--unnamed-${digest}`;
}

/** Lower case, accents dropped, words joined by hyphens; letters of other scripts stay. */
export function slugOf(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]+/gu, '')
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/(?<=^|-)\p{M}+/gu, '')
    .replaceAll(/-{2,}/gu, '-')
    .replaceAll(/^-+|-+$/gu, '');
}

/** Cut between letters, never between a letter and its marks. */
function cutSlug(slug: string, maxChars: number, maxBytes: number): string {
  if (slug.length <= maxChars && Buffer.byteLength(slug) <= maxBytes) return slug;
  let kept = '';
  for (const [letter] of slug.matchAll(/\P{M}\p{M}*/gu)) {
    if (kept.length + letter.length > maxChars || Buffer.byteLength(kept + letter) > maxBytes) break;
    kept += letter;
  }
  return kept.replace(/-+$/u, '');
}

/** A new entity file; `summary` may be empty, sections appear with their first item. */
export function newEntityFile(frontmatter: EntityFrontmatter & { readonly name: string }, summary: string): string {
  const head = `${renderFrontmatter(frontmatter)}\n# ${oneLine(frontmatter.name)}\n`;
  return summary === '' ? head : `${head}\n## Summary\n\n${summary.trim()}\n`;
}

type EntityAdder<T> = (document: MarkdownDocument, item: T) => MarkdownDocument;

function adder<T>(section: EntitySection, render: (item: T, defaults: ItemDefaults) => string): EntityAdder<T> {
  return (document, item) => {
    const defaults = itemDefaults('entity', document.frontmatter?.values);
    return appendInOrder(document, section, ENTITY_SECTIONS, render(item, defaults), OTHER_NAMES[section]);
  };
}

export const addFact: EntityAdder<Fact> = adder('Facts', renderFact);
export const addTimelineEvent: EntityAdder<TimelineEvent> = adder('Timeline', renderTimelineEvent);
export const addOpenQuestion: EntityAdder<Item> = adder('Open Questions', renderItem);
export const addTask: EntityAdder<Task> = adder('Goals and Tasks', renderTask);
export const addDecision: EntityAdder<Decision> = adder('Decisions', renderDecision);
export const addRelation: EntityAdder<Relation> = adder('Relations', renderRelation);
