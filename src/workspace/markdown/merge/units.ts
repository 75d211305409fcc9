import { cutAnchor, findAnchor } from '../anchor.ts';
import { withAnchor } from '../edit.ts';
import { withEol, withoutFinalEol } from '../lines.ts';
import type { Block } from '../document.ts';
import type { Placed } from './insertions.ts';

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

interface UnitVersion {
  readonly unit: Unit;
  readonly at: number;
}

export interface UnitVersions {
  readonly base: UnitVersion;
  readonly ours: UnitVersion | undefined;
  readonly theirs: UnitVersion | undefined;
  /** A heading that must stay because the side that kept it wrote something new under it. */
  readonly isNeeded: boolean;
}

interface UnitOutcome {
  readonly placed: readonly Placed[];
  readonly conflict?: MergeConflict | undefined;
}

/** Merges what became of one unit of the base on both sides. */
export function mergeUnit(versions: UnitVersions, options: MergeOptions): UnitOutcome {
  const { base, ours, theirs } = versions;
  if (theirs === undefined) return ours === undefined ? { placed: [] } : mergeTheirDeletion(versions, ours, options);
  if (ours === undefined) return mergeOurDeletion(versions, theirs);
  const everywhere = { base: base.at, ours: ours.at, theirs: theirs.at };
  const unit = mergeEdits(base.unit, ours.unit, theirs.unit);
  if (unit !== undefined) return { placed: [{ unit, ...everywhere }] };
  const conflict = makeConflict('both-edited', versions);
  if (options.onConflict === 'keep-theirs') return { placed: [{ unit: theirs.unit, ...everywhere }], conflict };
  const isSameAnchor = ours.unit.block.id === theirs.unit.block.id;
  const copy = isSameAnchor ? withFreshAnchor(ours.unit, options) : ours.unit;
  return {
    placed: [
      { unit: theirs.unit, theirs: theirs.at },
      { unit: copy, ours: ours.at },
    ],
    conflict,
  };
}

function mergeOurDeletion(versions: UnitVersions, theirs: UnitVersion): UnitOutcome {
  const { base, isNeeded } = versions;
  if (theirs.unit.content === base.unit.content && !isNeeded) return { placed: [] };
  const placed = [{ unit: theirs.unit, base: base.at, theirs: theirs.at }];
  return { placed, conflict: makeConflict('ours-deleted', versions) };
}

function mergeTheirDeletion(versions: UnitVersions, ours: UnitVersion, options: MergeOptions): UnitOutcome {
  const { base, isNeeded } = versions;
  const isEdited = ours.unit.content !== base.unit.content;
  if (!isEdited && !isNeeded) return { placed: [] };
  const conflict = makeConflict('theirs-deleted', versions);
  if (!isNeeded && options.onConflict === 'keep-theirs') return { placed: [], conflict };
  return { placed: [{ unit: ours.unit, base: base.at, ours: ours.at }], conflict };
}

/** One unit if the edits agree or touch different things, text here and anchor there; undefined if they collide. */
function mergeEdits(base: Unit, ours: Unit, theirs: Unit): Unit | undefined {
  if (ours.content === theirs.content || ours.content === base.content) return theirs;
  if (theirs.content === base.content) return ours;
  const [baseText, ourText, theirText] = [base, ours, theirs].map(contentWithoutAnchor);
  const source = ourText === baseText || ourText === theirText ? theirs : theirText === baseText ? ours : undefined;
  const id = ours.block.id === base.block.id || theirs.block.id !== base.block.id ? theirs.block.id : ours.block.id;
  return source === undefined ? undefined : anchored(source, id);
}

/** A second copy of a block that is already in the document under its anchor. */
export function withFreshAnchor(unit: Unit, options: MergeOptions): Unit {
  if (unit.block.id === undefined) return unit;
  const bare = anchored(unit, undefined);
  return options.newId === undefined ? bare : anchored(bare, options.newId());
}

function anchored(unit: Unit, id: string | undefined): Unit {
  const text = id === undefined ? withoutAnchors(unit.text) : withAnchor(unit.text, id);
  return { block: { ...unit.block, raw: text, id }, text, content: withEol(text, '\n') };
}

/** "a ^x ^y" shows another anchor once the last is cut, and that one may be taken as well. */
function withoutAnchors(text: string): string {
  let rest = text;
  while (findAnchor(rest) !== undefined) rest = cutAnchor(rest);
  return rest;
}

export function makeConflict(
  kind: ConflictKind,
  versions: { readonly [side in 'base' | 'ours' | 'theirs']?: { readonly unit: Unit } | undefined },
): MergeConflict {
  return {
    kind,
    key: undefined,
    base: versions.base?.unit.text,
    ours: versions.ours?.unit.text,
    theirs: versions.theirs?.unit.text,
  };
}
