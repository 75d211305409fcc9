import type { Triple } from './triples.ts';

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
