import { IDLE_MS, type Sessions } from '../../capture/sessions.ts';
import { MnemeError } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';

/** Refuses to write anything that names a private session as its source. */
export function assertNotPrivate(context: OperationContext, session: string | undefined): void {
  if (session === undefined || !context.parts.sessions().isPrivate(session)) return;
  throw new MnemeError('refused', `Session ${session} is private: nothing said in it is kept.`, {
    hint: 'The user can keep something themselves with `mneme remember`.',
  });
}

/** Ends sessions that have been quiet for `IDLE_MS`; a crash may have left them open. */
export function closeIdleSessions(context: OperationContext, untilMs?: number): ReturnType<Sessions['closeIdle']> {
  return context.parts.sessions().closeIdle(IDLE_MS, untilMs);
}
