import { z } from 'zod';
import { scopeCanSee, type Scope } from '../../model/provenance.ts';
import type { Link } from '../../memory/graph/network.ts';
import { relationFromHere } from '../../memory/graph/triples.ts';
import { fitRelation } from '../../memory/stores/entities/relation-words.ts';
import type { Graph } from '../../memory/graph/graph.ts';
import { defineVerb } from '../verb.ts';
import { entityField, momentOf, momentShape, nameOf, scopeField, type EntityName } from './open-graph.ts';
import { TUNING } from '../../retrieve/settings.ts';

/** A step from one entity to another. */
export interface ShownStep {
  readonly id: string;
  readonly from: EntityName;
  /** As it reads in this direction; null where the ontology has no word for it. */
  readonly relation: string | null;
  readonly written: string;
  readonly direction: 'out' | 'in';
  readonly to: EntityName;
  readonly since: string | null;
  readonly until: string | null;
  readonly isInferred: boolean;
}

const MAX_REACHED = 1000;

const neighboursInput = z.strictObject({
  entity: entityField,
  depth: z.number().int().min(1).max(6).optional().describe('How many steps; 2 when not given.'),
  relation: z.string().trim().min(1).max(80).optional().describe('Only along this relation, in either direction.'),
  limit: z.number().int().min(1).max(10_000).optional().describe('Most edges from one entity.'),
  ...momentShape,
  scope: scopeField,
});

export type GraphNeighboursInput = z.input<typeof neighboursInput>;

export interface Neighbours {
  readonly entity: EntityName;
  readonly neighbours: readonly (EntityName & { readonly depth: number })[];
  readonly links: readonly ShownStep[];
  /** Whether there is more than was followed. */
  readonly isCut: boolean;
}

export const graphNeighbours = defineVerb({
  name: 'graph neighbours',
  summary: 'Show what an entity is connected with.',
  input: neighboursInput,
  args: ['entity'],
  effect: 'read',
  async run(context, given): Promise<Neighbours> {
    const { graph } = await context.parts.graph();
    const entity = graph.get(given.entity, { scope: given.scope });
    // Taken once: the getter looks whether anybody wrote meanwhile.
    const { network } = graph;
    const wanted = given.relation === undefined ? undefined : bothNames(graph, entity.path, given.relation);
    const found = graph.neighbours(entity.path, {
      moment: momentOf(context, given),
      depth: given.depth ?? TUNING.graphDepth,
      maxNeighbours: given.limit ?? TUNING.graphNeighbours,
      maxReached: MAX_REACHED,
      accepts: (link) =>
        isVisible({ network }, given.scope, link) && (wanted === undefined || wanted.has(link.edge.relation)),
    });
    const neighbours = [...found.reached].flatMap(([path, depth]) => {
      const record = graph.network.record(path);
      return record === undefined || path === entity.path ? [] : [{ ...nameOf(record), depth }];
    });
    const links = found.links.flatMap((link) => showStep(graph, link) ?? []);
    return { entity: nameOf(entity), neighbours, links, isCut: found.isCut };
  },
  cli: {
    aliases: ['graph neighbors'],
    options: {
      relation: { value: 'relation' },
      at: { value: 'date' },
      knownAt: { value: 'date' },
      scope: { value: 'scope' },
    },
  },
  render: async (view, output) => (await import('./render-answers.ts')).renderNeighbours(view, output),
});

const pathInput = z.strictObject({
  from: entityField,
  to: entityField,
  maxSteps: z.number().int().min(1).max(50).default(12).describe('Most steps; 12 where it is not given.'),
  ...momentShape,
  scope: scopeField,
});

export type GraphPathInput = z.input<typeof pathInput>;

export interface FoundPath {
  readonly from: EntityName;
  readonly to: EntityName;
  /** null when nothing connects them. */
  readonly steps: readonly ShownStep[] | null;
}

export const graphPath = defineVerb({
  name: 'graph path',
  summary: 'Find the shortest chain of relations between two entities.',
  examples: ['mneme graph path Vera Acme'],
  input: pathInput,
  args: ['from', 'to'],
  effect: 'read',
  async run(context, given): Promise<FoundPath> {
    const { graph } = await context.parts.graph();
    const from = graph.get(given.from, { scope: given.scope });
    const to = graph.get(given.to, { scope: given.scope });
    const { network } = graph;
    const steps = graph.path(from.path, to.path, {
      moment: momentOf(context, given),
      maxSteps: given.maxSteps,
      accepts: (link) => isVisible({ network }, given.scope, link),
    });
    const shown = steps?.flatMap((step) => showStep(graph, step) ?? []);
    return { from: nameOf(from), to: nameOf(to), steps: shown ?? null };
  },
  cli: {
    options: {
      maxSteps: { flag: 'max' },
      at: { value: 'date' },
      knownAt: { value: 'date' },
      scope: { value: 'scope' },
    },
  },
  render: async (view, output) => (await import('./render-answers.ts')).renderPath(view, output),
});

/** Both names of a relation: what one end calls it and what the other does. */
function bothNames(graph: Graph, path: string, said: string): ReadonlySet<string> {
  const ontology = graph.ontologyFor(path);
  const { named } = fitRelation(ontology, said, '', undefined);
  const inverse = ontology.relations.get(named)?.inverse;
  return new Set(inverse === undefined ? [named] : [named, inverse]);
}

export function isVisible(graph: Pick<Graph, 'network'>, scope: Scope, { edge, other }: Link): boolean {
  const { network } = graph;
  const isSeen = (path: string): boolean => scopeCanSee(scope, network.record(path)?.scope ?? 'shared');
  return isSeen(edge.path) && isSeen(other);
}

export function showStep(graph: Graph, step: Link & { readonly from: string }): ShownStep | undefined {
  const { network } = graph;
  const [from, to] = [network.record(step.from), network.record(step.other)];
  if (from === undefined || to === undefined) return undefined;
  const { edge, direction } = step;
  return {
    id: edge.id,
    from: nameOf(from),
    relation: relationFromHere(graph.ontologyFor(edge.path), step) ?? null,
    written: edge.relation,
    direction,
    to: nameOf(to),
    since: edge.meta.from ?? null,
    until: edge.meta.until ?? null,
    isInferred: edge.source === 'inferred',
  };
}
