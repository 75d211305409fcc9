import type { Sessions } from '../../capture/sessions.ts';
import { MnemeError } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';

/** Refuses to write anything that names a private session as its source. */
export function assertNotPrivate(context: OperationContext, session: string | undefined): void {
  if (session === undefined || !context.parts.sessions().isPrivate(session)) return;
  throw new MnemeError('refused', `Session ${session} is private: nothing said in it is kept.`, {
    hint: 'The user can keep something themselves with `mneme remember`.',
  });
}

const HOUR_MS = 3_600_000;

/** Ends sessions that have been quiet for `capture.idle_hours`; a crash may have left them open. */
export function closeIdleSessions(context: OperationContext, untilMs?: number): ReturnType<Sessions['closeIdle']> {
  return context.parts.sessions().closeIdle(context.config.capture.idle_hours * HOUR_MS, untilMs);
}
