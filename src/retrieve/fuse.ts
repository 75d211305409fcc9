/** One kind of evidence about each candidate, and how much it counts. */
export interface Signal {
  readonly values: Float32Array;
  readonly weight: number;
  /** Differences smaller than this are not blown up to the whole range: two near equals stay near equals. */
  readonly minRange?: number | undefined;
}

export type Fusion = { readonly method: 'weighted' } | { readonly method: 'rrf'; readonly k: number };

/** One score from 0 to 1 for each candidate. Signals that nobody has count for nothing. */
export function fuse(signals: readonly Signal[], fusion: Fusion): Float32Array {
  const length = signals[0]?.values.length ?? 0;
  const fused = new Float32Array(length);
  let total = 0;
  for (const { values, weight, minRange } of signals) {
    if (weight === 0) continue;
    const shares = fusion.method === 'weighted' ? normalize(values, minRange) : reciprocalRanks(values, fusion.k);
    total += weight;
    for (let index = 0; index < length; index += 1) {
      fused[index] = (fused[index] ?? 0) + weight * (shares[index] ?? 0);
    }
  }
  if (total > 0) for (let index = 0; index < length; index += 1) fused[index] = (fused[index] ?? 0) / total;
  return fused;
}

/** Stretches the values up to 1 at the top; the lowest becomes 0 if it is far enough below. NaN, the unknown, is 0. */
export function normalize(values: Float32Array, minRange = 0): Float32Array {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const range = Math.max(high - low, minRange);
  const equal = Math.sign(Math.max(0, high));
  const shares = new Float32Array(values.length);
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? Number.NaN;
    if (!Number.isNaN(value)) shares[index] = range > 0 ? 1 - (high - value) / range : equal;
  }
  return shares;
}

/** The best gets 1, the others less by their rank alone; equal values share a rank. */
function reciprocalRanks(values: Float32Array, k: number): Float32Array {
  const order = [...values.keys()]
    .filter((index) => (values[index] ?? 0) > 0)
    .sort((left, right) => (values[right] ?? 0) - (values[left] ?? 0));
  const shares = new Float32Array(values.length);
  let rank = 0;
  order.forEach((index, position) => {
    if (position > 0 && values[index] !== values[order[position - 1] ?? -1]) rank = position;
    shares[index] = (k + 1) / (k + 1 + rank);
  });
  return shares;
}

/**
 * The scores of candidates that not every model knows: those by the first model, with the passages that a better one
 * knows put into its order. As a group these keep the scores they have and share them out anew, so that the better model
 * counts in full among them, and none gains or loses against the rest because only some have a vector so far.
 *
 * `byModel` has the best model last; NaN where a model does not know a passage. What none knows is scored without any.
 */
export function mergeModels(without: Float64Array, byModel: readonly Float64Array[]): Float64Array {
  const [first = without, ...better] = byModel;
  const scores = first.map((score, place) => (Number.isNaN(score) ? (without[place] ?? 0) : score));
  return better.reduce(shareOut, scores);
}

function shareOut(scores: Float64Array, better: Float64Array): Float64Array {
  const known = [...better.keys()].filter((place) => !Number.isNaN(better[place] ?? Number.NaN));
  const values = known.map((place) => scores[place] ?? 0).sort((left, right) => right - left);
  const shared = scores.slice();
  known
    .sort((left, right) => (better[right] ?? 0) - (better[left] ?? 0) || (scores[right] ?? 0) - (scores[left] ?? 0))
    .forEach((place, rank) => (shared[place] = values[rank] ?? 0));
  return shared;
}
