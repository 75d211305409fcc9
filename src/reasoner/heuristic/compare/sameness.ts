import type { Alignment } from './alignment.ts';
import type { Details } from './details.ts';
import { daysDiffer, namesDiffer, sharedDays, sharedFigures, valuesDiffer } from './values.ts';

/** What speaks for and against two statements being one. */
export interface Evidence {
  readonly known: Details;
  readonly incoming: Details;
  readonly alignment: Alignment;
  readonly isSameKind: boolean;
}

/**
 * Fitted by `bench/extract/compare/fit.ts` on pairs of the first half of the sample and on `pairs.txt`; the second half
 * only judges. Linear, so that it can be read.
 */
const WEIGHTS: readonly (readonly [string, number])[] = [
  ['bias', -4.16],
  ['likeness', 1.52],
  ['shorter by meaning', 1.75],
  ['shorter by word', 2.04],
  ['weakest word', 0.83],
  ['other names', -2.07],
  ['other values', -1.25],
  ['figures shared', 0.99],
  ['other days', -0.71],
  ['days shared', 0.64],
  ['one is denied', -0.37],
  ['same kind', 2.54],
  ['length', 0.58],
  ['own things', -0.8],
];

export const FEATURES: readonly string[] = WEIGHTS.map(([name]) => name);

export function featuresOf({ known, incoming, alignment, isSameKind }: Evidence): readonly number[] {
  const { likeness, ofShorter } = alignment;
  return [
    1,
    (likeness - 0.8) * 5,
    ofShorter.byMeaning,
    ofShorter.byWord,
    ofShorter.weakest,
    Number(namesDiffer(known, incoming)),
    Number(valuesDiffer(known, incoming)),
    Math.min(2, sharedFigures(known, incoming)),
    Number(daysDiffer(known, incoming)),
    Math.min(2, sharedDays(known, incoming)),
    Number(known.isNegated !== incoming.isNegated),
    Number(isSameKind),
    Math.min(1, Math.min(known.words.length, incoming.words.length) / 10),
    Math.min(3, ofShorter.ownThings) / 3,
  ];
}

/** A newer value changes these without making it another thing. */
const OF_VALUES: ReadonlySet<string> = new Set(['other names', 'other values', 'other days', 'one is denied']);

/** How surely two statements speak of one thing, whatever figures and days they give; a log-likelihood, so 0 is even. */
export function aboutnessOf(evidence: Evidence): number {
  const features = featuresOf(evidence);
  return WEIGHTS.reduce(
    (sum, [name, weight], index) => (OF_VALUES.has(name) ? sum : sum + weight * (features[index] ?? 0)),
    0,
  );
}
