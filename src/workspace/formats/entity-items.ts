import {
  type DecisionMetadata,
  type FactMetadata,
  type TaskMetadata,
  decisionMetadataSchema,
  factMetadataSchema,
  itemMetadataSchema,
  taskMetadataSchema,
} from '../../model/schemas/item.ts';
import type { ItemDefaults } from './defaults.ts';
import { type Item, type Located, parseDetails, parseItem, renderItem } from './item.ts';
import type { ItemNode, LocatedBlock } from './sections.ts';
import { oneLine } from '../../model/text.ts';

/** The bullets of an entity file: facts, events, tasks, decisions and relations. */

export interface TimelineEvent extends Item {
  /** A day, month or year; undefined where a person wrote none. */
  readonly date: string | undefined;
}

const DATE_AT_START = /^\**\[?(\d{4}(?:-\d{2}){0,2})\]?\**(?:\s*[:—–]\s*|\s+)/u;

function splitDate(text: string): { readonly date: string | undefined; readonly text: string } {
  const match = DATE_AT_START.exec(text);
  return match === null ? { date: undefined, text } : { date: match[1], text: text.slice(match[0].length) };
}

function joinDate(date: string | undefined, text: string): string {
  return date === undefined ? text : `${date}: ${text}`;
}

export function parseTimelineEvent(located: LocatedBlock): TimelineEvent & Located {
  const item = parseItem(located, itemMetadataSchema);
  return { ...item, ...splitDate(item.text) };
}

export function renderTimelineEvent(event: TimelineEvent, defaults: ItemDefaults): string {
  return renderItem({ ...event, text: joinDate(event.date, event.text) }, defaults);
}

export type TaskState = NonNullable<TaskMetadata['status']>;

/** A goal or task: `- [ ] text <!-- due:2026-03-01 --> ^id`; the box says the state as far as a box can. */
export interface Task extends Item<TaskMetadata> {
  readonly status: TaskState;
}

const BOX = /^\[(.)\]\s+/u;
const BOX_STATES: Readonly<Record<string, TaskState>> = {
  ' ': 'open',
  x: 'done',
  X: 'done',
  '-': 'dropped',
  '/': 'active',
};
const STATE_BOXES: Readonly<Record<TaskState, string>> = {
  open: ' ',
  active: '/',
  blocked: ' ',
  done: 'x',
  dropped: '-',
};

export function parseTask(located: LocatedBlock): Task & Located {
  const item = parseItem(located, taskMetadataSchema);
  const box = BOX.exec(item.text);
  const { status: stated, ...meta } = item.meta;
  const boxed = BOX_STATES[box?.[1] ?? ' '] ?? 'open';
  // A person ticks the box and leaves the word beside it: the box wins once it says more than "open".
  const status = boxed === 'open' ? (stated ?? 'open') : boxed;
  return { ...item, meta, status, text: box === null ? item.text : item.text.slice(box[0].length) };
}

export function renderTask(task: Task, defaults: ItemDefaults): string {
  const meta = task.status === 'blocked' ? { ...task.meta, status: task.status } : task.meta;
  return renderItem({ id: task.id, text: `[${STATE_BOXES[task.status]}] ${task.text}`, meta }, defaults);
}

/** `- 2026-02-14: Keep files as the truth. ^id` with its rationale and impact as bullets below. */
export interface Decision extends Item<DecisionMetadata> {
  readonly date: string | undefined;
  readonly rationale: string | undefined;
  readonly impact: string | undefined;
  /** For one that no longer holds: since when and why, as a person reads it. */
  readonly ended?: string | undefined;
}

export function parseDecision(node: ItemNode): Decision & Located {
  const item = parseItem(node, decisionMetadataSchema);
  const details = parseDetails(node.children);
  const last = node.children.at(-1);
  const ended = details.get('reversed') ?? details.get('superseded');
  return {
    ...item,
    ...splitDate(item.text),
    rationale: details.get('rationale'),
    impact: details.get('impact'),
    endLine: last?.endLine ?? item.endLine,
    ...(ended === undefined ? {} : { ended }),
  };
}

export function renderDecision(decision: Decision, defaults: ItemDefaults): string {
  const lines = [renderItem({ ...decision, text: joinDate(decision.date, decision.text) }, defaults)];
  if (decision.rationale !== undefined) lines.push(`  - Rationale: ${oneLine(decision.rationale)}`);
  if (decision.impact !== undefined) lines.push(`  - Impact: ${oneLine(decision.impact)}`);
  return lines.join('\n');
}

/** An edge that starts at the entity: `- develops [[project--x]] <!-- from:2026-01 --> ^id`. */
export interface Relation {
  readonly id: string | undefined;
  readonly relation: string;
  readonly target: string;
  readonly meta: FactMetadata;
  readonly isSuperseded: boolean;
}

const WIKI_LINK = /\[\[([^\]|#]+)(?:[#|][^\]]*)?\]\]/gu;

/** A bullet may name several targets, and its relation may be words (`Developed by: [[a]], [[b]]`). */
export function parseRelations(located: LocatedBlock): (Relation & Located)[] {
  const { text, meta, ...fact } = parseFact(located);
  const relation = relationName(text.slice(0, Math.max(text.indexOf('[['), 0)));
  if (relation === '') return [];
  const targets = [...text.matchAll(WIKI_LINK)].map((link) => entityIdOfLink(link[1] ?? ''));
  return targets.map((target) => Object.assign({ relation, target, meta: withLearned(meta) }, fact));
}

export function renderRelation({ meta, ...relation }: Relation, defaults: ItemDefaults): string {
  const { learned, ...rest } = meta;
  const shown = learned === undefined || learned === dayOf(rest.time) ? rest : meta;
  return renderFact({ ...relation, meta: shown, text: `${relation.relation} [[${relation.target}]]` }, defaults);
}

/** An edge that was learned on the day it was said says its day once, in its time. */
function withLearned(meta: FactMetadata): FactMetadata {
  const learned = meta.learned ?? dayOf(meta.time);
  return learned === undefined ? meta : { ...meta, learned };
}

function dayOf(time: string | undefined): string | undefined {
  return time?.slice(0, 10);
}

/** `Developed by:` and `developed-by` are the same relation. */
export function relationName(words: string): string {
  return words
    .trim()
    .replaceAll(/[`*:]/gu, '')
    .trim()
    .replaceAll(/[\s_]+/gu, '-')
    .toLowerCase();
}

function entityIdOfLink(link: string): string {
  return link.trim().replace(/^.*\//u, '').replace(/\.md$/iu, '');
}

/**
 * A statement with its time: `- Lives in Vienna. <!-- category:home from:2026-02 learned:2026-02-16 --> ^id`. What is no
 * longer true stays, struck through and dated where a person sees it: `- ~~Lives in Berlin.~~ (until 2026-02) …`.
 */
export interface Fact extends Item<FactMetadata> {
  readonly isSuperseded: boolean;
}

const STRUCK = /^~~([\s\S]*)~~(?:\s+\(until ([\d-]+)\))?$/u;

export function parseFact(located: LocatedBlock): Fact & Located {
  const item = parseItem(located, factMetadataSchema);
  const struck = STRUCK.exec(item.text);
  if (struck === null) return { ...item, isSuperseded: false };
  const until = struck[2];
  const meta = until === undefined ? item.meta : { ...item.meta, until };
  return { ...item, text: struck[1] ?? '', meta, isSuperseded: true };
}

export function renderFact(fact: Fact, defaults: ItemDefaults): string {
  if (!fact.isSuperseded) return renderItem(fact, defaults);
  const { until, ...meta } = fact.meta;
  const date = until === undefined ? '' : ` (until ${until})`;
  return renderItem({ id: fact.id, text: `~~${oneLine(fact.text)}~~${date}`, meta }, defaults);
}

/** The fact as it stands after something newer replaced it. */
export function supersedeFact(fact: Fact, until: string, supersededBy: string | undefined): Fact {
  const meta = { ...fact.meta, until, ...(supersededBy === undefined ? {} : { superseded_by: supersededBy }) };
  return { id: fact.id, text: fact.text, meta, isSuperseded: true };
}
