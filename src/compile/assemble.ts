import { Filling, type Assembled } from './fill/filling.ts';
import { offer, offerLatest, offerRanked, offerTogether, takeAll, takeHistory } from './fill/offers.ts';
import type { Limits } from './limits.ts';
import type { Piece } from './piece.ts';
import type { Tag } from './slots.ts';
import type { TokenCounter } from './tokens/counter.ts';

/** Of what everything before leaves, the conversation is sure of this much. */
const HISTORY_SHARE = 0.4;

/**
 * Chooses what goes into the prompt and puts it together. The budget is never exceeded, and nothing is said twice.
 * What is P0 and does not fit is refused, or with `mayLeaveIdentity` left out with a note.
 */
export function assemble(
  pieces: readonly Piece[],
  limits: Limits,
  counter: TokenCounter,
  mayLeaveIdentity = false,
): Assembled {
  const filling = new Filling(limits, counter);
  const of = (...tags: Tag[]): Piece[] => pieces.filter(({ tag }) => tags.includes(tag));
  takeAll(filling, of('system', 'identity'), mayLeaveIdentity);
  // Whatever the message is, or the same core memory would be told now at full length and now shortened.
  const kept = keptForLater(filling, limits);
  offerTogether(filling, of('core'), kept);
  offerTogether(filling, of('projects'), kept);
  const recent = of('recent');
  for (const piece of recent.filter(({ why }) => why !== undefined)) offer(filling, piece, kept);
  offerLatest(
    filling,
    recent.filter(({ why }) => why === undefined).sort((left, right) => left.position - right.position),
    kept,
  );
  for (const piece of of('notices')) offer(filling, piece, kept);
  offerTogether(filling, of('topics'), kept);
  for (const piece of of('subscriptions')) offer(filling, piece, kept);
  offerTogether(filling, of('procedures'), kept);
  const history = of('history');
  const shown = takeHistory(filling, history, Math.floor(filling.left * HISTORY_SHARE));
  offerRanked(filling, of('memory'));
  takeHistory(filling, history.slice(shown), filling.left);
  return filling.finish();
}

/** Floors are shares of what identity leaves: that is never cut for anything. */
function keptForLater(filling: Filling, { floors, room }: Limits): number {
  return room === 0 ? 0 : Math.floor((floors.memory + floors.history) * (filling.left / room));
}
