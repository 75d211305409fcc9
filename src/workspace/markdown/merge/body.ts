import type { MarkdownDocument } from '../document.ts';
import type { Alignment } from './align.ts';
import { mergeInsertions, type Placed } from './insertions.ts';
import { alignUnits } from './pairing.ts';
import {
  type Body,
  type MergeConflict,
  type MergeOptions,
  type Unit,
  type UnitVersions,
  type Versions,
  makeConflict,
  mergeUnit,
  withFreshAnchor,
} from './units.ts';
import { separate } from '../edit.ts';

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

/** Writes the merged units with the white space that stood between them, or would have. */
function joinPlaced(placed: readonly Placed[], bodies: Versions<Body>, eol: MarkdownDocument['eol']): string {
  let text = '';
  for (let at = 0; at <= placed.length; at += 1) {
    const left = placed[at - 1];
    const right = placed[at];
    const gap = mergeGap(left, right, bodies) ?? newGap(left, right, bodies, eol);
    const isSeam = left !== undefined && right !== undefined;
    text += isSeam ? separate(left.unit.text, gap, right.unit.text, eol) : gap;
    text += right?.unit.text ?? '';
  }
  return text;
}

/** White space never conflicts: it follows whichever side changed it, and theirs where both did. */
function mergeGap(left: Placed | undefined, right: Placed | undefined, bodies: Versions<Body>): string | undefined {
  const base = findGap(bodies.base, left && { at: left.base }, right && { at: right.base });
  const ours = findGap(bodies.ours, left && { at: left.ours }, right && { at: right.ours });
  const theirs = findGap(bodies.theirs, left && { at: left.theirs }, right && { at: right.theirs });
  if (ours !== undefined && theirs !== undefined) return theirs === base ? ours : theirs;
  return ours ?? theirs;
}

/** The gap between two units that are neighbours in `body`; no unit at all means the body's beginning or end. */
function findGap(
  body: Body,
  left: { at: number | undefined } | undefined,
  right: { at: number | undefined } | undefined,
): string | undefined {
  const leftAt = left === undefined ? -1 : left.at;
  const rightAt = right === undefined ? body.units.length : right.at;
  if (leftAt === undefined || rightAt === undefined || rightAt !== leftAt + 1) return undefined;
  return body.gaps[rightAt];
}

/** Units that never stood together: items stay a list as tight as theirs was, others get a blank line. */
function newGap(
  left: Placed | undefined,
  right: Placed | undefined,
  bodies: Versions<Body>,
  eol: MarkdownDocument['eol'],
): string {
  if (left === undefined) return bodies.theirs.gaps[0] ?? '';
  if (right === undefined) return bodies.theirs.gaps.at(-1) ?? '';
  const [body, at = 0] = right.theirs === undefined ? [bodies.ours, right.ours] : [bodies.theirs, right.theirs];
  const ownGap = at === 0 ? '' : (body.gaps[at] ?? '');
  const isList = left.unit.block.kind === 'item' && right.unit.block.kind === 'item';
  if (isList) return body.units[at - 1]?.block.kind === 'item' ? ownGap : eol;
  return ownGap.indexOf('\n') === ownGap.lastIndexOf('\n') ? eol + eol : ownGap;
}

interface Draft {
  readonly placed: readonly Placed[];
  readonly conflicts: readonly MergeConflict[];
}

/**
 * A block that one side moved stands in the draft twice under one anchor: where it was moved to, and where the other
 * side edited it. Brings the two together; copies that remain lose their anchor, so that an id names one block.
 */
function settleDuplicateAnchors(draft: Draft, bodies: Versions<Body>, options: MergeOptions): Draft {
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
