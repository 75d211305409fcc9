import type { FeatureName } from './features.ts';

interface Weight {
  /** What an explanation calls it. */
  readonly name: string;
  /** Log-odds for each unit of the feature. */
  readonly weight: number;
}

/** Fitted by bench/watchers/fit.ts (logistic regression) and rounded; docs/topics.md says how far to believe them. */
export const START = -6.32;

export const WEIGHTS: Readonly<Record<FeatureName, Weight>> = {
  meaning: { name: 'close in meaning', weight: 2.98 },
  coverage: { name: 'words met by the topic', weight: 3.35 },
  support: { name: 'several words that fit', weight: 0.83 },
  overlap: { name: 'other words of the playbook', weight: 1.22 },
  tfIdf: { name: 'TF-IDF', weight: 4.91 },
  jaccard: { name: 'words in common', weight: -4.06 },
  nGram: { name: 'written alike', weight: 0.65 },
  sharedField: { name: 'the same field', weight: 0.82 },
  foreignField: { name: 'another field', weight: -1.08 },
  leadCoverage: { name: 'ahead of other topics', weight: 3.49 },
  leadSupport: { name: 'fits better than other topics', weight: 0.71 },
  leadField: { name: 'closest in field', weight: 0.41 },
  hit: { name: 'a trigger’s words', weight: -0.33 },
  keyword: { name: 'keyword', weight: -1.0 },
  pattern: { name: 'pattern', weight: 1.8 },
  mention: { name: 'name', weight: 1.24 },
  misspelt: { name: 'keyword, misspelt', weight: 3.18 },
  specificity: { name: 'a rare word', weight: 0.35 },
  severalHits: { name: 'more than one', weight: -0.5 },
  url: { name: 'address', weight: 7.63 },
  path: { name: 'path named', weight: -3.18 },
  code: { name: 'code', weight: 3.61 },
  language: { name: 'language', weight: 3.66 },
  sentiment: { name: 'tone', weight: 2.54 },
  asked: { name: 'in what is asked', weight: 0.97 },
  deadHit: { name: 'waved away, quoted or in passing', weight: -1.22 },
  beforeTurn: { name: 'before a “but”', weight: -2.71 },
  othersBusiness: { name: 'somebody else’s business', weight: -4.1 },
  tale: { name: 'asks for nothing', weight: 0.17 },
  generalHit: { name: 'a general question', weight: -2.75 },
  otherHit: { name: 'another topic’s words', weight: -0.76 },
  longHit: { name: 'a longer message', weight: 0.44 },
  length: { name: 'length', weight: 0.95 },
  outputHit: { name: 'in the agent’s output', weight: 3.32 },
  outputLikeness: { name: 'output like the topic', weight: -8.69 },
};
