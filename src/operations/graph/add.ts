import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { ENTITY_STATES } from '../../model/schemas/graph.ts';
import { propertyProblems } from '../../workspace/formats/relations.ts';
import type { FrontmatterValue } from '../../workspace/markdown/frontmatter.ts';
import { defineVerb } from '../verb.ts';
import type { WriteResult } from '../commit-or-propose.ts';
import { nameOf, scopeField, type EntityName, showWarnings } from './open-graph.ts';
import { commitPlans, parseProperties, readProperties } from './write-plans.ts';

const input = z.strictObject({
  name: z.string().trim().min(1).describe('Its name.'),
  type: z
    .string()
    .trim()
    .min(1)
    .max(40)
    .describe('person, project, organization, place, tool, concept … as relations.md has them.'),
  aliases: z.array(z.string().trim().min(1)).max(50).default([]).describe('Another name; may be given several times.'),
  status: z.enum(ENTITY_STATES).optional(),
  summary: z.string().trim().min(1).optional().describe('A sentence or two about it.'),
  properties: z.record(z.string(), z.unknown()).default({}).describe('A property; may be given several times.'),
  tags: z.array(z.string().trim().min(1)).max(20).default([]).describe('A tag; may be given several times.'),
  distinct: z.boolean().default(false).describe('Add it although an entity of this name exists: it is another one.'),
  scope: scopeField,
});

export type GraphAddInput = z.input<typeof input>;

export interface GraphAdded extends WriteResult {
  readonly entity: EntityName;
  /** `present` and `merged` when there was somebody of this name and type. */
  readonly outcome: 'added' | 'merged' | 'present';
}

export const graphAdd = defineVerb({
  name: 'graph add',
  summary: 'Add a person, project, organization, place, tool or idea.',
  examples: [
    'mneme graph add Vera --type person --property role=engineer',
    'mneme graph add Apollo --type project --alias "Apollo 2"',
  ],
  input,
  args: ['name'],
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, { distinct, ...given }): Promise<GraphAdded> {
    const { graph, entities } = await context.parts.graph();
    const type = given.type.toLowerCase();
    const ontology = graph.vocabularyFor(given.scope).ontology;
    const properties = readProperties(ontology, type, given.properties);
    const [problem] = propertyProblems(ontology, type, properties);
    if (problem !== undefined) {
      throw new MnemeError('refused', problem, {
        hint: 'The properties of a type stand in memory/graph/relations.md.',
      });
    }
    const plan = entities.planAdd({
      ...given,
      type,
      properties: Object.keys(properties).length === 0 ? undefined : (properties as Record<string, FrontmatterValue>),
      isDistinct: distinct,
    });
    const known = ontology.entityTypes.has(type);
    const notes = known ? [] : [`relations.md does not define the type "${type}"; it is kept all the same.`];
    const result = await commitPlans(context, [{ ...plan, notes }], `added ${type} ${given.name}`);
    const { path } = plan.entity;
    const record = graph.network.record(path) ?? plan.entity;
    return { entity: nameOf(record), outcome: plan.outcome().outcome, ...result };
  },
  library: { args: [] },
  cli: {
    options: {
      type: { value: 'type' },
      aliases: { flag: 'alias', value: 'name', list: 'repeated' },
      properties: { flag: 'property', parse: parseProperties },
      status: { value: 'status' },
      tags: { flag: 'tag', value: 'tag', list: 'repeated' },
      scope: { value: 'scope' },
    },
    notes: showWarnings,
  },
  render: async (view, output) => (await import('./render-changes.ts')).renderAdded(view, output),
});
