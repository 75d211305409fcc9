import { alignKeys, type Alignment } from './align.ts';
import { contentWithoutAnchor, keyOf, timeOf, type Unit } from './units.ts';

/** Comparisons one alignment may spend; edits beyond it count as deleted and written anew, which loses nothing. */
const MAX_COMPARISONS = 40_000;

/** Half of the character pairs in common: "Fridays" → "Thursdays" in a sentence passes, another sentence does not. */
const SIMILAR = 0.5;

export interface AlignOptions {
  /** Whether one block in place of another of its kind, between unchanged neighbours, counts as that block rewritten. */
  readonly pairReplacements: boolean;
}

/** Maps each unit of `before` to its unit in `after`: same anchor or content, else edited within its hunk. */
export function alignUnits(before: readonly Unit[], after: readonly Unit[], options: AlignOptions): Alignment {
  const beforeIds = idsOf(before);
  const afterIds = idsOf(after);
  const beforeOwners = findOwners(before);
  const afterOwners = findOwners(after);
  const partners = alignKeys(ownedKeys(before, beforeOwners, afterIds), ownedKeys(after, afterOwners, beforeIds));
  for (const [at, partner] of partners.entries()) {
    const isAnchored = before[at]?.block.id !== undefined;
    if (!isAnchored && partner !== -1 && !mayShareOwner(beforeOwners[at], afterOwners[partner])) partners[at] = -1;
  }
  const versions = { before, after, beforeIds, afterIds, beforeOwners, afterOwners };
  let comparisonsLeft = MAX_COMPARISONS;
  let afterStart = 0;
  for (let start = 0; start <= before.length; start += 1) {
    let end = start;
    while (end < before.length && partners[end] === -1) end += 1;
    const afterEnd = partners[end] ?? after.length;
    const comparisons = (end - start) * (afterEnd - afterStart);
    if (comparisons > 0 && comparisons <= comparisonsLeft) {
      pairEdited({ ...versions, start, end, afterStart, afterEnd }, partners, options);
      comparisonsLeft -= comparisons;
    }
    afterStart = afterEnd + 1;
    start = end;
  }
  return partners;
}

/** Where both versions have an entry, its unanchored parts are named after it; elsewhere by what they say. */
function ownedKeys(units: readonly Unit[], owners: Owners, others: ReadonlySet<string>): string[] {
  return units.map((unit, at) => {
    const owner = unit.block.id === undefined ? owners[at]?.values().find((id) => others.has(id)) : undefined;
    return owner === undefined ? keyOf(unit) : `${owner} ${keyOf(unit)}`;
  });
}

/** The changes between two aligned units, or before the first and behind the last. */
interface Hunk {
  readonly before: readonly Unit[];
  readonly after: readonly Unit[];
  readonly beforeIds: ReadonlySet<string>;
  readonly afterIds: ReadonlySet<string>;
  readonly beforeOwners: Owners;
  readonly afterOwners: Owners;
  readonly start: number;
  readonly end: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

function pairEdited(hunk: Hunk, partners: Alignment, options: AlignOptions): void {
  const rows = hunk.end - hunk.start;
  const columns = hunk.afterEnd - hunk.afterStart;
  const scores = scoreEdits(hunk, options);
  const best = bestPairing(scores, rows, columns);
  let row = 0;
  let column = 0;
  while (row < rows && column < columns) {
    const here = best[row * (columns + 1) + column] ?? 0;
    if (here === best[(row + 1) * (columns + 1) + column]) {
      row += 1;
    } else if (here === best[row * (columns + 1) + column + 1]) {
      column += 1;
    } else {
      partners[hunk.start + row] = hunk.afterStart + column;
      row += 1;
      column += 1;
    }
  }
}

/** Rates how likely each unit after is an edit of each unit before; 0 where it cannot be. */
function scoreEdits(hunk: Hunk, options: AlignOptions): Float64Array {
  const profile = (unit: Unit): [Unit, Profile] => [unit, profileOf(contentWithoutAnchor(unit))];
  const before = hunk.before.slice(hunk.start, hunk.end).map(profile);
  const after = hunk.after.slice(hunk.afterStart, hunk.afterEnd).map(profile);
  const isReplacement = options.pairReplacements && before.length === 1 && after.length === 1;
  const scores = new Float64Array(before.length * after.length);
  for (const [row, [oldUnit, oldProfile]] of before.entries()) {
    for (const [column, [newUnit, newProfile]] of after.entries()) {
      const isSameEntry = mayShareOwner(
        hunk.beforeOwners[hunk.start + row],
        hunk.afterOwners[hunk.afterStart + column],
      );
      if (!isSameEntry || !canBeSame(oldUnit, newUnit, hunk)) continue;
      const score = isReplacement ? 1 : similarity(oldProfile, newProfile);
      scores[row * after.length + column] = score >= SIMILAR ? score : 0;
    }
  }
  return scores;
}

/** Different anchors are different blocks, different times different entries, however alike they read. */
function canBeSame(before: Unit, after: Unit, { beforeIds, afterIds }: Hunk): boolean {
  if (before.block.kind !== after.block.kind) return false;
  const [oldId, newId] = [before.block.id, after.block.id];
  if (oldId !== undefined && (newId !== undefined || afterIds.has(oldId))) return false;
  if (newId !== undefined && beforeIds.has(newId)) return false;
  return (
    before.block.kind !== 'heading' || (before.block.level === after.block.level && timeOf(before) === timeOf(after))
  );
}

function idsOf(units: readonly Unit[]): Set<string> {
  return new Set(units.flatMap((unit) => unit.block.id ?? []));
}

/** The best total score of any order-keeping pairing of the rows and columns from (row, column) on. */
function bestPairing(scores: Float64Array, rows: number, columns: number): Float64Array {
  const best = new Float64Array((rows + 1) * (columns + 1));
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const score = scores[row * columns + column] ?? 0;
      const paired = score === 0 ? 0 : score + (best[(row + 1) * (columns + 1) + column + 1] ?? 0);
      const skipped = Math.max(
        best[(row + 1) * (columns + 1) + column] ?? 0,
        best[row * (columns + 1) + column + 1] ?? 0,
      );
      best[row * (columns + 1) + column] = Math.max(paired, skipped);
    }
  }
  return best;
}

/** Enough of a block to recognise it by; a long fence need not be compared to its end. */
const COMPARED_LENGTH = 600;

/** Counts of each pair of neighbouring characters in a text. */
type Profile = ReadonlyMap<number, number>;

function profileOf(text: string): Profile {
  const profile = new Map<number, number>();
  const compared = text.slice(0, COMPARED_LENGTH).replaceAll(/\s+/g, ' ').trim();
  for (let at = 0; at + 1 < compared.length; at += 1) {
    const bigram = compared.charCodeAt(at) * 0x1_00_00 + compared.charCodeAt(at + 1);
    profile.set(bigram, (profile.get(bigram) ?? 0) + 1);
  }
  return profile;
}

/** Dice's coefficient over character pairs: 1 for equal texts, 0 for texts that share no pair. */
function similarity(left: Profile, right: Profile): number {
  let shared = 0;
  let total = 0;
  for (const [bigram, count] of left) {
    shared += Math.min(count, right.get(bigram) ?? 0);
    total += count;
  }
  for (const count of right.values()) total += count;
  return total === 0 ? 0 : (2 * shared) / total;
}

/** The anchors of the entry each unit belongs to; none for a unit that stands for itself. */
type Owners = readonly ReadonlySet<string>[];

const NOBODY: ReadonlySet<string> = new Set();
const COMMENT = /^[ \t]*<!--/;

/**
 * Finds the entry that a heading, metadata line or unanchored text belongs to. Two entries of one minute have the
 * same heading and often the same metadata line: only the anchor in them tells the one from the other.
 */
function findOwners(units: readonly Unit[]): Owners {
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
function mayShareOwner(a: ReadonlySet<string> = NOBODY, b: ReadonlySet<string> = NOBODY): boolean {
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
