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
  meaning: { name: 'close in meaning', matched: 0, unmatched: 0 },
  support: { name: 'several words that fit', matched: 0, unmatched: 0 },
  overlap: { name: 'other words of the playbook', matched: 0, unmatched: 0 },
  nGram: { name: 'written alike', matched: 0, unmatched: 0 },
  sharedField: { name: 'the same field', matched: 0, unmatched: 0 },
  foreignField: { name: 'another field', matched: 0, unmatched: 0 },
  leadCoverage: { name: 'ahead of other topics', matched: 0, unmatched: 0 },
  leadSupport: { name: 'fits better than other topics', matched: 0, unmatched: 0 },
  restForeign: { name: 'the rest is of another field', matched: 0, unmatched: 0 },
  keyword: { name: 'keyword', matched: 0, unmatched: 0 },
  pattern: { name: 'pattern', matched: 0, unmatched: 0 },
  mention: { name: 'name', matched: 0, unmatched: 0 },
  misspelt: { name: 'keyword, misspelt', matched: 0, unmatched: 0 },
  fact: { name: 'address, code or language', matched: 0, unmatched: 0 },
  path: { name: 'path named', matched: 0, unmatched: 0 },
  sentiment: { name: 'tone', matched: 0, unmatched: 0 },
  line: { name: 'like a line of the playbook', matched: 0, unmatched: 0 },
  impersonalHit: { name: 'matched, but asks about the world', matched: 0, unmatched: 0 },
  asked: { name: 'in what is asked', matched: 0, unmatched: 0 },
  deadHit: { name: 'waved away, quoted or in passing', matched: 0, unmatched: 0 },
  beforeTurn: { name: 'before a “but”', matched: 0, unmatched: 0 },
  othersBusiness: { name: 'somebody else’s business', matched: 0, unmatched: 0 },
  otherHit: { name: 'another topic’s words', matched: 0, unmatched: 0 },
  longHit: { name: 'a longer message', matched: 0, unmatched: 0 },
};
