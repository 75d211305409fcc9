import type { RetrievalSettings } from './retriever.ts';

/** The settings that determine the order of an answer, in the words of retrieval. */
export interface Tuning extends Omit<RetrievalSettings, 'timeZone'> {
  /** Off: by words alone. */
  readonly hybrid: boolean;
}

/** Characters of a hit's snippet: a paragraph. The text of a hit is always whole. */
export const SNIPPET_CHARS = 700;

/**
 * Measured with `npm run bench:retrieval`, which takes each stage away in turn; docs/retrieval.md has the figures. None of it is
 * a setting: a change shows only over thousands of questions, and a home has no labelled ones to see it by.
 */
export const TUNING: Tuning = {
  hybrid: true,
  weights: {
    // Short steps for short runs: a window that begins one turn late misses a third of a three-turn answer.
    windows: [
      { size: 1, stride: 1, weight: 0.7 },
      { size: 3, stride: 1, weight: 0.7 },
      { size: 6, stride: 2, weight: 0.6 },
      { size: 12, stride: 6, weight: 0.3 },
    ],
    vectors: { passage: 1, neighbourhood: 0.6 },
    // A sentence model tells meanings apart better than the static table, so it counts half as much again.
    sentenceModel: 1.5,
    // Only their ratio counts. S2 gives words .2, which loses good answers.
    factors: { semantic: 0.31, lexical: 0.5, temporal: 0.09, importance: 0.05, access: 0.05 },
    boosts: { speaker: 0.18, phrase: 0.2, entity: 0.15, procedure: 0.1 },
  },
  // A normalised sum: measured better than reciprocal ranks.
  fusion: { method: 'weighted' },
  halfLifeDays: 7,
  // The most a fading memory sinks: .1 costs half a point of recall.
  decayInfluence: 0.03,
  diversity: 0.3,
  neighbourTurns: 1,
  expandQuery: true,
  // An entity two relations away is rarely what was asked for; a hub has hundreds of neighbours.
  graphDepth: 2,
  graphNeighbours: 50,
};

export function retrievalSettings(timeZone: string, tuning: Tuning = TUNING): RetrievalSettings {
  return { ...tuning, timeZone };
}
