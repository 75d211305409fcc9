import { z } from 'zod';
import { firstDay, lastDay } from '../../memory/stores/entities/current-facts.ts';
import type { Entity } from '../../workspace/formats/entity.ts';
import { defineVerb } from '../verb.ts';
import { dateField, entityField, nameOf, scopeField, type EntityName } from './open-graph.ts';

const input = z.strictObject({
  entity: entityField,
  since: dateField.optional().describe('From this day, month or year on.'),
  until: dateField.optional().describe('Up to and with this day, month or year.'),
  scope: scopeField,
});

export type GraphTimelineInput = z.input<typeof input>;

export interface Timeline {
  readonly entity: EntityName;
  /** The oldest first. */
  readonly entries: readonly TimelineEntry[];
}

export const graphTimeline = defineVerb({
  name: 'graph timeline',
  summary: 'Show what happened to an entity, and what began or ended, in order.',
  input,
  args: ['entity'],
  effect: 'read',
  async run(context, { entity: named, since, until, scope }): Promise<Timeline> {
    const { graph, entities } = await context.parts.graph();
    const entity = graph.get(named, { scope });
    const entries = timelineOf(entities.read(entity))
      .filter(({ date }) => since === undefined || lastDay(date) >= firstDay(since))
      .filter(({ date }) => until === undefined || firstDay(date) <= lastDay(until));
    return { entity: nameOf(entity), entries };
  },
  cli: { options: { since: { value: 'date' }, until: { value: 'date' }, scope: { value: 'scope' } } },
  render: async (view, output) => (await import('./render-answers.ts')).renderTimeline(view, output),
});

/** Something that happened to an entity, or that began or ended for it. */
interface TimelineEntry {
  /** A day, month or year. */
  readonly date: string;
  readonly kind:
    | 'event'
    | 'fact'
    | 'fact-ended'
    | 'decision'
    | 'task-due'
    | 'task-closed'
    | 'relation'
    | 'relation-ended';
  readonly text: string;
  readonly id: string | undefined;
}

/** The dated items of an entity's file, the oldest first. Undated items are left out. */
function timelineOf(entity: Entity): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  const add = (date: string | undefined, kind: TimelineEntry['kind'], text: string, id: string | undefined): void => {
    if (date !== undefined) entries.push({ date, kind, text, id });
  };
  for (const { date, text, id } of entity.timeline) add(date, 'event', text, id);
  for (const { text, id, meta } of entity.facts) {
    add(meta.from, 'fact', text, id);
    add(meta.until, 'fact-ended', text, id);
  }
  for (const { date, text, id } of entity.decisions) add(date, 'decision', text, id);
  for (const { text, id, meta } of entity.tasks) {
    add(meta.due, 'task-due', text, id);
    add(meta.closed, 'task-closed', text, id);
  }
  for (const { relation, target, id, meta } of entity.relations) {
    const text = `${relation} ${target}`;
    add(meta.from, 'relation', text, id);
    add(meta.until, 'relation-ended', text, id);
  }
  return entries
    .map((entry, index) => ({ entry, index, day: firstDay(entry.date) }))
    .sort((a, b) => (a.day === b.day ? a.index - b.index : a.day < b.day ? -1 : 1))
    .map(({ entry }) => entry);
}
