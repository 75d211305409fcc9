import { z } from 'zod';
import { findContradictions, type Contradiction } from '../../memory/graph/contradictions.ts';
import { defineVerb } from '../verb.ts';
import { entityField, momentOf, momentShape, scopeField } from './open-graph.ts';
import { scopeCanSee } from '../../model/provenance.ts';
import { scopeOfPath } from '../../workspace/formats/layout.ts';

const input = z.strictObject({
  entity: entityField.optional().describe('Only about this entity.'),
  ...momentShape,
  scope: scopeField,
});

export type GraphContradictionsInput = z.input<typeof input>;

export interface ContradictionReport {
  readonly contradictions: readonly Contradiction[];
  readonly entities: number;
}

export const graphContradictions = defineVerb({
  name: 'graph contradictions',
  summary: 'List what in the graph cannot all be true, or leads nowhere.',
  description: 'List what in the graph cannot all be true, or leads nowhere. Exit code 7 when there is something.',
  input,
  effect: 'read',
  async run(context, given): Promise<ContradictionReport> {
    const { graph } = await context.parts.graph({ isThorough: true });
    const about = given.entity === undefined ? undefined : graph.get(given.entity, { scope: given.scope });
    const found = findContradictions(graph, momentOf(context, given), about);
    return {
      contradictions: found.filter(({ path }) => scopeCanSee(given.scope, scopeOfPath(path))),
      entities: about === undefined ? graph.network.size : 1,
    };
  },
  cli: {
    args: ['entity'],
    options: { at: { value: 'date' }, knownAt: { value: 'date' }, scope: { value: 'scope' } },
    exitCode: ({ contradictions: found }) => (found.length > 0 ? 'integrity' : 'ok'),
  },
  render: async (view, output) => (await import('./render-answers.ts')).renderContradictions(view, output),
});
