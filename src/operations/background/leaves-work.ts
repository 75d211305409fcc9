import type { OperationContext } from '../context.ts';
import { countWaiting, countWanted, MAX_LOOKED_AT } from '../extract/waiting.ts';
import { learnsByItself } from './background-worker.ts';

/** Models that take no time to speak of: whoever asks makes their vectors. */
const INSTANT: ReadonlySet<string> = new Set(['none', 'static']);

/** Whether what this process wrote leaves something to learn or to embed. Cheap: every command asks at its end. */
export function leavesWork(context: OperationContext): boolean {
  if (!context.homeIndex.hasWritten) return false;
  return !INSTANT.has(context.config.embedding.provider) || hasWaiting(context);
}

/** Whether a conversation waits that is to be learned from. */
export function hasWaiting(context: OperationContext): boolean {
  return learnsByItself(context) && countWanted(context.config, countWaiting(context, MAX_LOOKED_AT)) > 0;
}
