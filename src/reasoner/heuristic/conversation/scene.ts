import type { HeardConversation, HeardTurn } from '../../port.ts';
import { utterancesOf, type Utterance } from '../clauses/utterance.ts';
import { loadDateParser } from '../dates/dates.ts';
import { loadLexicon, type Lexicon } from '../entities/lexicon.ts';
import { readForms } from '../entities/read-forms.ts';
import { spoken } from '../text/words.ts';
import { findPeople } from '../entities/people.ts';
import { type Chances, NOTHING, type Scene } from '../kinds/finding.ts';
import { judgeTurns } from './judge-turns.ts';

/** Tools' turns for each of the user's, and the user's turns: up to here somebody talks, from there on tools do the work. */
const TALK = { share: 0.25, turns: 14 };
const WORK = { share: 0.5, turns: 22 };
const MIN_TOOL_TURNS = 3;

/** Reads a conversation once: its statements, its people, and the dictionaries they are judged by. */
export async function setScene(conversation: HeardConversation): Promise<Scene> {
  const [lexicon, dates, { franc }] = await Promise.all([loadLexicon(), loadDateParser(), import('franc-min')]);
  const turns = conversation.turns.map((turn, index) =>
    turn.role === 'user' || turn.role === 'agent' ? utterancesOf(turn, index, franc) : [],
  );
  const strictness = strictnessOf(conversation);
  let chances: Map<Utterance, Chances> | undefined;
  return {
    conversation,
    turns,
    told: conversation.turns.flatMap((turn, index) => (turn.role === 'tool' ? utterancesOf(turn, index, franc) : [])),
    people: findPeople(conversation, lexicon),
    types: typesStated(conversation, lexicon),
    lexicon,
    dates,
    chancesOf: (utterance) => (chances ??= judgeTurns(conversation, turns, strictness)).get(utterance) ?? NOTHING,
    strictness,
    user: conversation.user ?? 'The user',
  };
}

/** "Pia works for Nordlys": Nordlys is nobody, whatever it does in the next sentence. */
function typesStated({ turns }: HeardConversation, lexicon: Lexicon): Map<string, string> {
  const types = new Map<string, string>();
  for (const { role, text } of turns) {
    for (const { subject, object } of role === 'user' ? readForms(spoken(text), lexicon) : [])
      for (const end of [subject, object])
        if (end?.type !== undefined && end.type !== 'person') types.set(end.name.toLowerCase(), end.type);
  }
  return types;
}

/** By how many turns tools have for each of the user's; a long session in which tools were used is work as well. */
function strictnessOf({ turns }: HeardConversation): number {
  const count = (role: HeardTurn['role']): number => turns.filter((turn) => turn.role === role).length;
  const [tools, users] = [count('tool'), count('user')];
  const byShare = between(tools / Math.max(1, users), TALK.share, WORK.share);
  const byLength = tools < MIN_TOOL_TURNS ? 0 : between(users, TALK.turns, WORK.turns);
  return Math.max(byShare, byLength);
}

function between(value: number, low: number, high: number): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}
