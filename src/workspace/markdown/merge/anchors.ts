import type { MergeConflict, MergeOptions, Versions } from './conflict.ts';
import type { Placed } from './insertions.ts';
import { makeConflict, withFreshAnchor } from './unit.ts';
import type { Body, Unit } from './units.ts';

interface Draft {
  readonly placed: readonly Placed[];
  readonly conflicts: readonly MergeConflict[];
}

/**
 * A block that one side moved stands in the draft twice under one anchor: where it was moved to, and where the other
 * side edited it. Brings the two together; copies that remain lose their anchor, so that an id names one block.
 */
export function settleDuplicateAnchors(draft: Draft, bodies: Versions<Body>, options: MergeOptions): Draft {
  const placed: (Placed | undefined)[] = [...draft.placed];
  const conflicts = new Set(draft.conflicts);
  for (const [id, positions] of findDuplicates(draft.placed)) {
    const allowed = Math.max(countAnchors(bodies.ours, id), countAnchors(bodies.theirs, id));
    if (positions.length <= allowed) continue;
    const ourAt = positions.find((at) => placed[at]?.theirs === undefined);
    const theirAt = positions.find((at) => placed[at]?.ours === undefined);
    const ours = placed[ourAt ?? -1];
    const theirs = placed[theirAt ?? -1];
    if (ourAt === undefined || ours === undefined) continue;
    if (theirAt === undefined || theirs === undefined) {
      placed[ourAt] = { ...ours, unit: withFreshAnchor(ours.unit, options) };
      continue;
    }
    const base = bodies.base.units.find((unit) => unit.block.id === id);
    for (const conflict of conflicts) {
      if (base !== undefined && conflict.base === base.text) conflicts.delete(conflict);
    }
    const settled = settleMove(base, ours, theirs, options);
    placed[ourAt] = settled.ours;
    placed[theirAt] = settled.theirs;
    if (settled.conflict !== undefined) conflicts.add(settled.conflict);
  }
  return { placed: placed.filter((entry) => entry !== undefined), conflicts: [...conflicts] };
}

interface SettledMove {
  readonly ours: Placed | undefined;
  readonly theirs: Placed | undefined;
  readonly conflict?: MergeConflict;
}

function settleMove(base: Unit | undefined, ours: Placed, theirs: Placed, options: MergeOptions): SettledMove {
  const ourContent = ours.unit.content;
  const theirContent = theirs.unit.content;
  if (ourContent === theirContent) return { ours: undefined, theirs };
  if (ourContent === base?.content) return { ours: { ...ours, unit: theirs.unit }, theirs: undefined };
  if (theirContent === base?.content) return { ours: undefined, theirs: { ...theirs, unit: ours.unit } };
  const versions = { base: base === undefined ? undefined : { unit: base }, ours, theirs };
  const conflict = makeConflict(base === undefined ? 'both-added' : 'both-edited', versions);
  if (options.onConflict === 'keep-theirs') return { ours: undefined, theirs, conflict };
  return { ours: { ...ours, unit: withFreshAnchor(ours.unit, options) }, theirs, conflict };
}

function findDuplicates(placed: readonly Placed[]): [string, number[]][] {
  const positions = new Map<string, number[]>();
  for (const [at, { unit }] of placed.entries()) {
    const { id } = unit.block;
    if (id !== undefined) positions.set(id, positions.get(id) ?? []);
    if (id !== undefined) positions.get(id)?.push(at);
  }
  return [...positions].filter(([, found]) => found.length > 1);
}

function countAnchors(body: Body, id: string): number {
  return body.units.filter((unit) => unit.block.id === id).length;
}
