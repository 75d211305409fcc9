import type { FeatureName } from './features.ts';

interface Weight {
  /** What the receipt calls it. */
  readonly name: string;
  /** Log-odds for each unit of the feature. */
  readonly weight: number;
}

/**
 * Fitted by bench/injection-fit.ts (logistic regression) on every labelled prompt under bench/data/injection and the
 * questions of the retrieval benchmark, and rounded; the start is a little lower than fitted, since unseen prompts are
 * told too much sooner than too little. docs/context.md says how far to believe them.
 */
export const START = -9.2;

export const WEIGHTS: Readonly<Record<FeatureName, Weight>> = {
  closeness: { name: 'close in meaning', weight: 1.3 },
  coverage: { name: 'share of the message found', weight: 3 },
  briefFound: { name: 'short, and found in one place', weight: 3.7 },
  unheard: { name: 'words nobody ever said', weight: -3.1 },
  length: { name: 'says enough', weight: 3.3 },
  ours: { name: 'speaks of us', weight: 1 },
  own: { name: 'speaks of me', weight: 0.7 },
  definite: { name: 'speaks of particular things', weight: 1 },
  indefinite: { name: 'speaks of any such thing', weight: -0.5 },
  general: { name: 'could be asked of anybody', weight: -1.5 },
  nothingOfOurs: { name: 'names nothing of ours', weight: -1.1 },
  bareCommand: { name: 'an order that names nothing known', weight: -4 },
  atHand: { name: 'about what lies open', weight: -1 },
  selfContained: { name: 'brings all it needs', weight: -4.9 },
  smallTalk: { name: 'small talk', weight: -4.5 },
  machineText: { name: 'output of a program', weight: -3.5 },
};

/** Somebody who asks for context wants what there is; a hook that pushes it unasked must be surer. Half without a word found. */
export const ASKED = 6.5;
