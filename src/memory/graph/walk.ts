import type { Moment } from '../stores/entities/current-facts.ts';
import type { Link, Network } from './network.ts';
import { byStrength, edgeHolds } from './triples.ts';

/** What may be walked. */
export interface WalkLimits {
  readonly moment: Moment;
  /** Only edges for which this holds. */
  readonly accepts?: ((link: Link, from: string) => boolean) | undefined;
}

export interface Neighbourhood {
  /** Everybody reached, the start first, with how many steps it took. */
  readonly reached: ReadonlyMap<string, number>;
  /** The edges between them, as the end they were reached from sees them. */
  readonly links: readonly (Link & { readonly from: string })[];
  /** Whether edges were left out. */
  readonly isCut: boolean;
}

export interface NeighbourLimits extends WalkLimits {
  readonly depth: number;
  /** Most edges followed from one entity, the strongest first. */
  readonly maxNeighbours: number;
  /** Most entities reached in all. */
  readonly maxReached: number;
}

export function findNeighbours(network: Network, start: string, limits: NeighbourLimits): Neighbourhood {
  const reached = new Map([[start, 0]]);
  const links: (Link & { readonly from: string })[] = [];
  const seen = new Set<Link['edge']>();
  let isCut = false;
  let frontier = [start];
  for (let depth = 1; depth <= limits.depth && frontier.length > 0; depth += 1) {
    const next: string[] = [];
    for (const from of frontier) {
      const open = walkable(network, from, limits);
      if (open.length > limits.maxNeighbours) isCut = true;
      const strongest = open.length > limits.maxNeighbours ? [...open].sort(byStrength) : open;
      for (const link of strongest.slice(0, limits.maxNeighbours)) {
        if (seen.has(link.edge)) continue;
        if (!reached.has(link.other)) {
          if (reached.size >= limits.maxReached) {
            isCut = true;
            continue;
          }
          reached.set(link.other, depth);
          next.push(link.other);
        }
        seen.add(link.edge);
        links.push({ ...link, from });
      }
    }
    frontier = next;
  }
  return { reached, links, isCut };
}

export interface Step extends Link {
  readonly from: string;
}

/** The side a search grows from: how everybody on it was reached. */
interface Side {
  readonly reached: Map<string, Step | undefined>;
  frontier: string[];
}

/** The shortest chain of edges between two, or undefined; of equally short ones always the same. */
export function findPath(
  network: Network,
  start: string,
  end: string,
  { maxSteps, ...limits }: WalkLimits & { readonly maxSteps: number },
): Step[] | undefined {
  if (start === end) return [];
  const near: Side = { reached: new Map([[start, undefined]]), frontier: [start] };
  const far: Side = { reached: new Map([[end, undefined]]), frontier: [end] };
  for (let steps = 0; steps < maxSteps; steps += 1) {
    // From both ends at once, the smaller first: a chain of six is then two of three.
    const isNear = near.frontier.length <= far.frontier.length;
    const [side, other] = isNear ? [near, far] : [far, near];
    if (side.frontier.length === 0) return undefined;
    const met = grow(network, side, other, { ...limits, isForward: isNear });
    if (met !== undefined) return join(near, far, met);
  }
  return undefined;
}

function grow(
  network: Network,
  side: Side,
  other: Side,
  limits: WalkLimits & { readonly isForward: boolean },
): string | undefined {
  const next: string[] = [];
  let met: string | undefined;
  for (const from of side.frontier) {
    for (const link of walkable(network, from, limits)) {
      if (side.reached.has(link.other)) continue;
      side.reached.set(link.other, { ...link, from });
      next.push(link.other);
      if (other.reached.has(link.other) && (met === undefined || link.other < met)) met = link.other;
    }
  }
  side.frontier = next;
  return met;
}

function join(near: Side, far: Side, met: string): Step[] {
  const steps: Step[] = [];
  for (let step = near.reached.get(met); step !== undefined; step = near.reached.get(step.from)) steps.unshift(step);
  for (let step = far.reached.get(met); step !== undefined; step = far.reached.get(step.from)) {
    // Reached from its far end: read the other way round.
    steps.push({
      edge: step.edge,
      direction: step.direction === 'out' ? 'in' : 'out',
      from: step.other,
      other: step.from,
    });
  }
  return steps;
}

function walkable(network: Network, path: string, { moment, accepts }: WalkLimits): readonly Link[] {
  return network
    .links(path)
    .filter((link) => edgeHolds(network, link.edge, moment) && (accepts === undefined || accepts(link, path)));
}
