import { MnemeError } from '../../model/errors.ts';
import type { Form, Piece } from '../piece.ts';
import { NAME_OF } from '../slots.ts';
import type { Filling } from './filling.ts';
import { joinSections, layOut } from './layout.ts';

const IN_PART: Readonly<Record<Form['level'], string>> = {
  full: 'included',
  summary: 'included in part: all of it did not fit',
  line: 'included as a line: more of it did not fit',
  link: 'named only: nothing more of it fitted',
};

/** Takes the agent's identity whole or not at all. */
export function takeAll(filling: Filling, offered: readonly Piece[], mayLeave: boolean): void {
  for (const piece of offered) if (piece.refused !== undefined) filling.leave(piece, piece.refused);
  const pieces = offered.filter(({ refused }) => refused === undefined);
  if (pieces.length === 0) return;
  const { room, caps, budget } = filling.limits;
  // And a line break before whatever may follow.
  const needed = filling.count(joinSections(layOut(pieces.map((piece) => ({ piece, form: piece.forms[0] }))))) + 1;
  if (needed > room) {
    const names = pieces.map(({ origin }) => origin.path).join(', ');
    const aside = budget === room ? '' : ` (${budget} less ${budget - room} for the message and the answer)`;
    const overflow = `${names} need ${needed} tokens; the budget is ${room}${aside}, ${needed - room} too few.`;
    if (!mayLeave) {
      throw new MnemeError('refused', overflow, { hint: 'Shorten them, or give a larger --budget or --preset.' });
    }
    filling.notes.push(`${overflow} They are left out; shorten them.`);
    for (const piece of pieces) filling.leave(piece, `over budget: ${needed} tokens together, ${room} left`);
    return;
  }
  for (const piece of pieces) filling.take(piece, piece.forms[0], 'always included');
  const used = filling.used('identity');
  if (used > caps.identity)
    filling.notes.push(`The identity files take ${used} tokens; ${caps.identity} are meant for them.`);
}

/** Takes the fullest form that fits; `kept` is for parts that come later. */
export function offer(filling: Filling, piece: Piece, kept = 0, forms: readonly Form[] = piece.forms): boolean {
  const obstacle = filling.findObstacle(piece);
  if (obstacle !== undefined) return leave(filling, piece, obstacle);
  const room = filling.roomFor(piece.tag, kept);
  const form = forms.find((each) => filling.costOf(piece, each) <= room);
  if (form === undefined) return leave(filling, piece, tooLong(filling, piece, forms.at(-1) ?? piece.forms[0], kept));
  filling.take(piece, form, reasonFor(piece, form));
  return true;
}

/**
 * Offers the parts of one whole. If not all of them fit, every part becomes shorter before one is dropped; the last is
 * dropped first. Core memory files that are included completely are marked as whole.
 */
export function offerTogether(filling: Filling, offered: readonly Piece[], kept: number): void {
  const candidates: Piece[] = [];
  for (const piece of offered) {
    const obstacle = filling.findObstacle(piece);
    if (obstacle === undefined) candidates.push(piece);
    else filling.leave(piece, obstacle);
  }
  const chosen = chooseForms(filling, candidates, kept);
  for (const piece of candidates) {
    const form = chosen.get(piece);
    if (form === undefined) filling.leave(piece, tooLong(filling, piece, piece.forms.at(-1) ?? piece.forms[0], kept));
    else filling.take(piece, form, reasonFor(piece, form));
  }
  const cut = new Set(offered.filter((piece) => !filling.isTakenWhole(piece)).map(({ origin }) => origin.path));
  // Only core memory is offered by section: the line of a project is not its page.
  for (const { origin, tag } of candidates) {
    if (tag === 'core' && !cut.has(origin.path)) filling.markWhole(origin.path, NAME_OF[tag]);
  }
}

/** Everything in its shortest form first, as far as that fits; then each as full as the others leave room for. */
function chooseForms(filling: Filling, candidates: readonly Piece[], kept: number): Map<Piece, Form> {
  const chosen = new Map<Piece, Form>();
  const [first] = candidates;
  if (first === undefined) return chosen;
  // The first one also pays for the tag around all of them.
  const around = filling.costOf(first, first.forms[0]) - filling.count(first.forms[0].text) - 1;
  let left = filling.roomFor(first.tag, kept) - around;
  const costOf = (form: Form): number => filling.count(form.text) + 1;
  for (const piece of candidates) {
    const shortest = piece.forms.at(-1) ?? piece.forms[0];
    if (costOf(shortest) > left) continue;
    chosen.set(piece, shortest);
    left -= costOf(shortest);
  }
  for (const [piece, shortest] of chosen) {
    const fullest = piece.forms.find((form) => costOf(form) - costOf(shortest) <= left) ?? shortest;
    left -= costOf(fullest) - costOf(shortest);
    chosen.set(piece, fullest);
  }
  return chosen;
}

/** A window over what happened moves on by so much of its size at once. */
const WINDOW_STEP = 0.25;

/**
 * The latest of what happened. When it no longer fits, the beginning of the window moves on by a quarter of it and not
 * by an entry: the text of the last turn then keeps its place for many turns, and is cached.
 */
export function offerLatest(filling: Filling, oldestFirst: readonly Piece[], kept: number): void {
  const candidates: Piece[] = [];
  for (const piece of oldestFirst) {
    const obstacle = filling.findObstacle(piece);
    if (obstacle === undefined) candidates.push(piece);
    else filling.leave(piece, obstacle);
  }
  const [first] = candidates;
  if (first === undefined) return;
  const room = filling.roomFor(first.tag, kept);
  const costs = candidates.map((piece, at) => costAfter(filling, piece, candidates[at - 1]));
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  const step = Math.max(1, room * WINDOW_STEP);
  const skipped = total <= room ? 0 : Math.ceil((total - room) / step) * step;
  let before = 0;
  for (const [at, piece] of candidates.entries()) {
    const isOld = before < skipped && at < candidates.length - 1;
    before += costs[at] ?? 0;
    if (isOld) filling.leave(piece, 'older than what fits');
    else offer(filling, piece, kept);
  }
}

/** A heading is paid for once. */
function costAfter(filling: Filling, piece: Piece, before: Piece | undefined): number {
  const isBelowTheSame = before !== undefined && before.below?.heading === piece.below?.heading;
  const [full] = piece.forms;
  return isBelowTheSame ? filling.count(full.text) + 1 : filling.costOf(piece, full);
}

/** The latest turns without a gap; returns how many. What stands elsewhere in the prompt is no gap. */
export function takeHistory(filling: Filling, latestFirst: readonly Piece[], room: number): number {
  const until = filling.left - room;
  for (const [index, piece] of latestFirst.entries()) {
    const obstacle = filling.findObstacle(piece);
    if (obstacle !== undefined) {
      filling.leave(piece, obstacle);
      continue;
    }
    const isWithin = filling.left - filling.costOf(piece, piece.forms[0]) >= until;
    if (!isWithin || !offer(filling, piece)) {
      for (const older of latestFirst.slice(index)) filling.leave(older, 'older than what fits');
      return index;
    }
  }
  return latestFirst.length;
}

/**
 * Offers the hits, the best first, whole as long as they fit; then, of the rest, as many of the best as there is
 * room for in their shorter forms. A smaller one that fits whole is worth more than a name.
 */
export function offerRanked(filling: Filling, bestFirst: readonly Piece[]): void {
  const missed = bestFirst.filter((piece) => !offer(filling, piece, 0, [piece.forms[0]]) && isTooLong(filling, piece));
  for (const piece of missed.slice(0, MAX_SHORTENED)) offer(filling, piece, 0, piece.forms.slice(1));
}

/** More names of what did not fit help nobody. */
const MAX_SHORTENED = 5;

function isTooLong(filling: Filling, piece: Piece): boolean {
  return filling.findObstacle(piece) === undefined;
}

function reasonFor({ why }: Piece, { level }: Form): string {
  return level === 'full' && why !== undefined ? `included: ${why}` : IN_PART[level];
}

function tooLong(filling: Filling, piece: Piece, form: Form, kept: number): string {
  const cost = filling.costOf(piece, form);
  const left = filling.left - kept;
  return cost > left
    ? `over budget: ${cost} tokens, ${Math.max(0, left)} left`
    : `over the part for <${piece.tag}>: ${cost} tokens, ${Math.max(0, filling.roomFor(piece.tag, kept))} left`;
}

function leave(filling: Filling, piece: Piece, reason: string): false {
  filling.leave(piece, reason);
  return false;
}
