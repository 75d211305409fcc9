import { packagedJudge } from '../../../judge/judge.ts';
import type { HeardConversation } from '../../port.ts';
import type { Utterance } from '../clauses/utterance.ts';
import { NOTHING, type Chances } from '../kinds/finding.ts';

/** From here on a conversation counts as work with tools. */
const WORK = 0.5;
/** Characters of what was said before; the model reads the last tokens of them. */
const BEFORE_CHARS = 400;
/** Characters of the answer; the model reads the first tokens of them. */
const AFTER_CHARS = 200;

/**
 * A long conversation mostly consists of what somebody wants done, and the model has learned so. Whoever says only a few
 * things says them to be known: they are also read as the answer to this, and the reading that keeps more counts.
 */
const SHORT_TALK = 8;
export const INVITATION = 'agent: Noted. Anything else?';

export function isShortTalk({ turns }: HeardConversation): boolean {
  return turns.length < SHORT_TALK;
}

/** The model's verdict on every statement of the users' turns: one pass for each turn. */
export function judgeTurns(
  conversation: HeardConversation,
  turns: readonly (readonly Utterance[])[],
  strictness: number,
): Map<Utterance, Chances> {
  const found = new Map<Utterance, Chances>();
  const isShort = isShortTalk(conversation);
  for (const [index, utterances] of turns.entries()) {
    const statements = utterances.filter(({ text }) => text !== '');
    if (conversation.turns[index]?.role !== 'user' || statements.length === 0) continue;
    const turn = { after: saidAfter(conversation, index), statements: statements.map(wordsOfStatement) };
    const befores = [saidBefore(conversation, index, strictness), ...(isShort ? [INVITATION] : [])];
    const readings = befores.map((before) => packagedJudge().readTurn({ ...turn, before }));
    for (const [place, statement] of statements.entries()) {
      const chances = readings.map((reading) => reading[place] ?? NOTHING);
      found.set(
        statement,
        chances.reduce((one, other) => (other.none < one.none && !statement.isAsked ? other : one)),
      );
    }
  }
  return found;
}

/** A statement as the model reads it: with the words that open it, and a question mark where it asks. */
export function wordsOfStatement({ openers, text, isAsked }: Utterance): string {
  const whole = [...openers, text].join(' ');
  return isAsked && !whole.endsWith('?') ? `${whole}?` : whole;
}

/** The agent's reply to a turn; '' when another speaker is next. */
export function saidAfter({ turns }: HeardConversation, index: number): string {
  const turn = turns.slice(index + 1).find(({ role }) => role === 'user' || role === 'agent');
  return turn?.role === 'agent' ? turn.text.slice(0, AFTER_CHARS) : '';
}

/** The previous speaker and the end of their words; whether tools do the work stands in front. */
export function saidBefore({ turns }: HeardConversation, index: number, strictness: number): string {
  const turn = turns.slice(0, index).findLast(({ role }) => role === 'user' || role === 'agent');
  const said = turn === undefined ? '' : `${turn.role}: ${turn.text.slice(-BEFORE_CHARS)}`;
  return strictness >= WORK ? `tools. ${said}` : said;
}
