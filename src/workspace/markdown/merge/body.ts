import type { MarkdownDocument } from '../types.ts';
import type { Alignment } from './align.ts';
import { settleDuplicateAnchors } from './anchors.ts';
import type { MergeConflict, MergeOptions, Versions } from './conflict.ts';
import { joinPlaced } from './join.ts';
import { mergeInsertions, type Placed } from './insertions.ts';
import { mergeUnit, type UnitVersions } from './unit.ts';
import { alignUnits } from './pairing.ts';
import type { Body, Unit } from './units.ts';

interface Alignments {
  readonly ours: Alignment;
  readonly theirs: Alignment;
}

export interface MergedBody {
  readonly text: string;
  readonly conflicts: readonly MergeConflict[];
}

/**
 * Walks the base unit by unit: before each one stands what the sides inserted there, then what became of it. Nothing
 * can be lost that way: every unit of either side is either the partner of a base unit or an insertion.
 */
export function mergeBodies(bodies: Versions<Body>, eol: MarkdownDocument['eol'], options: MergeOptions): MergedBody {
  const base = bodies.base.units;
  const ours = bodies.ours.units;
  const theirs = bodies.theirs.units;
  const partners: Alignments = {
    ours: alignUnits(base, ours, { pairReplacements: true }),
    theirs: alignUnits(base, theirs, { pairReplacements: true }),
  };
  const neededByOurs = findNeededHeadings(base, ours, partners.ours, partners.theirs);
  const neededByTheirs = findNeededHeadings(base, theirs, partners.theirs, partners.ours);
  const ourInsertions = insertionsBefore(partners.ours, ours.length);
  const theirInsertions = insertionsBefore(partners.theirs, theirs.length);

  const placed: (readonly Placed[])[] = [];
  const conflicts: MergeConflict[] = [];
  for (let at = 0; at <= base.length; at += 1) {
    const inserted = mergeInsertions(
      place(ourInsertions[at] ?? [], ours, 'ours'),
      place(theirInsertions[at] ?? [], theirs, 'theirs'),
    );
    placed.push(inserted);
    const unit = base[at];
    if (unit === undefined) break;
    const versions: UnitVersions = {
      base: { unit, at },
      ours: findVersion(ours, partners.ours[at]),
      theirs: findVersion(theirs, partners.theirs[at]),
      isNeeded: neededByOurs.has(at) || neededByTheirs.has(at),
    };
    const outcome = mergeUnit(versions, options);
    placed.push(outcome.placed);
    if (outcome.conflict !== undefined) conflicts.push(outcome.conflict);
  }
  const settled = settleDuplicateAnchors({ placed: placed.flat(), conflicts }, bodies, options);
  return { text: joinPlaced(settled.placed, bodies, eol), conflicts: settled.conflicts };
}

function place(indexes: readonly number[], units: readonly Unit[], side: 'ours' | 'theirs'): Placed[] {
  return indexes.flatMap((index) => {
    const unit = units[index];
    return unit === undefined ? [] : [{ unit, [side]: index }];
  });
}

function findVersion(units: readonly Unit[], at: number | undefined): { unit: Unit; at: number } | undefined {
  const unit = units[at ?? -1];
  return unit === undefined || at === undefined ? undefined : { unit, at };
}

/** The side's new units by the base unit they stand before: its next partner, so that a rewritten run comes after it. */
function insertionsBefore(partners: Alignment, count: number): number[][] {
  const slots: number[][] = Array.from({ length: partners.length + 1 }, () => []);
  const baseOf = invert(partners, count);
  let slot = partners.length;
  for (let at = count - 1; at >= 0; at -= 1) {
    const partner = baseOf[at] ?? -1;
    if (partner === -1) slots[slot]?.push(at);
    else slot = partner;
  }
  return slots.map((indexes) => indexes.reverse());
}

function invert(partners: Alignment, count: number): Alignment {
  const inverse = new Int32Array(count).fill(-1);
  for (const [at, partner] of partners.entries()) if (partner !== -1) inverse[partner] = at;
  return inverse;
}

/**
 * Headings the other side deleted with their whole sections, while this side wrote something new under them. Without
 * its heading that text would slip into the section above.
 */
function findNeededHeadings(
  base: readonly Unit[],
  side: readonly Unit[],
  own: Alignment,
  other: Alignment,
): Set<number> {
  const needed = new Set<number>();
  const baseOf = invert(own, side.length);
  const enclosing: { level: number; at: number }[] = [];
  for (const [index, unit] of side.entries()) {
    const at = baseOf[index] ?? -1;
    const level = unit.block.kind === 'heading' ? unit.block.level : Infinity;
    while ((enclosing.at(-1)?.level ?? 0) >= level) enclosing.pop();
    const isNew = at === -1 || (other[at] === -1 && unit.content !== base[at]?.content);
    if (isNew) for (const heading of enclosing) if (heading.at !== -1) needed.add(heading.at);
    if (unit.block.kind === 'heading') enclosing.push({ level, at });
  }
  return new Set([...needed].filter((at) => isSectionDeleted(base, at, other)));
}

function isSectionDeleted(base: readonly Unit[], heading: number, partners: Alignment): boolean {
  const level = base[heading]?.block.level ?? 0;
  for (let at = heading; at < base.length; at += 1) {
    const block = base[at]?.block;
    if (at > heading && block?.kind === 'heading' && block.level <= level) break;
    if (partners[at] !== -1) return false;
  }
  return true;
}
