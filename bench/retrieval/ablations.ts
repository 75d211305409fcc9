import type { Tuning } from '../../src/retrieve/settings.ts';

/** One stage taken away or replaced, everything else as it is. */
export interface Ablation {
  readonly name: string;
  readonly change: (tuning: Tuning) => Tuning;
}

function withWeights(tuning: Tuning, weights: Partial<Tuning['weights']>): Tuning {
  return { ...tuning, weights: { ...tuning.weights, ...weights } };
}

function withoutWindows(tuning: Tuning, ...sizes: readonly number[]): Tuning {
  return withWeights(tuning, { windows: tuning.weights.windows.filter(({ size }) => !sizes.includes(size)) });
}

export const ABLATIONS: readonly Ablation[] = [
  { name: 'words alone', change: (tuning) => ({ ...tuning, hybrid: false }) },
  { name: 'single passages only', change: (tuning) => withoutWindows(tuning, 3, 6, 12) },
  { name: 'without single passages', change: (tuning) => withoutWindows(tuning, 1) },
  { name: 'without windows of 3', change: (tuning) => withoutWindows(tuning, 3) },
  { name: 'without windows of 6', change: (tuning) => withoutWindows(tuning, 6) },
  { name: 'without windows of 12', change: (tuning) => withoutWindows(tuning, 12) },
  {
    name: 'without neighbours’ meaning',
    change: (tuning) => withWeights(tuning, { vectors: { ...tuning.weights.vectors, neighbourhood: 0 } }),
  },
  {
    name: 'without the speaker',
    change: (tuning) => withWeights(tuning, { boosts: { ...tuning.weights.boosts, speaker: 0 } }),
  },
  { name: 'without expansion', change: (tuning) => ({ ...tuning, expandQuery: false }) },
  {
    name: 'without the time factor',
    change: (tuning) => withWeights(tuning, { factors: { ...tuning.weights.factors, temporal: 0 } }),
  },
  { name: 'without decay', change: (tuning) => ({ ...tuning, decayInfluence: 0 }) },
  { name: 'without diversity', change: (tuning) => ({ ...tuning, diversity: 0 }) },
  // The usual constant; a larger one flattens the ranks.
  { name: 'reciprocal ranks', change: (tuning) => ({ ...tuning, fusion: { method: 'rrf', k: 60 } }) },
  {
    name: 'the seed’s factors',
    change: (tuning) =>
      withWeights(tuning, {
        factors: { semantic: 0.3, lexical: 0.2, temporal: 0.2, importance: 0.15, access: 0.15 },
      }),
  },
];
