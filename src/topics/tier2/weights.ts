import type { FeatureName } from './features.ts';

interface Weight {
  /** What an explanation calls it. */
  readonly name: string;
  /** Log-odds for each unit of the feature. */
  readonly weight: number;
}

/** Fitted by bench/watchers/fit.ts (logistic regression) and rounded; docs/topics.md says how far to believe them. */
export const START = -6.07;

export const WEIGHTS: Readonly<Record<FeatureName, Weight>> = {
  meaning: { name: 'close in meaning', weight: 3.01 },
  coverage: { name: 'words met by the topic', weight: 2.61 },
  support: { name: 'several words that fit', weight: 0.9 },
  overlap: { name: 'other words of the playbook', weight: 1.34 },
  tfIdf: { name: 'TF-IDF', weight: 4.59 },
  jaccard: { name: 'words in common', weight: -2.06 },
  nGram: { name: 'written alike', weight: 0.6 },
  sharedField: { name: 'the same field', weight: 0.77 },
  foreignField: { name: 'another field', weight: -1.06 },
  leadCoverage: { name: 'ahead of other topics', weight: 3.62 },
  leadSupport: { name: 'fits better than other topics', weight: 0.59 },
  leadField: { name: 'closest in field', weight: 0.39 },
  hit: { name: 'a trigger’s words', weight: -0.24 },
  keyword: { name: 'keyword', weight: -0.99 },
  pattern: { name: 'pattern', weight: 1.76 },
  mention: { name: 'name', weight: 1.18 },
  misspelt: { name: 'keyword, misspelt', weight: 3.07 },
  specificity: { name: 'a rare word', weight: 0.35 },
  severalHits: { name: 'more than one', weight: -0.41 },
  url: { name: 'address', weight: 7.4 },
  path: { name: 'path named', weight: -3.09 },
  code: { name: 'code', weight: 3.49 },
  language: { name: 'language', weight: 3.64 },
  sentiment: { name: 'tone', weight: 2.43 },
  asked: { name: 'in what is asked', weight: 0.98 },
  deadHit: { name: 'waved away, quoted or in passing', weight: -1.21 },
  beforeTurn: { name: 'before a “but”', weight: -2.67 },
  othersBusiness: { name: 'somebody else’s business', weight: -3.78 },
  tale: { name: 'asks for nothing', weight: 0.18 },
  generalHit: { name: 'a general question', weight: -2.66 },
  otherHit: { name: 'another topic’s words', weight: -0.79 },
  longHit: { name: 'a longer message', weight: 0.43 },
  length: { name: 'length', weight: 0.87 },
  outputHit: { name: 'in the agent’s output', weight: 3.24 },
  outputLikeness: { name: 'output like the topic', weight: -8.58 },
};
