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

/** Circles among edges, one for each knot of them: the edges in order, from the first file by name. */
export function findCycles(triples: readonly Triple[]): Triple[][] {
  const outgoing = new Map<string, Triple[]>();
  const incoming = new Map<string, number>();
  for (const triple of triples) {
    if (triple.from === triple.to) continue;
    const list = outgoing.get(triple.from);
    if (list === undefined) outgoing.set(triple.from, [triple]);
    else list.push(triple);
    incoming.set(triple.to, (incoming.get(triple.to) ?? 0) + 1);
  }
  const left = new Set([...outgoing.keys(), ...incoming.keys()]);
  const prune = (ends: string[]): void => {
    for (const path of ends) {
      left.delete(path);
      for (const { to } of outgoing.get(path) ?? []) {
        const count = (incoming.get(to) ?? 0) - 1;
        incoming.set(to, count);
        if (count === 0 && left.has(to)) ends.push(to);
      }
    }
  };
  // A node without incoming edges is in no cycle; removing it may leave others without incoming edges.
  prune([...left].filter((path) => (incoming.get(path) ?? 0) === 0));
  const cycles: Triple[][] = [];
  for (const start of [...left].sort()) {
    const cycle = left.has(start) ? walkAround(start, outgoing, left) : undefined;
    if (cycle === undefined) continue;
    cycles.push(cycle);
    prune(cycle.map(({ from }) => from).filter((path) => left.has(path)));
  }
  return cycles;
}

/** Follows edges among what is left until a file comes up again; undefined where the way ends. */
function walkAround(
  start: string,
  outgoing: ReadonlyMap<string, readonly Triple[]>,
  left: ReadonlySet<string>,
): Triple[] | undefined {
  const trail: Triple[] = [];
  const places = new Map<string, number>();
  const dead = new Set<string>();
  let at = start;
  for (;;) {
    places.set(at, trail.length);
    const next = outgoing.get(at)?.find(({ to }) => left.has(to) && !dead.has(to));
    if (next !== undefined) {
      trail.push(next);
      const seen = places.get(next.to);
      if (seen !== undefined) return trail.slice(seen);
      at = next.to;
      continue;
    }
    dead.add(at);
    places.delete(at);
    const back = trail.pop();
    if (back === undefined) return undefined;
    at = back.from;
  }
}
