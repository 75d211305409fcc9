/**
 * S1's reserve and soft limit, and the shares that take their place in small windows, so that most of one is left to work in.
 * A caller names its own window, the messages to keep, or both.
 */
export const COMPACTION = {
  windowTokens: 200_000,
  keepMessages: 10,
  reserveTokens: 20_000,
  reserveMaxShare: 0.1,
  softTokens: 4000,
  softMaxShare: 0.02,
  targetShare: 0.5,
} as const;

/** The tokens at which a window counts as full: what an answer needs, and the flush itself, must still fit. */
export function flushThreshold(windowTokens: number): number {
  const reserve = Math.min(COMPACTION.reserveTokens, Math.floor(windowTokens * COMPACTION.reserveMaxShare));
  const soft = Math.min(COMPACTION.softTokens, Math.floor(windowTokens * COMPACTION.softMaxShare));
  return windowTokens - reserve - soft;
}

/** The size to compact a full window to: just below the threshold the next message would fill it again. */
export function compactionTarget(windowTokens: number): number {
  return Math.min(Math.floor(windowTokens * COMPACTION.targetShare), flushThreshold(windowTokens));
}
