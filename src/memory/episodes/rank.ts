import { DAY_MS } from '../../model/time.ts';

/** The evidence for ranking an episode (S1 §4.4). */
export interface EpisodeEvidence {
  /** 0 to 1. */
  readonly similarity: number;
  readonly importance: number;
  readonly timeMs: number;
}

const SIMILARITY = 0.7;
const IMPORTANCE = 0.2;
const RECENCY = 0.1;

export function episodeScore({ similarity, importance, timeMs }: EpisodeEvidence, nowMs: number): number {
  const days = Math.max(0, (nowMs - timeMs) / DAY_MS);
  return similarity * SIMILARITY + importance * IMPORTANCE + (1 / (1 + days)) * RECENCY;
}
