import { z } from 'zod';
import { scopeCanSee } from '../../model/provenance.ts';
import { ENTITY_STATES } from '../../model/schemas/graph.ts';
import { defineVerb } from '../verb.ts';
import { nameOf, scopeField, type EntityName } from './open-graph.ts';
import { isVisible } from './walk.ts';

const input = z.strictObject({
  type: z.string().trim().min(1).optional().describe('Only persons, projects …'),
  status: z.enum(ENTITY_STATES).optional(),
  limit: z.number().int().min(1).max(100_000).default(200).describe('How many; 200 where it is not given.'),
  scope: scopeField,
});

export type GraphListInput = z.input<typeof input>;

export interface EntityList {
  readonly entities: readonly (EntityName & {
    readonly aliases: readonly string[];
    readonly status: string | null;
    readonly relations: number;
    readonly damage: string | null;
  })[];
  /** How many there are in all. */
  readonly total: number;
  readonly facts: number;
  readonly relations: number;
}

export const graphList = defineVerb({
  name: 'graph list',
  summary: 'List everything the memory has a page for.',
  examples: ['mneme graph list --type person'],
  input,
  effect: 'read',
  async run(context, { type, status, limit, scope }): Promise<EntityList> {
    const { graph } = await context.parts.graph({ isThorough: true });
    const { network } = graph;
    const found = network
      .records()
      .filter((record) => scopeCanSee(scope, record.scope))
      .filter((record) => type === undefined || record.type === type.toLowerCase())
      .filter((record) => (status === undefined ? record.mergedInto === undefined : record.status === status));
    const counts = graph.registry.readRows((rows) => rows.counts());
    return {
      entities: found.slice(0, limit).map((record) =>
        Object.assign({}, nameOf(record), {
          aliases: record.aliases,
          status: record.status ?? null,
          relations: network.links(record.path).filter((link) => isVisible({ network }, scope, link)).length,
          damage: record.damage ?? null,
        }),
      ),
      total: found.length,
      ...counts,
    };
  },
  cli: {
    isDefault: true,
    options: { type: { value: 'type' }, status: { value: 'status' }, scope: { value: 'scope' } },
  },
  render: async (view, output) => (await import('./render-answers.ts')).renderList(view, output),
});
