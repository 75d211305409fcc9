import { separate } from '../seam.ts';
import type { MarkdownDocument } from '../types.ts';
import type { Versions } from './conflict.ts';
import type { Placed } from './insertions.ts';
import type { Body } from './units.ts';

/** Writes the merged units with the white space that stood between them, or would have. */
export function joinPlaced(placed: readonly Placed[], bodies: Versions<Body>, eol: MarkdownDocument['eol']): string {
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
