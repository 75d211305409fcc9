import { z } from 'zod';
import type { Graph } from '../../memory/graph/graph.ts';
import { scopeCanSee, type Scope } from '../../model/provenance.ts';
import { ENTITY_STATES } from '../../model/schemas/graph.ts';
import { defineVerb } from '../verb.ts';
import { nameOf, scopeField, type EntityName } from './open-graph.ts';
import { visibleTo } from '../visible-to.ts';
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
  /** The total number. */
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
    const isWhole = visibleTo(context).seesHome;
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
      ...(isWhole ? graph.registry.readRows((rows) => rows.counts()) : countWithin(graph, scope)),
    };
  },
  cli: {
    isDefault: true,
    options: { type: { value: 'type' }, status: { value: 'status' }, scope: { value: 'scope' } },
  },
  render: async (view, output) => (await import('./render-answers.ts')).renderList(view, output),
});

/** Only what is seen from the scope: sums over everything would tell how much there is elsewhere. */
function countWithin(graph: Graph, scope: Scope): { readonly facts: number; readonly relations: number } {
  const { network } = graph;
  const paths = network
    .records()
    .filter((record) => scopeCanSee(scope, record.scope))
    .map(({ path }) => path);
  const ends = paths.flatMap((path) => network.links(path).filter((link) => isVisible({ network }, scope, link)));
  return {
    facts: paths.reduce((sum, path) => sum + graph.facts(path).length, 0),
    relations: ends.filter(({ direction }) => direction === 'out').length,
  };
}
