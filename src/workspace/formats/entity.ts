import type { EntityFrontmatter } from '../../model/schemas/graph.ts';
import { readFrontmatter } from '../../model/schemas/index.ts';
import { replaceBlock } from '../markdown/edit.ts';
import { findBlockById } from '../markdown/blocks.ts';
import type { MarkdownDocument } from '../markdown/types.ts';
import { itemDefaults, type ItemDefaults } from './defaults.ts';
import {
  parseDecision,
  parseRelations,
  parseTask,
  parseTimelineEvent,
  renderDecision,
  renderRelation,
  renderTask,
  renderTimelineEvent,
  type Decision,
  type Relation,
  type Task,
  type TimelineEvent,
} from './entity-items.ts';
import { parseFact, renderFact, supersedeFact, type Fact } from './fact.ts';
import { renderFrontmatter } from './frontmatter-text.ts';
import { oneLine, parseItems, renderItem, type Item, type Located, type LocatedItem } from './item.ts';
import { fileStem } from './layout.ts';
import { appendInOrder, documentTitle, findSection, itemTree, locateBlocks, sectionsOf, textOf } from './sections.ts';

export const ENTITY_SECTIONS = [
  'Summary',
  'Facts',
  'Timeline',
  'Open Questions',
  'Goals and Tasks',
  'Decisions',
  'Relations',
] as const;

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

/** What the frontmatter leaves out, the file's name and title tell: a person may start an entity with a few words. */
export function parseEntity(document: MarkdownDocument, path: string): Entity {
  const frontmatter = readFrontmatter('entity', document.frontmatter?.values);
  const sections = sectionsOf(document);
  const nodes = (...names: string[]) => itemTree(findSection(sections, ...names)?.blocks ?? []);
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
    questions: parseItems(findSection(sections, 'Open Questions')),
    tasks: nodes('Goals and Tasks', 'Goals', 'Tasks').map(parseTask),
    decisions: nodes('Decisions', 'Key Decisions').map(parseDecision),
    relations: nodes('Relations').flatMap(parseRelations),
  };
}

/** `person--alex`: legal as a file name everywhere, and readable in a link. */
export function entityId(type: string, name: string): string {
  return `${slugOf(type) || 'thing'}--${slugOf(name) || 'unnamed'}`;
}

/** Lower case, accents dropped, words joined by hyphens; letters of other scripts stay. */
export function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]+/gu, '')
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, 60)
    .replace(/-+$/u, '');
}

/** A new entity file; `summary` may be empty, sections appear with their first item. */
export function newEntityFile(frontmatter: EntityFrontmatter & { readonly name: string }, summary: string): string {
  const head = `${renderFrontmatter(frontmatter)}\n# ${oneLine(frontmatter.name)}\n`;
  return summary === '' ? head : `${head}\n## Summary\n\n${summary.trim()}\n`;
}

type EntityAdder<T> = (document: MarkdownDocument, item: T) => MarkdownDocument;

function adder<T>(
  section: (typeof ENTITY_SECTIONS)[number],
  render: (item: T, defaults: ItemDefaults) => string,
): EntityAdder<T> {
  return (document, item) => {
    const defaults = itemDefaults('entity', document.frontmatter?.values);
    return appendInOrder(document, section, ENTITY_SECTIONS, render(item, defaults));
  };
}

export const addFact: EntityAdder<Fact> = adder('Facts', renderFact);
export const addTimelineEvent: EntityAdder<TimelineEvent> = adder('Timeline', renderTimelineEvent);
export const addOpenQuestion: EntityAdder<Item> = adder('Open Questions', renderItem);
export const addTask: EntityAdder<Task> = adder('Goals and Tasks', renderTask);
export const addDecision: EntityAdder<Decision> = adder('Decisions', renderDecision);
export const addRelation: EntityAdder<Relation> = adder('Relations', renderRelation);

/** Rewrites the fact anchored `id` through `change`; undefined when the document has no such item. */
export function changeFact(
  document: MarkdownDocument,
  id: string,
  change: (fact: Fact) => Fact,
): MarkdownDocument | undefined {
  const index = findBlockById(document, id);
  const located = index === undefined ? undefined : locateBlocks(document)[index];
  if (index === undefined || located?.block.kind !== 'item') return undefined;
  const defaults = itemDefaults('entity', document.frontmatter?.values);
  const indent = ' '.repeat(located.block.level);
  return replaceBlock(document, index, indent + renderFact(change(parseFact(located)), defaults));
}

/** Strikes the fact anchored `id` through and dates it; undefined when the document has no such item. */
export function supersedeFactById(
  document: MarkdownDocument,
  id: string,
  until: string,
  supersededBy: string | undefined,
): MarkdownDocument | undefined {
  return changeFact(document, id, (fact) => supersedeFact(fact, until, supersededBy));
}
