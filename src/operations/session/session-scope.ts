import { MnemeError } from '../../model/errors.ts';
import { isScope, type Scope } from '../../model/provenance.ts';
import type { OperationContext } from '../context.ts';
import { visibleTo } from '../visible-to.ts';

/** The scope of a conversation: its words, and the knowledge from it, stay in its scope. */
export function scopeOfSession(context: OperationContext, session: string): Scope {
  const sessions = context.parts.sessions();
  const open = sessions.find(session);
  // A session keeps the scope it began with, so that an open one need not be looked for among the ended.
  const stated = (open === undefined ? sessions.findEarlier(session)?.frontmatter.scope : open.scope) ?? 'shared';
  return isScope(stated) ? stated : 'shared';
}

/** Answers as if there were no such conversation. */
export function assertSeesSession(context: OperationContext, session: string): void {
  const visible = visibleTo(context);
  if (visible.seesHome || visible.sees(scopeOfSession(context, session))) return;
  throw new MnemeError('not-found', `There is no session ${session}.`, {
    hint: '`mneme session list` shows the open ones; `mneme recall` finds the others.',
  });
}
