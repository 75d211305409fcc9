import type { OperationContext } from '../context.ts';
import { findPending } from '../extract/find-pending.ts';
import { hearSession } from '../extract/extract-session.ts';

export interface KeptConversation {
  readonly session: string;
  /** The day it began. */
  readonly day: string;
  readonly characters: number;
}

/** Every conversation that has ended, oldest first: what was said later may replace what was said before. */
export function listConversations(context: OperationContext): KeptConversation[] {
  return findPending(context, { withImports: true, withProcessed: true })
    .map((session): KeptConversation => {
      const { turns } = hearSession(context, session);
      const texts = turns.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])));
      const characters = texts.reduce((sum, text) => sum + text.length, 0);
      return { session, day: turns[0]?.date ?? '', characters };
    })
    .filter(({ characters }) => characters > 0)
    .toSorted((one, other) => one.day.localeCompare(other.day));
}
