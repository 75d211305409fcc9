import { ageDays, importanceOf, type SurveyedMemory } from './memory.ts';

/**
 * S3's weights: use counts most. The age part halves in seven days, so after `minAgeDays` only use and importance speak for a
 * memory; a score below `maxScore` means that it has neither.
 */
export const GARBAGE = {
  recencyWeight: 0.3,
  accessWeight: 0.4,
  importanceWeight: 0.3,
  halfLifeDays: 7,
  maxScore: 0.2,
  minAgeDays: 30,
} as const;

export interface GcScore {
  readonly recency: number;
  readonly access: number;
  readonly importance: number;
  readonly score: number;
}

/** The value of keeping a memory at hand: by age, use and importance (S3). */
export function gcScore(memory: Pick<SurveyedMemory, 'createdMs' | 'use' | 'importance'>, nowMs: number): GcScore {
  const recency = 2 ** (-ageDays(memory, nowMs) / GARBAGE.halfLifeDays);
  // The first use says most; no memory has to compete with the most used one.
  const access = 1 - 1 / (1 + (memory.use?.count ?? 0));
  const importance = importanceOf(memory);
  return {
    recency,
    access,
    importance,
    score: GARBAGE.recencyWeight * recency + GARBAGE.accessWeight * access + GARBAGE.importanceWeight * importance,
  };
}

/** Why it is not worth keeping at hand; undefined when it is. */
export function whyGarbage(memory: SurveyedMemory, nowMs: number): string | undefined {
  if (ageDays(memory, nowMs) <= GARBAGE.minAgeDays) return undefined;
  const { score } = gcScore(memory, nowMs);
  if (score >= GARBAGE.maxScore) return undefined;
  const age = Math.floor(ageDays(memory, nowMs));
  return `old, unused and not important: score ${score.toFixed(2)} after ${age} days`;
}
