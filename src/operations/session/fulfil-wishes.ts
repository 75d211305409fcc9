import { turnNumber, type LiveTurn } from '../../capture/live-turn.ts';
import { SessionWishes, type WishOutcome } from '../../capture/session-wishes.ts';
import { detectTriggers } from '../../capture/triggers/detect.ts';
import { isSomebodyElse } from '../../extract/heard.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { turnText, type Turn } from '../../workspace/formats/transcript.ts';
import type { OperationContext } from '../context.ts';
import { actOnTriggers, type TriggerOutcome } from './act-on-triggers.ts';
import { sessionsOf } from './open-sessions.ts';

/** Nobody hides a wish in a text of this length; a pasted book is full of them. */
export const MAX_WISH_CHARS = 20_000;

/** What a user's own turn asks of the memory. */
function wishesIn(turn: Pick<Turn, 'role' | 'name'>, text: string, user: string | undefined) {
  const isUsers = turn.role === 'user' && text.length <= MAX_WISH_CHARS && !isSomebodyElse(turn, user);
  return isUsers ? detectTriggers(text) : [];
}

/** Whether a stretch of a conversation asks anything of the memory; cheap, so that a hook opens nothing for nothing. */
export function hasWishes(turns: readonly Turn[], user: string | undefined): boolean {
  return turns.some((turn) => wishesIn(turn, turnText(turn), user).length > 0);
}

/**
 * Fulfils what the user asked of the memory in turns that were captured and not looked at yet, each once: how far it
 * came is noted after what was done, and doing it again after a crash finds it done.
 */
export async function fulfilWishes(
  context: OperationContext,
  session: string,
  turns: readonly (Turn | LiveTurn)[],
): Promise<readonly WishOutcome[]> {
  const wishes = new SessionWishes(nodeFileSystem, context.workspace.paths.journal);
  const { upTo = 0 } = wishes.find(session) ?? {};
  const user = sessionsOf(context).userOf(session);
  const outcomes: WishOutcome[] = [];
  for (const turn of turns.filter((each) => turnNumber(each) > upTo)) {
    const triggers = wishesIn(turn, turnText(turn), user).filter(({ kind }) => kind !== 'recall');
    const done = (await actOnTriggers(context, session, turn.id, triggers, turns)).map((outcome) =>
      toWishOutcome(turn.id, outcome),
    );
    outcomes.push(...done);
    await wishes.advance(session, turnNumber(turn), done);
  }
  return outcomes;
}

function toWishOutcome(turn: string, { kind, remembered, forget, note }: TriggerOutcome): WishOutcome {
  return {
    kind,
    turn,
    ...(remembered === undefined ? {} : { id: remembered.id, path: remembered.path }),
    ...(forget === undefined ? {} : { count: forget.matches.length }),
    ...(forget === undefined || forget.code === null ? {} : { code: forget.code }),
    ...(note === undefined ? {} : { hasFailed: true }),
  };
}
