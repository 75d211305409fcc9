import type { FeatureName, Features } from './features.ts';
import { START, WEIGHTS } from './weights.ts';

export interface ScorePart {
  readonly name: string;
  /** In log-odds. */
  readonly weight: number;
}

/** How sure tier 2 is that a message is a topic's business, and what that was concluded from. */
export interface TopicScore {
  /** On the scale of `similarity_threshold`: at 0.15 it is as likely as not. */
  readonly score: number;
  /** Strongest first. */
  readonly parts: readonly ScorePart[];
}

/**
 * People set thresholds between 0.1 and 0.4 around S0's default of 0.15, as for a cosine. The power puts an even chance
 * at that default, so that their numbers keep their meaning: 0.3 is two in three, 1 stays certainty.
 */
const SCALE = Math.log(0.15) / Math.log(0.5);

export function scoreFeatures(features: Features, isMatched: boolean): TopicScore {
  const side = isMatched ? 'matched' : 'unmatched';
  const parts: ScorePart[] = [{ name: 'start', weight: START[side] }];
  for (const [feature, { name, [side]: weight }] of Object.entries(WEIGHTS)) {
    const added = weight * features[feature as FeatureName];
    if (added !== 0) parts.push({ name, weight: round(added) });
  }
  const logOdds = parts.reduce((sum, { weight }) => sum + weight, 0);
  parts.sort((left, right) => Math.abs(right.weight) - Math.abs(left.weight));
  return { score: round(scoreOf(1 / (1 + Math.exp(-logOdds)))), parts };
}

/** From a probability to the scale of thresholds. */
export function scoreOf(probability: number): number {
  return probability ** SCALE;
}

/** And back. */
export function probabilityOf(score: number): number {
  return score ** (1 / SCALE);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
