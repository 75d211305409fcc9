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
export const START = { matched: -2.77, unmatched: -2.79 };

export const WEIGHTS: Readonly<Record<FeatureName, Weight>> = {
  meaning: { name: 'close in meaning', matched: 2.95, unmatched: 1.05 },
  support: { name: 'several words that fit', matched: 2.18, unmatched: -0.08 },
  overlap: { name: 'other words of the playbook', matched: 1.37, unmatched: 1.84 },
  nGram: { name: 'written alike', matched: 2.08, unmatched: -3.68 },
  sharedField: { name: 'the same field', matched: 0.46, unmatched: 2.12 },
  foreignField: { name: 'another field', matched: -0.62, unmatched: -1.14 },
  leadCoverage: { name: 'ahead of other topics', matched: 1.9, unmatched: 4.12 },
  leadSupport: { name: 'fits better than other topics', matched: 0.55, unmatched: 1.16 },
  restForeign: { name: 'the rest is of another field', matched: -0.58, unmatched: 0 },
  keyword: { name: 'keyword', matched: -1.05, unmatched: 0 },
  pattern: { name: 'pattern', matched: 1.18, unmatched: 0 },
  mention: { name: 'name', matched: 0.31, unmatched: 0 },
  misspelt: { name: 'keyword, misspelt', matched: 1.63, unmatched: 0 },
  fact: { name: 'address, code or language', matched: 2.07, unmatched: 0 },
  path: { name: 'path named', matched: -2.45, unmatched: 0 },
  sentiment: { name: 'tone', matched: -0.25, unmatched: 0 },
  line: { name: 'like a line of the playbook', matched: -0.14, unmatched: 3.92 },
  impersonalHit: { name: 'matched, but asks about the world', matched: -1.76, unmatched: 0 },
  asked: { name: 'in what is asked', matched: 0.34, unmatched: 0 },
  deadHit: { name: 'waved away, quoted or in passing', matched: -0.93, unmatched: 0 },
  beforeTurn: { name: 'before a “but”', matched: -1.3, unmatched: 0 },
  othersBusiness: { name: 'somebody else’s business', matched: -1.48, unmatched: 0 },
  otherHit: { name: 'another topic’s words', matched: 0.32, unmatched: -1.46 },
  longHit: { name: 'a longer message', matched: 0.26, unmatched: 0 },
};
