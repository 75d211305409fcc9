import { cutAnchor } from '../anchor.ts';
import { withEol, withoutFinalEol } from '../lines.ts';
import type { Block } from '../types.ts';
import { alignKeys, type Alignment } from './align.ts';
import { profileOf, similarity, type Profile } from './similarity.ts';

/** A block with content as the merge sees it. */
export interface Unit {
  readonly block: Block;
  /** The source without its final line end, which belongs to the gap behind it. */
  readonly text: string;
  /** The source with LF line ends: what decides whether two units are equal. */
  readonly content: string;
}

/** A body taken apart: `gaps[n]` is the white space before unit n, and one more stands behind the last unit. */
export interface Body {
  readonly units: readonly Unit[];
  readonly gaps: readonly string[];
}

/** Units of a hunk above which pairs of all with all would be compared for too long. */
const MAX_COMPARISONS = 40_000;

/** Half of the character pairs in common: "Fridays" → "Thursdays" in a sentence passes, another sentence does not. */
const SIMILAR = 0.5;

const ENTRY_TIME = /^[ \t]*(?:#{1,6}|[-*+])?[ \t]*((?:\d{4}-\d{2}-\d{2}[ T])?\d{2}:\d{2}(?::\d{2})?)\b/;

export function takeApart(blocks: readonly Block[]): Body {
  const units: Unit[] = [];
  const gaps: string[] = [];
  let gap = '';
  for (const block of blocks) {
    if (block.kind === 'blank') {
      gap += block.raw;
      continue;
    }
    const text = withoutFinalEol(block.raw);
    gaps.push(gap);
    units.push({ block, text, content: withEol(text, '\n') });
    gap = block.raw.slice(text.length);
  }
  gaps.push(gap);
  return { units, gaps };
}

export function contentWithoutAnchor(unit: Unit): string {
  return unit.block.id === undefined ? unit.content : cutAnchor(unit.content);
}

/**
 * The time an entry begins with: an episode's `## 14:30 | decision`, a journal's `- 14:30 called Ana`, a dated form of
 * either. Times of one file compare as strings.
 */
export function timeOf(unit: Unit): string | undefined {
  return ENTRY_TIME.exec(unit.content)?.[1];
}

/** A unit's name across revisions: its anchor, else what it says. */
function keyOf(unit: Unit): string {
  return unit.block.id === undefined ? `${unit.block.kind} ${unit.content}` : `^${unit.block.id}`;
}

export interface AlignOptions {
  /** Whether one block in place of another of its kind, between unchanged neighbours, counts as that block rewritten. */
  readonly pairReplacements: boolean;
}

/** Which unit of `after` each unit of `before` became: the same by anchor or content, else edited within its hunk. */
export function alignUnits(before: readonly Unit[], after: readonly Unit[], options: AlignOptions): Alignment {
  const partners = alignKeys(before.map(keyOf), after.map(keyOf));
  let afterStart = 0;
  for (let start = 0; start <= before.length; start += 1) {
    let end = start;
    while (end < before.length && partners[end] === -1) end += 1;
    const afterEnd = partners[end] ?? after.length;
    pairEdited({ before, after, start, end, afterStart, afterEnd }, partners, options);
    afterStart = afterEnd + 1;
    start = end;
  }
  return partners;
}

/** What changed between two aligned units, or before the first and behind the last. */
interface Hunk {
  readonly before: readonly Unit[];
  readonly after: readonly Unit[];
  readonly start: number;
  readonly end: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

function pairEdited(hunk: Hunk, partners: Alignment, options: AlignOptions): void {
  const rows = hunk.end - hunk.start;
  const columns = hunk.afterEnd - hunk.afterStart;
  if (rows === 0 || columns === 0 || rows * columns > MAX_COMPARISONS) return;
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

/** How likely each unit after is an edit of each unit before; 0 where it cannot be. */
function scoreEdits(hunk: Hunk, options: AlignOptions): Float64Array {
  const profile = (unit: Unit): [Unit, Profile] => [unit, profileOf(contentWithoutAnchor(unit))];
  const before = hunk.before.slice(hunk.start, hunk.end).map(profile);
  const after = hunk.after.slice(hunk.afterStart, hunk.afterEnd).map(profile);
  const isReplacement = options.pairReplacements && before.length === 1 && after.length === 1;
  const scores = new Float64Array(before.length * after.length);
  for (const [row, [oldUnit, oldProfile]] of before.entries()) {
    for (const [column, [newUnit, newProfile]] of after.entries()) {
      if (!canBeSame(oldUnit, newUnit)) continue;
      const score = isReplacement ? 1 : similarity(oldProfile, newProfile);
      scores[row * after.length + column] = score >= SIMILAR ? score : 0;
    }
  }
  return scores;
}

/** Different anchors are different blocks, and different times different entries, however alike they read. */
function canBeSame(before: Unit, after: Unit): boolean {
  if (before.block.kind !== after.block.kind) return false;
  if (before.block.id !== undefined && after.block.id !== undefined) return false;
  return (
    before.block.kind !== 'heading' || (before.block.level === after.block.level && timeOf(before) === timeOf(after))
  );
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
