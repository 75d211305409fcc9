/** Finds places for the nodes, away from the page's own thread. */
import { findClusters } from './cluster.ts';
import { MAX_SINGLE, MEMBER_SPACING } from './scene.ts';
import { forceCenter, forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force';

export interface LayoutRequest {
  readonly count: number;
  /** Pairs of node numbers. */
  readonly links: Uint32Array;
  /** Number of relations of each node. */
  readonly degrees: Uint32Array;
}

export interface LayoutAnswer {
  /** x and y of each node in turn. */
  readonly places: Float32Array;
  readonly isDone: boolean;
  /** Where the graph is too large to be read node by node: groups of nodes as circles. */
  readonly groups: readonly Group[];
  /** The strongest connections between groups, by their numbers. */
  readonly bridges: readonly Bridge[];
}

export interface Bridge {
  readonly source: number;
  readonly target: number;
  /** Relations that lead from one to the other. */
  readonly weight: number;
}

export interface Group {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** The node it gathers around. */
  readonly centre: number;
  readonly size: number;
}

interface Point {
  index?: number;
  x?: number;
  y?: number;
}

/** Between two pictures so much time is spent on moving; more would make it look jerky. */
const STEP_MS = 40;
const MIN_ALPHA = 0.02;
let round = 0;

function start(request: LayoutRequest): void {
  round += 1;
  if (request.count > MAX_SINGLE) placeInGroups(request);
  else placeByForces(request, round);
}

function placeByForces({ count, links, degrees }: LayoutRequest, mine: number): void {
  const points: Point[] = Array.from({ length: count }, () => ({}));
  const pairs = Array.from({ length: links.length / 2 }, (_, at) => ({
    source: links[2 * at] ?? 0,
    target: links[2 * at + 1] ?? 0,
  }));
  const simulation = forceSimulation(points)
    .force('charge', forceManyBody().strength(-130).distanceMax(900))
    .force('link', forceLink(pairs).distance(74).strength(0.5))
    .force('x', forceX().strength(0.045))
    .force('y', forceY().strength(0.06))
    .force('center', forceCenter())
    .force(
      'collide',
      forceCollide((_, index) => 12 + Math.sqrt(degrees[index] ?? 0) * 3),
    )
    .alphaDecay(0.028)
    .stop();
  const step = (): void => {
    if (mine !== round) return;
    const until = performance.now() + STEP_MS;
    do simulation.tick();
    while (performance.now() < until && simulation.alpha() > MIN_ALPHA);
    const isDone = simulation.alpha() <= MIN_ALPHA;
    const places = new Float32Array(count * 2);
    for (const [at, { x = 0, y = 0 }] of points.entries()) {
      places[2 * at] = x;
      places[2 * at + 1] = y;
    }
    answer({ places, isDone, groups: [], bridges: [] });
    if (!isDone) setTimeout(step, 0);
  };
  step();
}

const GAP = 26;
const TICKS = 220;
/** Turning by it, each next one finds the largest gap that those before have left. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** The groups find their places by forces, and the members of each stand around its centre. */
function placeInGroups({ count, links, degrees }: LayoutRequest): void {
  const { groups, members } = findClusters(count, links, degrees);
  const radii = members.map(({ length }) => MEMBER_SPACING * Math.sqrt(length) + MEMBER_SPACING);
  const points: Point[] = members.map(() => ({}));
  const between = linksBetween(groups, links);
  const bridges = strongest(between, members.length);
  const simulation = forceSimulation(points)
    .force(
      'charge',
      forceManyBody().strength((_, at) => -14 * (radii[at] ?? 0)),
    )
    .force(
      'link',
      // Copies: the simulation puts its own points in the place of the numbers.
      forceLink(bridges.map(({ source, target }) => ({ source, target })))
        .distance(({ source, target }) => (radii[numberOf(source)] ?? 0) + (radii[numberOf(target)] ?? 0) + GAP)
        .strength(0.12),
    )
    // Wider than high, as the picture is.
    .force('x', forceX().strength(0.07))
    .force('y', forceY().strength(0.19))
    .force('collide', forceCollide((_, at) => (radii[at] ?? 0) + GAP / 2).iterations(3))
    .stop();
  simulation.tick(TICKS);
  const places = new Float32Array(count * 2);
  for (const [group, own] of members.entries()) {
    const { x = 0, y = 0 } = points[group] ?? {};
    for (const [at, node] of own.entries()) {
      const distance = MEMBER_SPACING * Math.sqrt(at);
      places[2 * node] = x + distance * Math.cos(at * GOLDEN_ANGLE);
      places[2 * node + 1] = y + distance * Math.sin(at * GOLDEN_ANGLE);
    }
  }
  const circles = points.map(({ x = 0, y = 0 }, at): Group => ({
    x,
    y,
    radius: radii[at] ?? 0,
    centre: members[at]?.[0] ?? 0,
    size: members[at]?.length ?? 0,
  }));
  answer({ places, isDone: true, groups: circles, bridges });
}

function numberOf(end: unknown): number {
  return typeof end === 'object' && end !== null && 'index' in end ? Number(end.index) : Number(end);
}

/** Each pair of groups once, with the number of relations that lead from one to the other. */
function linksBetween(groups: Uint32Array, links: Uint32Array): readonly Bridge[] {
  const pairs = new Map<string, { source: number; target: number; weight: number }>();
  for (let at = 0; at < links.length; at += 2) {
    const [one, other] = [groups[links[at] ?? 0] ?? 0, groups[links[at + 1] ?? 0] ?? 0];
    const [source, target] = [Math.min(one, other), Math.max(one, other)];
    if (source === target) continue;
    const pair = pairs.get(`${source} ${target}`) ?? { source, target, weight: 0 };
    pair.weight += 1;
    pairs.set(`${source} ${target}`, pair);
  }
  return [...pairs.values()];
}

/** More lines than two from each would hide the groups. */
const BRIDGES_EACH = 2;

function strongest(bridges: readonly Bridge[], groups: number): readonly Bridge[] {
  const taken = new Uint32Array(groups);
  return bridges
    .toSorted((one, other) => other.weight - one.weight || one.source - other.source || one.target - other.target)
    .filter(({ source, target }) => {
      const isOfSource = (taken[source] ?? 0) < BRIDGES_EACH;
      const isOfTarget = (taken[target] ?? 0) < BRIDGES_EACH;
      if (isOfSource) taken[source] = (taken[source] ?? 0) + 1;
      if (isOfTarget) taken[target] = (taken[target] ?? 0) + 1;
      return isOfSource || isOfTarget;
    });
}

function answer(made: LayoutAnswer): void {
  globalThis.postMessage(made, { transfer: [made.places.buffer] });
}

globalThis.addEventListener('message', (event: MessageEvent<LayoutRequest>) => start(event.data));
