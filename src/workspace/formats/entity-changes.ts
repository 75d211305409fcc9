import { findBlockById, itemRange } from '../markdown/blocks.ts';
import { insertBlocks, replaceBlock } from '../markdown/edit.ts';
import { itemIds } from '../markdown/identity.ts';
import type { MarkdownDocument } from '../markdown/document.ts';
import { itemDefaults, type ItemDefaults } from './defaults.ts';
import {
  type Decision,
  type Fact,
  type Task,
  parseDecision,
  parseFact,
  parseTask,
  renderDecision,
  renderFact,
  renderTask,
} from './entity-items.ts';
import { locateBlocks, type ItemNode } from './sections.ts';
import { oneLine } from '../../model/text.ts';

/** Changes of single bullets of an entity file. Each gives undefined when the document has no such item. */

/** Where an item stands: by its anchor, or by the id that a bullet without one goes by everywhere else. */
export function findItemIndex(document: MarkdownDocument, path: string, id: string): number | undefined {
  const anchored = findBlockById(document, id);
  const index = anchored ?? itemIds(path, document).indexOf(id);
  return document.blocks[index]?.kind === 'item' ? index : undefined;
}

const OWN_PREFIX = /^([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)/u;

/** The bullet keeps its marker and place; an id that was only derived becomes its anchor. */
function changeItem<T extends { readonly id: string | undefined }>(
  document: MarkdownDocument,
  place: { readonly path: string; readonly id: string },
  parse: (node: ItemNode) => T,
  render: (item: T, defaults: ItemDefaults) => string,
): MarkdownDocument | undefined {
  const index = findItemIndex(document, place.path, place.id);
  const located = index === undefined ? undefined : locateBlocks(document)[index];
  if (index === undefined || located === undefined) return undefined;
  const defaults = itemDefaults('entity', document.frontmatter?.values);
  const item = { ...parse({ ...located, children: [] }), id: place.id };
  const line = render(item, defaults);
  const prefix = OWN_PREFIX.exec(located.block.raw)?.[1] ?? '- ';
  return replaceBlock(document, index, prefix + line.replace(/^- /u, ''));
}

export function changeFact(
  document: MarkdownDocument,
  path: string,
  id: string,
  change: (fact: Fact) => Fact,
): MarkdownDocument | undefined {
  return changeItem(document, { path, id }, parseFact, (fact, defaults) => renderFact(change(fact), defaults));
}

export function changeTask(
  document: MarkdownDocument,
  path: string,
  id: string,
  change: (task: Task) => Task,
): MarkdownDocument | undefined {
  return changeItem(document, { path, id }, parseTask, (task, defaults) => renderTask(change(task), defaults));
}

export interface DecisionEnd {
  readonly status: 'reversed' | 'superseded';
  readonly date: string;
  readonly why: string | undefined;
  readonly supersededBy: string | undefined;
}

/** Says beside the decision that it no longer holds, and below it since when and why, where a person reads it. */
export function endDecision(
  document: MarkdownDocument,
  path: string,
  id: string,
  end: DecisionEnd,
): MarkdownDocument | undefined {
  const index = findItemIndex(document, path, id);
  const block = index === undefined ? undefined : document.blocks[index];
  if (index === undefined || block === undefined) return undefined;
  const why = end.why === undefined || end.why.trim() === '' ? '' : ` — ${oneLine(end.why)}`;
  const label = end.status === 'reversed' ? 'Reversed' : 'Superseded';
  const indent = ' '.repeat(OWN_PREFIX.exec(block.raw)?.[1]?.length ?? 2);
  const told = insertBlocks(document, itemRange(document, index).end, [`${indent}- ${label}: ${end.date}${why}`]);
  const by = end.supersededBy === undefined ? {} : { superseded_by: end.supersededBy };
  const mark = (decision: Decision): Decision => ({
    ...decision,
    meta: { ...decision.meta, status: end.status, until: end.date, ...by },
  });
  // The bullets below stay as they are, so the decision is rendered without them.
  return changeItem(told, { path, id }, parseDecision, (decision, defaults) =>
    renderDecision(mark(decision), defaults),
  );
}
