import type { FeatureName } from './features.ts';

interface Weight {
  /** What an explanation calls it. */
  readonly name: string;
  /** Log-odds for each unit of the feature, when a trigger of the topic was set off. */
  readonly matched: number;
  /** And when none was: what the same likeness is worth differs. */
  readonly unmatched: number;
}

/** Written by `node bench/watchers/fit.ts --write` (logistic regression); docs/topics.md says how far to believe them. */
export const START = { matched: -4.94, unmatched: -2.63 };

export const WEIGHTS: Readonly<Record<FeatureName, Weight>> = {
  meaning: { name: 'close in meaning', matched: 2.58, unmatched: 1.26 },
  coverage: { name: 'words met by the topic', matched: 1.98, unmatched: 0.18 },
  support: { name: 'several words that fit', matched: 1.29, unmatched: -0.34 },
  overlap: { name: 'other words of the playbook', matched: 0.43, unmatched: 0.86 },
  tfIdf: { name: 'TF-IDF', matched: 3.62, unmatched: 5.03 },
  jaccard: { name: 'words in common', matched: 7.01, unmatched: 15.01 },
  nGram: { name: 'written alike', matched: 2.19, unmatched: -4.21 },
  sharedField: { name: 'the same field', matched: 0.13, unmatched: 1.42 },
  foreignField: { name: 'another field', matched: -0.57, unmatched: -0.75 },
  leadCoverage: { name: 'ahead of other topics', matched: 0.97, unmatched: 3.47 },
  leadSupport: { name: 'fits better than other topics', matched: 0.33, unmatched: 1.09 },
  leadField: { name: 'closest in field', matched: -0.06, unmatched: 0.87 },
  fieldShare: { name: 'mostly the same field', matched: 0.3, unmatched: 0.11 },
  leadFieldShare: { name: 'more of its field than of others', matched: 0.4, unmatched: 0.22 },
  restSharedHit: { name: 'the rest is of the same field', matched: 0.31, unmatched: 0 },
  restForeignHit: { name: 'the rest is of another field', matched: -0.45, unmatched: 0 },
  restShareHit: { name: 'the rest is mostly of the same field', matched: 0.42, unmatched: 0 },
  hit: { name: 'a trigger’s words', matched: -0.25, unmatched: 0 },
  keyword: { name: 'keyword', matched: -0.97, unmatched: 0 },
  pattern: { name: 'pattern', matched: 1.03, unmatched: 0 },
  mention: { name: 'name', matched: 0.34, unmatched: 0 },
  misspelt: { name: 'keyword, misspelt', matched: 1.65, unmatched: 0 },
  specificity: { name: 'a rare word', matched: 0.12, unmatched: 0 },
  severalHits: { name: 'more than one', matched: -0.23, unmatched: 0 },
  fact: { name: 'address, code or language', matched: 1.99, unmatched: 0 },
  path: { name: 'path named', matched: -1.72, unmatched: 0 },
  sentiment: { name: 'tone', matched: -0.25, unmatched: 0 },
  focusHit: { name: 'in what the message is about', matched: -0.01, unmatched: 0 },
  restHit: { name: 'the rest fits', matched: 0.78, unmatched: 0 },
  line: { name: 'like a line of the playbook', matched: 0.09, unmatched: 3.68 },
  lineHit: { name: 'matched, and like a line of the playbook', matched: -0.08, unmatched: 0 },
  hitLead: { name: 'matched, and ahead of other topics', matched: 0.89, unmatched: 0 },
  impersonalHit: { name: 'matched, but asks about the world', matched: -0.53, unmatched: 0 },
  impersonal: { name: 'asks about the world', matched: -0.34, unmatched: -0.37 },
  asked: { name: 'in what is asked', matched: 0.11, unmatched: 0 },
  deadHit: { name: 'waved away, quoted or in passing', matched: -0.98, unmatched: 0 },
  beforeTurn: { name: 'before a “but”', matched: -1.52, unmatched: 0 },
  othersBusiness: { name: 'somebody else’s business', matched: -1.59, unmatched: 0 },
  tale: { name: 'asks for nothing', matched: 0.29, unmatched: 0.3 },
  generalHit: { name: 'a general question', matched: -1.05, unmatched: 0 },
  otherHit: { name: 'another topic’s words', matched: 0.31, unmatched: -1.39 },
  longHit: { name: 'a longer message', matched: 0.19, unmatched: 0 },
  length: { name: 'length', matched: 0.85, unmatched: -0.08 },
  outputHit: { name: 'in the agent’s output', matched: 0.61, unmatched: 0 },
  outputLikeness: { name: 'output like the topic', matched: 1.36, unmatched: 0 },
};
