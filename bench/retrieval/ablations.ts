import type { Config } from '../../src/model/config/schema.ts';

type Search = Config['search'];

/** One stage taken away or replaced, everything else as it is. */
export interface Ablation {
  readonly name: string;
  readonly change: (search: Search) => Search;
}

function withWindows(search: Search, windows: Partial<Search['windows']>): Search {
  return { ...search, windows: { ...search.windows, ...windows } };
}

export const ABLATIONS: readonly Ablation[] = [
  { name: 'words alone', change: (search) => ({ ...search, hybrid: false }) },
  {
    name: 'single passages only',
    change: (search) => withWindows(search, { passages_3: 0, passages_6: 0, passages_12: 0 }),
  },
  { name: 'without single passages', change: (search) => withWindows(search, { passages_1: 0 }) },
  { name: 'without windows of 3', change: (search) => withWindows(search, { passages_3: 0 }) },
  { name: 'without windows of 6', change: (search) => withWindows(search, { passages_6: 0 }) },
  { name: 'without windows of 12', change: (search) => withWindows(search, { passages_12: 0 }) },
  {
    name: 'without neighbours’ meaning',
    change: (search) => ({ ...search, vectors: { ...search.vectors, neighbourhood: 0 } }),
  },
  { name: 'without the speaker', change: (search) => ({ ...search, boosts: { ...search.boosts, speaker: 0 } }) },
  { name: 'without expansion', change: (search) => ({ ...search, expand_query: false }) },
  { name: 'without the time factor', change: (search) => ({ ...search, weights: { ...search.weights, temporal: 0 } }) },
  { name: 'without decay', change: (search) => ({ ...search, decay_influence: 0 }) },
  { name: 'without diversity', change: (search) => ({ ...search, diversity: 0 }) },
  { name: 'reciprocal ranks', change: (search) => ({ ...search, fusion: 'rrf' }) },
  {
    name: 'the seed’s factors',
    change: (search) => ({
      ...search,
      weights: { semantic: 0.3, lexical: 0.2, temporal: 0.2, importance: 0.15, access: 0.15 },
    }),
  },
];
