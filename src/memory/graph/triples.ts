import { TRUST_LEVELS } from '../../model/provenance.ts';
import type { Ontology } from '../../workspace/formats/relations.ts';
import { firstDay, holdsAt, type Moment } from '../stores/entities/current-facts.ts';
import type { Link, Network } from './network.ts';
import type { Edge } from './statements.ts';

/** An edge with both ends found, in the direction the ontology names first: `develops`, whichever end wrote it. */
export interface Triple {
  readonly from: string;
  readonly relation: string;
  readonly to: string;
  readonly edge: Edge;
}

/** Returns the main name of a relation and its inverse, and whether the given name is the inverse. */
export function canonicalRelation(
  { relations }: Ontology,
  relation: string,
): { readonly name: string; readonly isReversed: boolean } {
  const known = relations.get(relation);
  const inverse = known?.inverse;
  if (inverse === undefined || inverse === relation || !relations.has(inverse)) {
    return { name: relation, isReversed: false };
  }
  // The one a person wrote first; the other was only added as its inverse.
  for (const name of relations.keys()) {
    if (name === relation) return { name: relation, isReversed: false };
    if (name === inverse) return { name: inverse, isReversed: true };
  }
  return { name: relation, isReversed: false };
}

/** The name of a link's relation, seen from this end; undefined where the ontology has no word for that direction. */
export function relationFromHere({ relations }: Ontology, { edge, direction }: Link): string | undefined {
  if (direction === 'out') return edge.relation;
  const known = relations.get(edge.relation);
  return known?.isSymmetric === true ? edge.relation : known?.inverse;
}

/** Every edge of the entities given whose other end is known, once, those that hold at a moment. */
export function* triplesOf(
  network: Network,
  ontologyFor: (path: string) => Ontology,
  paths: Iterable<string>,
  moment: Moment | undefined,
): Generator<Triple> {
  for (const path of paths) {
    const record = network.record(path);
    if (record === undefined) continue;
    for (const edge of network.written(path)) {
      if (moment !== undefined && !edgeHolds(network, edge, moment)) continue;
      const from = network.target(record.id, record.scope);
      const to = network.target(edge.target, record.scope);
      if (from === undefined || to === undefined) continue;
      const { name, isReversed } = canonicalRelation(ontologyFor(path), edge.relation);
      const [first, second] = isReversed ? [to.path, from.path] : [from.path, to.path];
      yield { from: first, relation: name, to: second, edge };
    }
  }
}

/** Whether an edge held; what replaced it stands in the same file. */
export function edgeHolds(network: Network, edge: Edge, moment: Moment): boolean {
  const { superseded_by: by, from, until } = edge.meta;
  // Most edges have no dates, and a walk asks for thousands.
  if (!edge.isSuperseded && from === undefined && until === undefined && moment.knownAt === undefined) return true;
  const successor = by === undefined ? undefined : network.written(edge.path).find(({ id }) => id === by);
  return holdsAt(edge, successor, moment);
}

/** The most trusted first, then the newest: what is shown where not all can be. */
export function byStrength(left: Link, right: Link): number {
  const trust = TRUST_LEVELS.indexOf(left.edge.trust) - TRUST_LEVELS.indexOf(right.edge.trust);
  if (trust !== 0) return trust;
  const [a, b] = [learnedOf(left.edge), learnedOf(right.edge)];
  return a === b ? 0 : a > b ? -1 : 1;
}

function learnedOf({ meta }: Edge): string {
  const date = meta.learned ?? meta.from;
  return date === undefined ? '' : firstDay(date);
}
