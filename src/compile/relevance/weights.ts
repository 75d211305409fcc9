import type { FeatureName } from './features.ts';

interface Weight {
  /** What the receipt calls it. */
  readonly name: string;
  /** Log-odds for each unit of the feature. */
  readonly weight: number;
}

/**
 * Fitted by bench/injection-fit.ts (logistic regression) on every labelled prompt under bench/data/injection and the
 * questions of the retrieval benchmark, and rounded. docs/context.md says how far to believe them.
 */
export const START = -6.4;

export const WEIGHTS: Readonly<Record<FeatureName, Weight>> = {
  closeness: { name: 'close in meaning', weight: 2 },
  coverage: { name: 'share of the message found', weight: 3 },
  briefFound: { name: 'short, and found in one place', weight: 1.5 },
  unheard: { name: 'words nobody ever said', weight: -3.7 },
  length: { name: 'says enough', weight: 2.1 },
  ownThings: { name: 'reads like a message about your own things', weight: 0.7 },
  general: { name: 'could be asked of anybody', weight: -0.9 },
  selfContained: { name: 'brings all it needs', weight: -2.6 },
  smallTalk: { name: 'small talk', weight: -3.2 },
};

/** Somebody who asks for context wants what there is; a hook that pushes it unasked must be surer. Half without a word found. */
export const ASKED = 6.5;
