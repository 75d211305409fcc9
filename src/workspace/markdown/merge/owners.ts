import { timeOf, type Unit } from './units.ts';

/** The anchors of the entry each unit belongs to; none for a unit that stands for itself. */
export type Owners = readonly ReadonlySet<string>[];

const NOBODY: ReadonlySet<string> = new Set();
const COMMENT = /^[ \t]*<!--/;

/**
 * Whose heading, metadata line or unanchored text a unit is. Two entries of one minute have the same heading and often
 * the same metadata line: only the anchor in them tells the one from the other.
 */
export function findOwners(units: readonly Unit[]): Owners {
  const owners: ReadonlySet<string>[] = [];
  for (const [at, unit] of units.entries()) {
    // Already told by the heading above it.
    if (at < owners.length) continue;
    const end = isEntryHeading(unit) ? entryEnd(units, at) : at + 1;
    const entry = units.slice(at, COMMENT.test(unit.content) ? at + 2 : end);
    const isAlone = entry.length === 1;
    const own = isAlone ? NOBODY : new Set(entry.flatMap(({ block }) => block.id ?? []));
    while (owners.length < end) owners.push(own);
  }
  return owners;
}

/** Units of entries that have no anchor in common cannot be the same, whatever they say. */
export function mayShareOwner(a: ReadonlySet<string> = NOBODY, b: ReadonlySet<string> = NOBODY): boolean {
  return a.size === 0 || b.size === 0 || !a.isDisjointFrom(b);
}

function isEntryHeading(unit: Unit): boolean {
  return unit.block.kind === 'heading' && timeOf(unit) !== undefined;
}

/** Up to the next heading that is not deeper. */
function entryEnd(units: readonly Unit[], start: number): number {
  const level = units[start]?.block.level ?? 0;
  let end = start + 1;
  for (let block = units[end]?.block; block !== undefined; block = units[end]?.block) {
    if (block.kind === 'heading' && block.level <= level) break;
    end += 1;
  }
  return end;
}
