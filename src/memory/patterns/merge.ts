import type { Occurrence, PatternShape, Suspected } from './occurrence.ts';

/** Labels that stand on nearly the same occurrences are two names of one thing. */
const SAME = 0.8;

/** One pattern per regularity: the same thing under two names, or told both as habit and as cause, is told once. */
export function mergeSimilar(
  found: readonly Suspected[],
  byLabel: ReadonlyMap<string, readonly Occurrence[]>,
): Suspected[] {
  const names = canonicalNames(byLabel);
  const best = new Map<string, Suspected>();
  for (const each of found) {
    const key = signature(each.shape, (label) => names.get(label) ?? label);
    const other = best.get(key);
    if (other === undefined || each.chance < other.chance) best.set(key, each);
  }
  return withoutEchoes([...best.values()]);
}

/** A > B and B > C make A > C: the long way round is not told again. */
function withoutEchoes(found: readonly Suspected[]): Suspected[] {
  const next = new Map<string, Set<string>>();
  for (const { shape } of found) {
    const [first, second] = endsOf(shape) ?? [];
    if (first !== undefined && second !== undefined) next.set(first, (next.get(first) ?? new Set()).add(second));
  }
  return found.filter(({ shape, held, tried }) => {
    const [first, second] = endsOf(shape) ?? [];
    if (first === undefined || second === undefined) return true;
    const middles = [...(next.get(first) ?? [])].filter(
      (middle) => middle !== second && next.get(middle)?.has(second) === true,
    );
    return !middles.some((middle) => {
      const direct = found.find((each) => {
        const ends = endsOf(each.shape);
        return ends?.[0] === first && ends[1] === middle;
      });
      return direct !== undefined && direct.held / direct.tried >= held / tried;
    });
  });
}

function endsOf(shape: PatternShape): readonly [string, string] | undefined {
  if (shape.kind === 'cause') return [shape.cause, shape.effect];
  const [first, second] = shape.kind === 'sequence' ? shape.labels : [];
  return first === undefined || second === undefined ? undefined : [first, second];
}

function signature(shape: PatternShape, nameOf: (label: string) => string): string {
  const ends = endsOf(shape);
  if (ends !== undefined) return `follows ${nameOf(ends[0])} ${nameOf(ends[1])}`;
  switch (shape.kind) {
    case 'weekday':
      return `weekday ${nameOf(shape.label)} ${shape.weekday} ${shape.and ?? ''}`;
    case 'opening':
      return `opening ${nameOf(shape.label)}`;
    case 'hour':
      return `hour ${nameOf(shape.label)}`;
    case 'day-of-month':
      return `day-of-month ${nameOf(shape.label)} ${shape.day}`;
    default:
      return JSON.stringify(shape);
  }
}

/** For each label the most used of those that mean the same. */
function canonicalNames(byLabel: ReadonlyMap<string, readonly Occurrence[]>): Map<string, string> {
  const names = new Map<string, string>();
  const ordered = [...byLabel].sort((one, other) => other[1].length - one[1].length || (one[0] < other[0] ? -1 : 1));
  const ids = new Map(ordered.map(([label, each]) => [label, new Set(each.map(({ id }) => id))]));
  for (const [label] of ordered) {
    const own = ids.get(label) ?? new Set();
    const twin = [...names.keys()].find(
      (other) => names.get(other) === other && overlap(own, ids.get(other) ?? new Set()) >= SAME,
    );
    names.set(label, twin ?? label);
  }
  return names;
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (Math.min(one.size, other.size) < Math.max(one.size, other.size) * SAME) return 0;
  let shared = 0;
  for (const id of one) if (other.has(id)) shared += 1;
  return shared / (one.size + other.size - shared);
}
