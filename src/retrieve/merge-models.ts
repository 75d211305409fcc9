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
