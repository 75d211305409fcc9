import { z } from 'zod';
import { timelineOf, type TimelineEntry } from '../../memory/graph/timeline.ts';
import { firstDay, lastDay } from '../../memory/stores/entities/current-facts.ts';
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
