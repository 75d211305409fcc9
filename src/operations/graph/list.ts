import { z } from 'zod';
import { scopeCanSee } from '../../model/provenance.ts';
import { ENTITY_STATES } from '../../model/schemas/graph.ts';
import { defineOperation } from '../operation.ts';
import { nameOf, scopeField, type EntityName } from './open-graph.ts';
import { isVisible } from './walk.ts';

const input = z.strictObject({
  type: z.string().trim().min(1).optional().describe('Only persons, projects …'),
  status: z.enum(ENTITY_STATES).optional(),
  limit: z.number().int().min(1).max(100_000).default(200),
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

export const graphList = defineOperation({
  name: 'graph list',
  summary: 'Everybody and everything the memory has a file for.',
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
});
