import type { Alignment } from './alignment.ts';
import type { Details } from './details.ts';
import { daysDiffer, namesDiffer, ownValues, sharedDays, sharedNumbers, valuesDiffer } from './values.ts';

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
  ['bias', -4.51],
  ['likeness', 1.54],
  ['shorter by meaning', 1.79],
  ['longer by meaning', 0],
  ['shorter by word', 2.15],
  ['longer by word', 0],
  ['weakest word', 0.89],
  ['words missing', 0],
  ['other names', -1.99],
  ['other values', -1.12],
  ['figures shared', 0.93],
  ['other days', -0.75],
  ['days shared', 0.68],
  ['one is denied', -0.41],
  ['same kind', 2.68],
  ['length', 0.65],
  ['own things', -0.61],
  ['own values', -0.02],
];

export const FEATURES: readonly string[] = WEIGHTS.map(([name]) => name);

export function featuresOf({ known, incoming, alignment, isSameKind }: Evidence): readonly number[] {
  const { likeness, ofShorter, ofLonger } = alignment;
  const [shorter, longer] = known.words.length <= incoming.words.length ? [known, incoming] : [incoming, known];
  return [
    1,
    (likeness - 0.8) * 5,
    ofShorter.byMeaning,
    ofLonger.byMeaning,
    ofShorter.byWord,
    ofLonger.byWord,
    ofShorter.weakest,
    Math.min(3, ofShorter.missing) / 3,
    Number(namesDiffer(known, incoming)),
    Number(valuesDiffer(known, incoming)),
    Math.min(2, sharedNumbers(known, incoming)),
    Number(daysDiffer(known, incoming)),
    Math.min(2, sharedDays(known, incoming)),
    Number(known.isNegated !== incoming.isNegated),
    Number(isSameKind),
    Math.min(1, shorter.words.length / 10),
    Math.min(3, ofShorter.ownThings) / 3,
    Math.min(2, ownValues(shorter, longer)) / 2,
  ];
}

/** What a newer value changes without making it another statement. */
const OF_VALUES: ReadonlySet<string> = new Set([
  'other names',
  'other values',
  'other days',
  'one is denied',
  'own values',
]);

export interface Sameness {
  /** How surely two statements say one thing; a log-likelihood, so 0 is even. */
  readonly whole: number;
  /** The same, whatever figures and days they give: how surely they speak of one thing. */
  readonly apartFromValues: number;
}

export function samenessOf(evidence: Evidence): Sameness {
  const features = featuresOf(evidence);
  let whole = 0;
  let apartFromValues = 0;
  for (const [index, [name, weight]] of WEIGHTS.entries()) {
    const part = weight * (features[index] ?? 0);
    whole += part;
    if (!OF_VALUES.has(name)) apartFromValues += part;
  }
  return { whole, apartFromValues };
}
