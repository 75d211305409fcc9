import { Sessions } from '../../capture/sessions.ts';
import { MnemeError } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { OperationContext } from '../context.ts';

/** One for each open home; made when a session is first asked for. */
const opened = new WeakMap<OperationContext, Sessions>();

export function sessionsOf(context: OperationContext): Sessions {
  const known = opened.get(context);
  if (known !== undefined) return known;
  const { workspace, clock, random, config } = context;
  const sessions = new Sessions({
    paths: workspace.paths,
    fs: nodeFileSystem,
    redactor: workspace.redactor,
    commit: (request) => workspace.commit(request),
    clock,
    random,
    timeZone: config.time_zone,
  });
  opened.set(context, sessions);
  return sessions;
}

/** Refuses to write anything that names a private session as its source. */
export function assertNotPrivate(context: OperationContext, session: string | undefined): void {
  if (session === undefined || !sessionsOf(context).isPrivate(session)) return;
  throw new MnemeError('refused', `Session ${session} is private: nothing said in it is kept.`, {
    hint: 'The user can keep something themselves with `mneme remember`.',
  });
}

const HOUR_MS = 3_600_000;

/** Ends sessions that have been quiet for `capture.idle_hours`; a crash may have left them open. */
export function closeIdleSessions(context: OperationContext, untilMs?: number): ReturnType<Sessions['closeIdle']> {
  return sessionsOf(context).closeIdle(context.config.capture.idle_hours * HOUR_MS, untilMs);
}

export function closeSessions(context: OperationContext): void {
  opened.get(context)?.close();
  opened.delete(context);
}
