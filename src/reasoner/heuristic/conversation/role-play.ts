import type { Utterance } from '../clauses/utterance.ts';

const BEGINS =
  /\b(?:role-?play|pretend (?:to be|you're|you are|that)|you are (?:a|an|the) (?:\w+ ){0,3}(?:pirate|wizard|interviewer|dragon|knight|customer|character)|let's play|act as|write (?:me )?(?:a|the) (?:\w+ ){0,4}(?:story|poem|scene|dialogue|tale|limerick|song|fairy tale|bedtime story)|tell (?:\w+ ){0,2}a story|in character|imagine you(?:'re| are))\b/iu;
const ENDS =
  /\b(?:end of (?:role-?play|story|game|scene)|out of character|ooc|back to (?:work|reality|real|business)|ok(?:ay)? enough|stop (?:the )?(?:role-?play|game)|seriously now|anyway)\b/iu;
/** A game nobody ends is over after this many turns. */
const MAX_TURNS = 8;

/** Finds the turns of a game or a story, whose statements are not meant. */
export function findFiction(turns: readonly (readonly Utterance[])[]): Set<number> {
  const fiction = new Set<number>();
  let until = -1;
  for (const [index, turn] of turns.entries()) {
    const text = turn.map(({ text }) => text).join(' ');
    const isUsers = turn[0]?.turn.role === 'user';
    if (isUsers && BEGINS.test(text)) until = index + MAX_TURNS;
    else if (
      isUsers &&
      until >= index &&
      ENDS.test(turn.map(({ openers, text }) => `${openers.join(' ')} ${text}`).join(' '))
    )
      until = -1;
    if (index <= until) fiction.add(index);
  }
  return fiction;
}
