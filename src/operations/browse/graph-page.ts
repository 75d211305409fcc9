import { z } from 'zod';
import { scopeCanSee } from '../../model/provenance.ts';
import { defineVerb } from '../verb.ts';
import { momentOf, momentShape, scopeField } from '../graph/open-graph.ts';
import { isVisible } from '../graph/walk.ts';

export interface DrawnEntity {
  readonly path: string;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly status: string | null;
  /** The number of its relations in the whole graph. */
  readonly degree: number;
}

export interface DrawnRelation {
  readonly id: string | null;
  /** Paths of the entities. */
  readonly from: string;
  readonly to: string;
  readonly relation: string;
  readonly since: string | null;
  readonly until: string | null;
  readonly isInferred: boolean;
}

export interface GraphPage {
  /** The best connected first. */
  readonly entities: readonly DrawnEntity[];
  /** Between the entities of this page and of those before it. */
  readonly relations: readonly DrawnRelation[];
  readonly total: number;
  /** Give it as `after` for the next page; null at the end. */
  readonly next: number | null;
}

export const graphPage = defineVerb({
  name: 'graph page',
  summary: 'The graph for drawing, the best connected first, page by page.',
  input: z.strictObject({
    after: z.number().int().min(0).default(0).describe('How many entities to leave out.'),
    limit: z.number().int().min(1).max(5000).default(500),
    ...momentShape,
    scope: scopeField,
  }),
  effect: 'read',
  async run(context, { after, limit, scope, ...given }): Promise<GraphPage> {
    const { graph } = await context.parts.graph({ isThorough: true });
    const { network } = graph;
    const moment = momentOf(context, given);
    const all = network
      .records()
      .filter((record) => record.mergedInto === undefined && scopeCanSee(scope, record.scope))
      .map((record) => ({
        record,
        degree: network.links(record.path).filter((link) => isVisible({ network }, scope, link)).length,
      }))
      .toSorted((one, other) => other.degree - one.degree || (one.record.path < other.record.path ? -1 : 1));
    const end = after + limit;
    const place = new Map(all.slice(0, end).map(({ record }, at) => [record.path, at]));
    const relations: DrawnRelation[] = [];
    for (const { from, to, relation, edge } of graph.triples(moment)) {
      const last = Math.max(place.get(from) ?? Infinity, place.get(to) ?? Infinity);
      if (last < after || last >= end) continue;
      relations.push({
        id: edge.id ?? null,
        from,
        to,
        relation,
        since: edge.meta.from ?? null,
        until: edge.meta.until ?? null,
        isInferred: edge.source === 'inferred',
      });
    }
    return {
      entities: all.slice(after, end).map(({ record: { path, id, name, type, status }, degree }) => ({
        path,
        id,
        name,
        type,
        status: status ?? null,
        degree,
      })),
      relations,
      total: all.length,
      next: end < all.length ? end : null,
    };
  },
  cli: false,
});
