import type { MessageEvidence } from './evidence.ts';
import { featuresOf, type FeatureName } from './features.ts';
import { ASKED, START, WEIGHTS } from './weights.ts';
import type { Wording } from './wording.ts';

/** How sure it is that something remembered helps with a message, and what that was concluded from. */
export interface Relevance {
  /** 0 to 1; compared with `context.min_relevance`. */
  readonly value: number;
  readonly parts: readonly RelevancePart[];
}

export interface RelevancePart {
  readonly name: string;
  /** In log-odds: what it adds to the sum behind `value`. */
  readonly weight: number;
}

export function decideRelevance(evidence: MessageEvidence, wording: Wording, isAsked: boolean): Relevance {
  const features = Object.entries(featuresOf(evidence, wording)) as [FeatureName, number][];
  const weighed = features.map(([feature, value]) => ({
    name: WEIGHTS[feature].name,
    weight: WEIGHTS[feature].weight * value,
  }));
  const parts = [
    { name: 'start', weight: START },
    ...weighed.filter(({ weight }) => weight !== 0),
    ...(isAsked ? [{ name: 'asked for', weight: evidence.matched.length === 0 ? ASKED / 2 : ASKED }] : []),
  ];
  const logOdds = parts.reduce((sum, { weight }) => sum + weight, 0);
  return {
    value: round(1 / (1 + Math.exp(-logOdds))),
    parts: parts.map(({ name, weight }) => ({ name, weight: round(weight) })),
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
