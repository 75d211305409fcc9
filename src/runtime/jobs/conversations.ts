import { MINUTE_MS } from '../../model/time.ts';
import { counted } from '../../model/text.ts';
import { learnsByItself } from '../../operations/background/background-worker.ts';
import type { OperationContext } from '../../operations/context.ts';
import { closeIdleSessions } from '../../operations/session/open-sessions.ts';
import type { JobControls } from './job.ts';

/** Number of turns not learned from that justify a look before the conversation ends. */
const LOOK_EVERY_TURNS = 10;

/** Ends quiet sessions; what waits is then extracted. */
export async function endQuietSessions(
  context: OperationContext,
  { occurrenceMs }: JobControls,
): Promise<{ readonly input: object } | { readonly nothing: string }> {
  const ended = await closeIdleSessions(context);
  // Where it goes on all the time, the newest first and with regard to the machine, the hour adds only quiet sessions.
  if (occurrenceMs === undefined || context.worker === undefined || !learnsByItself(context)) return { input: {} };
  context.worker.wake();
  return { nothing: `${counted(ended.length, 'quiet session')} ended; learning is background work` };
}

/** The quiet time after which decisions count as final, although the conversation is not over. */
const QUIET_MS = 3 * MINUTE_MS;
/** Something said and an answer. */
const FEWEST_TURNS = 2;

/** Conversations that go on and hold enough that is new, or pause; most of the time there is none. */
export function findLongSessions({
  clock,
  parts,
}: OperationContext): { readonly input: { readonly sessions: string[] } } | { readonly nothing: string } {
  const sessions = parts.sessions();
  const isDue = (session: string): boolean => {
    const unread = sessions.lastTurnNumber(session) - sessions.processedUpTo(session);
    if (unread >= LOOK_EVERY_TURNS) return true;
    return unread >= FEWEST_TURNS && clock.now() - (sessions.lastActiveMs(session) ?? Infinity) >= QUIET_MS;
  };
  const long = sessions.list().filter(isDue);
  return long.length === 0 ? { nothing: 'no open session holds enough that is new' } : { input: { sessions: long } };
}
