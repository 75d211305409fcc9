import { cutAnchor } from '../anchor.ts';
import { withEol, withoutFinalEol } from '../lines.ts';
import type { Block } from '../types.ts';

/** The three versions a merge works on: what both started from, what is to be written, what is on disk. */
export interface Versions<T> {
  readonly base: T;
  readonly ours: T;
  readonly theirs: T;
}

export type ConflictKind = 'both-edited' | 'both-added' | 'ours-deleted' | 'theirs-deleted';

/** A place where the two sides disagree; the merged text keeps what can be kept, a person decides the rest. */
export interface MergeConflict extends Versions<string | undefined> {
  readonly kind: ConflictKind;
  /** The frontmatter key concerned; undefined in the body. */
  readonly key: string | undefined;
}

export interface MergeOptions {
  /** Names the second copy of a block that both sides edited; without it the copy has no anchor. */
  readonly newId?: (() => string) | undefined;
  /** The result where both edited: both versions, or only what is on disk (undo). */
  readonly onConflict?: 'keep-both' | 'keep-theirs' | undefined;
}

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
export function keyOf(unit: Unit): string {
  return unit.block.id === undefined ? `${unit.block.kind} ${unit.content}` : `^${unit.block.id}`;
}
