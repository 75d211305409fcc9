import { Filling, type Assembled } from './fill/filling.ts';
import { offer, offerLatest, offerRanked, offerTogether, takeAll, takeHistory } from './fill/offers.ts';
import type { Limits } from './limits.ts';
import type { Piece } from './piece.ts';
import { repeats } from '../model/repeated.ts';
import { NAME_OF, type Tag } from './slots.ts';
import type { TokenCounter } from './tokens/counter.ts';

/** Of what everything before leaves, the conversation is sure of this much. */
const HISTORY_SHARE = 0.4;

/** Of what identity leaves at the start of a session, core memory cannot take this much from what is known. */
const KNOWN_SHARE = 0.4;

/**
 * Chooses what goes into the prompt and puts it together. The budget is never exceeded, and nothing is said twice.
 * What is P0 and does not fit is refused, or at the start of a session left out with a note; nothing is searched for then, so
 * that nothing is kept free for it.
 */
export function assemble(pieces: readonly Piece[], limits: Limits, counter: TokenCounter, isStart = false): Assembled {
  const filling = new Filling(limits, counter);
  const of = (...tags: Tag[]): Piece[] => pieces.filter(({ tag }) => tags.includes(tag));
  takeAll(filling, of('system', 'identity'), isStart);
  // Whatever the message is, or the same core memory would be told now at full length and now shortened.
  const kept = isStart ? 0 : keptForLater(filling, limits);
  const known = of('known');
  offerTogether(filling, of('core'), kept + (known.length === 0 ? 0 : Math.floor(filling.left * KNOWN_SHARE)));
  offerTogether(filling, of('projects'), kept);
  for (const piece of known) offer(filling, piece, kept);
  // A line is no repetition of a turn to the letter, and tells the same.
  const isKnown = repeats(known.filter((piece) => filling.isTakenWhole(piece)).map(({ said }) => said));
  const [repeated, recent] = [
    of('recent').filter(({ said }) => isKnown(said)),
    of('recent').filter(({ said }) => !isKnown(said)),
  ];
  for (const piece of repeated) filling.leave(piece, `repeats ${NAME_OF.known}`);
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
  if (isStart) useRounding(filling, known);
  return filling.finish();
}

/** Lines are counted apart and rounded up; together they leave room for more of them. */
function useRounding(filling: Filling, pieces: readonly Piece[]): void {
  for (let left = pieces; left.length > 0;) {
    filling.recount();
    const before = left.length;
    left = left.filter((piece) => !filling.isTakenWhole(piece) && !offer(filling, piece));
    if (left.length === before) return;
  }
}

/** Floors are shares of what identity leaves: that is never cut for anything. */
function keptForLater(filling: Filling, { floors, room }: Limits): number {
  return room === 0 ? 0 : Math.floor((floors.memory + floors.history) * (filling.left / room));
}
