/** Finds places for the nodes, away from the page's own thread. */
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

function start({ count, links, degrees }: LayoutRequest): void {
  round += 1;
  const mine = round;
  const points: Point[] = Array.from({ length: count }, () => ({}));
  const pairs = Array.from({ length: links.length / 2 }, (_, at) => ({
    source: links[2 * at] ?? 0,
    target: links[2 * at + 1] ?? 0,
  }));
  const isLarge = count > 1500;
  const simulation = forceSimulation(points)
    .force(
      'charge',
      forceManyBody()
        .strength(isLarge ? -28 : -130)
        .theta(isLarge ? 1.1 : 0.9)
        .distanceMax(isLarge ? 420 : 900),
    )
    .force(
      'link',
      forceLink(pairs)
        .distance(isLarge ? 34 : 74)
        .strength(isLarge ? 0.35 : 0.5),
    )
    .force('x', forceX().strength(0.045))
    .force('y', forceY().strength(0.06))
    .force('center', forceCenter())
    .alphaDecay(isLarge ? 0.035 : 0.028)
    .stop();
  if (!isLarge)
    simulation.force(
      'collide',
      forceCollide((_, index) => 12 + Math.sqrt(degrees[index] ?? 0) * 3),
    );
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
    globalThis.postMessage({ places, isDone } satisfies LayoutAnswer, { transfer: [places.buffer] });
    if (!isDone) setTimeout(step, 0);
  };
  step();
}

globalThis.addEventListener('message', (event: MessageEvent<LayoutRequest>) => start(event.data));
