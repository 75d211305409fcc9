import type { Config } from '../../model/config/schema.ts';
import { ageDays, importanceOf, type SurveyedMemory } from './memory.ts';

export interface GcScore {
  readonly recency: number;
  readonly access: number;
  readonly importance: number;
  readonly score: number;
}

/** How much a memory is worth keeping at hand: how young, how used and how important it is (S3). */
export function gcScore(
  memory: Pick<SurveyedMemory, 'createdMs' | 'use' | 'importance'>,
  nowMs: number,
  config: Config['gc'],
): GcScore {
  const recency = 2 ** (-ageDays(memory, nowMs) / config.half_life_days);
  // The first use says most; no memory has to compete with the most used one.
  const access = 1 - 1 / (1 + (memory.use?.count ?? 0));
  const importance = importanceOf(memory);
  const { recency_weight, access_weight, importance_weight } = config;
  return {
    recency,
    access,
    importance,
    score: recency_weight * recency + access_weight * access + importance_weight * importance,
  };
}

/** Why it is not worth keeping at hand; undefined when it is. */
export function whyGarbage(memory: SurveyedMemory, nowMs: number, config: Config['gc']): string | undefined {
  if (!config.enabled || ageDays(memory, nowMs) <= config.min_age_days) return undefined;
  const { score } = gcScore(memory, nowMs, config);
  if (score >= config.max_score) return undefined;
  const age = Math.floor(ageDays(memory, nowMs));
  return `old, unused and not important: score ${score.toFixed(2)} after ${age} days`;
}
