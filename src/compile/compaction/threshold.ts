import type { Config } from '../../model/config/schema.ts';

type Limits = Pick<
  Config['compaction'],
  'reserve_tokens' | 'reserve_max_share' | 'soft_tokens' | 'soft_max_share' | 'target_share'
>;

/** The tokens at which a window counts as full: what an answer needs, and the flush itself, must still fit. */
export function flushThreshold(windowTokens: number, limits: Limits): number {
  const reserve = Math.min(limits.reserve_tokens, Math.floor(windowTokens * limits.reserve_max_share));
  const soft = Math.min(limits.soft_tokens, Math.floor(windowTokens * limits.soft_max_share));
  return windowTokens - reserve - soft;
}

/** What a full window is compacted to: just below the threshold the next message would fill it again. */
export function compactionTarget(windowTokens: number, limits: Limits): number {
  return Math.min(Math.floor(windowTokens * limits.target_share), flushThreshold(windowTokens, limits));
}
