import type { FeatureName } from './features.ts';

interface Weight {
  /** What an explanation calls it. */
  readonly name: string;
  /** Log-odds for each unit of the feature. */
  readonly weight: number;
}

/** Fitted by bench/watchers/fit.ts (logistic regression) and rounded; docs/topics.md says how far to believe them. */
export const START = -5.96;

export const WEIGHTS: Readonly<Record<FeatureName, Weight>> = {
  meaning: { name: 'close in meaning', weight: 3.23 },
  coverage: { name: 'words met by the topic', weight: 3.16 },
  support: { name: 'several words that fit', weight: 0.39 },
  overlap: { name: 'other words of the playbook', weight: 1.36 },
  tfIdf: { name: 'TF-IDF', weight: 9.52 },
  jaccard: { name: 'words in common', weight: -9.29 },
  nGram: { name: 'written alike', weight: 1.13 },
  leadCoverage: { name: 'ahead of other topics', weight: 4.01 },
  leadSupport: { name: 'fits better than other topics', weight: 1.03 },
  hit: { name: 'a trigger’s words', weight: -0.48 },
  keyword: { name: 'keyword', weight: -0.79 },
  pattern: { name: 'pattern', weight: 1.95 },
  mention: { name: 'name', weight: 0.96 },
  misspelt: { name: 'keyword, misspelt', weight: 3.54 },
  specificity: { name: 'a rare word', weight: 0.14 },
  severalHits: { name: 'more than one', weight: -0.84 },
  url: { name: 'address', weight: 7.84 },
  path: { name: 'path named', weight: -2.78 },
  code: { name: 'code', weight: 5.44 },
  language: { name: 'language', weight: 4.22 },
  sentiment: { name: 'tone', weight: 2.28 },
  asked: { name: 'in what is asked', weight: 1.07 },
  deadHit: { name: 'waved away, quoted or in passing', weight: -1.70 },
  beforeTurn: { name: 'before a “but”', weight: -2.35 },
  othersBusiness: { name: 'somebody else’s business', weight: -3.74 },
  tale: { name: 'asks for nothing', weight: 0.37 },
  generalHit: { name: 'a general question', weight: -2.51 },
  otherHit: { name: 'another topic’s words', weight: -1.03 },
  longHit: { name: 'a longer message', weight: 0.64 },
  length: { name: 'length', weight: 0.53 },
  outputHit: { name: 'in the agent’s output', weight: 1.79 },
  outputLikeness: { name: 'output like the topic', weight: -5.23 },
};
