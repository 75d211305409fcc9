import type { Utterance } from '../clauses/utterance.ts';
import type { Scene } from '../kinds/finding.ts';

/** The agent's turn next to this one; tools between them do not count, another word of the user's does. */
export function neighbour(
  { turnIndex }: Utterance,
  { turns, conversation }: Scene,
  step: 1 | -1,
): readonly Utterance[] | undefined {
  for (let index = turnIndex + step; index >= 0 && index < turns.length; index += step) {
    const role = conversation.turns[index]?.role;
    if (role === 'agent') return turns[index];
    if (role === 'user' && step === -1) return undefined;
    if (Math.abs(index - turnIndex) > 3) return undefined;
  }
  return undefined;
}
