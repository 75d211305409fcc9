/** A fitted logistic regression: what each feature adds to the log-odds. */
export interface Fitted {
  readonly start: number;
  readonly weights: Readonly<Record<string, { readonly name: string; readonly weight: number }>>;
}

/** Chances nearer to 0 or 1 than this are no surer. */
const SUREST = 0.001;

export function chanceOf(fitted: Fitted, features: Readonly<Record<string, number>>): number {
  const sum = contributionsOf(fitted, features).reduce((total, { weight }) => total + weight, 0);
  return 1 / (1 + Math.exp(-sum));
}

/** The contribution of each feature to the log-odds, with the start. */
export function contributionsOf(
  { start, weights }: Fitted,
  features: Readonly<Record<string, number>>,
): { readonly name: string; readonly weight: number }[] {
  const parts = Object.entries(weights).map(([feature, { name, weight }]) => ({
    name,
    weight: weight * (features[feature] ?? 0),
  }));
  return [{ name: 'start', weight: start }, ...parts];
}

export function logOdds(chance: number): number {
  const bounded = Math.min(1 - SUREST, Math.max(SUREST, chance));
  return Math.log(bounded / (1 - bounded));
}

/** Weights between two fits, the first of which may have fewer features: `share` 0 is the first, 1 the second. */
export function blend(first: Fitted, second: Fitted, share: number): Fitted {
  const between = (from: number, to: number): number => from + share * (to - from);
  const weights = Object.entries(second.weights).map(([feature, { name, weight }]) => [
    feature,
    { name, weight: between(first.weights[feature]?.weight ?? 0, weight) },
  ]);
  return {
    start: between(first.start, second.start),
    weights: Object.fromEntries(weights) as Fitted['weights'],
  };
}
