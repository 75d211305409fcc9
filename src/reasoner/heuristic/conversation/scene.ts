import type { HeardConversation } from '../../port.ts';
import { utterancesOf } from '../clauses/utterance.ts';
import { loadDateParser } from '../dates/dates.ts';
import { loadLexicon } from '../entities/lexicon.ts';
import { findPeople } from '../entities/people.ts';
import type { Scene } from '../kinds/finding.ts';
import { chancesOf as shippedChancesOf } from '../kinds/score.ts';

/** Reads a conversation once: its statements, its people, and the dictionaries they are judged by. */
export async function setScene(
  conversation: HeardConversation,
  chancesOf: Scene['chancesOf'] = shippedChancesOf,
): Promise<Scene> {
  const [lexicon, dates, { franc }] = await Promise.all([loadLexicon(), loadDateParser(), import('franc-min')]);
  return {
    conversation,
    turns: conversation.turns.map((turn, index) =>
      turn.role === 'user' || turn.role === 'agent' ? utterancesOf(turn, index, franc) : [],
    ),
    told: conversation.turns.flatMap((turn, index) => (turn.role === 'tool' ? utterancesOf(turn, index, franc) : [])),
    people: findPeople(conversation, lexicon),
    lexicon,
    dates,
    chancesOf,
    user: conversation.user ?? 'The user',
  };
}
