import { searchedText } from '../search-index/passage.ts';
import type { StoredPassage } from '../search-index/port.ts';
import { extractTerms } from '../search-index/text/terms.ts';

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

const known = new WeakMap<StoredPassage, readonly string[]>();

/**
 * The terms of a passage, each once. Asked for more than once in a question, and the dearest thing about a short one. A list: a
 * set takes four times the memory, for as long as the passage is kept, and is no faster to look through for so few.
 */
export function termsOf(passage: StoredPassage): readonly string[] {
  let terms = known.get(passage);
  if (terms === undefined) {
    terms = [...new Set(extractTerms(searchedText(passage)))];
    known.set(passage, terms);
  }
  return terms;
}

/** Finds the question's terms that the passages contain, and their share of the question, weighted by rarity. */
export function coverTerms(
  passages: readonly StoredPassage[],
  rarities: ReadonlyMap<string, number>,
): { readonly matched: readonly string[]; readonly coverage: number } {
  const present = passages.map(termsOf);
  const matched = [...rarities.keys()].filter((term) => present.some((terms) => terms.includes(term)));
  const weigh = (terms: Iterable<string>): number => {
    let sum = 0;
    for (const term of terms) sum += rarities.get(term) ?? 0;
    return sum;
  };
  const total = weigh(rarities.keys());
  return { matched, coverage: total === 0 ? 0 : weigh(matched) / total };
}

/** A word nobody ever said is as rare as a word can be: a question full of them is covered by nothing. */
export function rarestOf(passages: number): number {
  return Math.log(1 + (passages + 0.5) / 0.5);
}
