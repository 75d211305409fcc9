/** A graph too large to be read node by node, as groups around those that are best connected. */
export interface Clusters {
  /** By node: the number of its group. */
  readonly groups: Uint32Array;
  /** By group: its members, the one it gathers around first. */
  readonly members: readonly (readonly number[])[];
}

/** As many as fit into one picture with a name written in each. */
const MAX_GROUPS = 34;

function countOf(nodes: number): number {
  return Math.min(MAX_GROUPS, Math.max(2, Math.round(Math.sqrt(nodes) / 2)));
}

/** One that knows everybody would gather everybody: no group has more than so many times its share. */
const MAX_TIMES = 3;
const NONE = 0xff_ff_ff_ff;

/**
 * Groups grow from their centres one neighbour at a time, in turn: none swallows the others, however well connected it is.
 * Entities without a connection are a group of their own, the last.
 */
export function findClusters(count: number, links: Uint32Array, degrees: Uint32Array): Clusters {
  const near = neighboursOf(count, links);
  const groups = new Uint32Array(count).fill(NONE);
  const members: number[][] = [];
  for (const centre of pickCentres(near, degrees)) {
    groups[centre] = members.length;
    members.push([centre]);
  }
  grow(groups, members, near);
  // The rest, such as a part of the graph without a centre, gathers around its own best connected.
  for (const node of byDegree(degrees)) {
    if (groups[node] !== NONE || near[node]?.length === 0) continue;
    groups[node] = members.length;
    members.push([node]);
    grow(groups, members, near);
  }
  const alone = [...groups.keys()].filter((node) => groups[node] === NONE);
  for (const node of alone) groups[node] = members.length;
  if (alone.length > 0) members.push(alone);
  return { groups, members };
}

function grow(groups: Uint32Array, members: readonly number[][], near: readonly (readonly number[])[]): void {
  // Per group: the member whose neighbours are looked at, and which neighbour comes next.
  const at = members.map(() => ({ member: 0, neighbour: 0 }));
  const most = (MAX_TIMES * groups.length) / countOf(groups.length);
  let isGrowing = true;
  while (isGrowing) {
    isGrowing = false;
    for (const [group, own] of members.entries()) {
      if (own.length >= most) continue;
      const next = takeNext(groups, own, at[group] ?? { member: 0, neighbour: 0 }, near);
      if (next === undefined) continue;
      groups[next] = group;
      own.push(next);
      isGrowing = true;
    }
  }
}

function takeNext(
  groups: Uint32Array,
  own: readonly number[],
  place: { member: number; neighbour: number },
  near: readonly (readonly number[])[],
): number | undefined {
  for (; place.member < own.length; place.member += 1, place.neighbour = 0) {
    const others = near[own[place.member] ?? 0] ?? [];
    for (; place.neighbour < others.length; place.neighbour += 1) {
      const other = others[place.neighbour] ?? 0;
      if (groups[other] === NONE) return other;
    }
  }
  return undefined;
}

/** The best connected of which no two are neighbours: centres side by side would share one group. One that knows everybody is nobody's neighbour in that sense. */
function pickCentres(near: readonly (readonly number[])[], degrees: Uint32Array): number[] {
  const centres: number[] = [];
  const taken = new Set<number>();
  const wanted = countOf(degrees.length);
  for (const node of byDegree(degrees)) {
    if (centres.length === wanted) break;
    const others = near[node] ?? [];
    if (taken.has(node) || others.length < 2) continue;
    centres.push(node);
    if (others.length > 3 * wanted) continue;
    for (const other of others) taken.add(other);
  }
  return centres;
}

function byDegree(degrees: Uint32Array): number[] {
  return [...degrees.keys()].sort((one, other) => (degrees[other] ?? 0) - (degrees[one] ?? 0) || one - other);
}

function neighboursOf(count: number, links: Uint32Array): readonly (readonly number[])[] {
  const near: number[][] = Array.from({ length: count }, () => []);
  for (let at = 0; at < links.length; at += 2) {
    const [from, to] = [links[at] ?? 0, links[at + 1] ?? 0];
    if (from === to) continue;
    near[from]?.push(to);
    near[to]?.push(from);
  }
  return near;
}
