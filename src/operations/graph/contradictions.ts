import { z } from 'zod';
import { findContradictions, type Contradiction } from '../../memory/graph/contradictions.ts';
import { defineOperation } from '../operation.ts';
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

export const graphContradictions = defineOperation({
  name: 'graph contradictions',
  summary: 'What in the graph cannot all be true, or leads nowhere.',
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
});
