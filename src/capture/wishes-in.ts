import { realName } from '../model/user-name.ts';
import { turnText, type Turn } from '../workspace/formats/transcript.ts';
import { detectTriggers } from './triggers/detect.ts';
import { asksPrivacy } from './triggers/privacy.ts';
import type { Trigger } from './triggers/types.ts';

/** A text of this length hides no request; a pasted book seems full of them. */
const MAX_WISH_CHARS = 20_000;

/** In a group chat everybody writes as a user; only one of them is the person whose memory this is. */
export function isSomebodyElse({ role, name }: Pick<Turn, 'role' | 'name'>, user: string | undefined): boolean {
  const [said, known] = [realName(name)?.toLowerCase(), realName(user)?.toLowerCase()];
  if (role !== 'user' || said === undefined || known === undefined) return false;
  return said !== known && !known.startsWith(`${said} `) && !said.startsWith(`${known} `);
}

/** Finds the memory requests in a user's own turn. */
export function wishesIn(turn: Pick<Turn, 'role' | 'name' | 'parts'>, user: string | undefined): readonly Trigger[] {
  const text = turnText(turn);
  const isUsers = turn.role === 'user' && text.length <= MAX_WISH_CHARS && !isSomebodyElse(turn, user);
  return isUsers ? detectTriggers(text) : [];
}

/** Whether a user's own turn asks that the conversation be private. */
export function asksForPrivacy(turn: Pick<Turn, 'role' | 'name' | 'parts'>, user: string | undefined): boolean {
  return turn.role === 'user' && !isSomebodyElse(turn, user) && asksPrivacy(turnText(turn));
}

/** Whether a stretch of a conversation asks anything of the memory; cheap, so that a hook opens nothing for nothing. */
export function hasWishes(turns: readonly Turn[], user: string | undefined): boolean {
  return turns.some((turn) => wishesIn(turn, user).length > 0);
}
