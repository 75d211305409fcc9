import type { Config } from '../model/config/schema.ts';
import type { RetrievalSettings } from './retriever.ts';

/** The configuration in retrieval's own words. */
export function retrievalSettings({ search, graph, time_zone: timeZone }: Config): RetrievalSettings {
  const { windows, vectors, weights, boosts } = search;
  return {
    weights: {
      // Short steps for short runs: a window that begins one turn late misses a third of a three-turn answer.
      windows: [
        { size: 1, stride: 1, weight: windows.passages_1 },
        { size: 3, stride: 1, weight: windows.passages_3 },
        { size: 6, stride: 2, weight: windows.passages_6 },
        { size: 12, stride: 6, weight: windows.passages_12 },
      ].filter(({ weight }) => weight > 0),
      vectors: { passage: vectors.passage, neighbourhood: vectors.neighbourhood },
      sentenceModel: vectors.sentence_model,
      factors: weights,
      boosts,
    },
    fusion: search.fusion === 'rrf' ? { method: 'rrf', k: search.rrf_k } : { method: 'weighted' },
    halfLifeDays: search.recency_half_life_days,
    decayInfluence: search.decay_influence,
    diversity: search.diversity,
    neighbourTurns: search.neighbour_turns,
    expandQuery: search.expand_query,
    graphDepth: graph.max_depth,
    graphNeighbours: graph.max_neighbours,
    timeZone,
  };
}
