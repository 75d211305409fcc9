import type { Entity } from '../../workspace/formats/entity.ts';
import { firstDay } from '../stores/entities/current-facts.ts';

/** Something that happened to an entity, or that began or ended for it. */
export interface TimelineEntry {
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
export function timelineOf(entity: Entity): TimelineEntry[] {
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
