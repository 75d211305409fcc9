import type { Alignment } from './alignment.ts';
import type { Details } from './details.ts';
import { isSameNumber } from './numbers-said.ts';

/** What speaks for and against two statements being one, in the order of the weights. */
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
export const SAMENESS_WEIGHTS: readonly (readonly [string, number])[] = [
  ['bias', 0],
  ['likeness', 0],
  ['shorter by meaning', 0],
  ['longer by meaning', 0],
  ['shorter by word', 0],
  ['longer by word', 0],
  ['weakest word', 0],
  ['words missing', 0],
  ['other names', 0],
  ['other figures', 0],
  ['figures shared', 0],
  ['other days', 0],
  ['days shared', 0],
  ['one is denied', 0],
  ['same kind', 0],
  ['length', 0],
  ['own things', 0],
  ['own things of both', 0],
  ['own values', 0],
];

export function featuresOf({ known, incoming, alignment, isSameKind }: Evidence): readonly number[] {
  const { likeness, ofShorter, ofLonger } = alignment;
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
    Number(figuresDiffer(known, incoming)),
    Math.min(2, ownNumbers(known, incoming, true)),
    Number(daysDiffer(known, incoming)),
    Math.min(2, shared(known.dates.days, incoming.dates.days) + shared(known.dates.weekdays, incoming.dates.weekdays)),
    Number(known.isNegated !== incoming.isNegated),
    Number(isSameKind),
    Math.min(1, Math.min(known.words.length, incoming.words.length) / 10),
    Math.min(3, ofShorter.ownThings) / 3,
    Math.min(3, ofShorter.ownThings, ofLonger.ownThings) /
      Math.max(3, Math.min(known.words.length, incoming.words.length)),
    Math.min(2, ownValues(known, incoming)) / 2,
  ];
}

/** How surely two statements say one thing; above 0 more likely than not among those that are worth a look. */
export function samenessOf(evidence: Evidence): number {
  const features = featuresOf(evidence);
  return SAMENESS_WEIGHTS.reduce((sum, [, weight], index) => sum + weight * (features[index] ?? 0), 0);
}

/** Figures and days that only the statement with fewer words gives: it says something new, however little. */
export function ownValues(known: Details, incoming: Details): number {
  const [shorter, longer] = known.words.length <= incoming.words.length ? [known, incoming] : [incoming, known];
  const ownDays = [...shorter.dates.days].filter((day) => !longer.dates.days.has(day));
  return ownNumbers(shorter, longer) + ownDays.length;
}

/** Each names somebody or something that the other does not speak of at all. */
export function namesDiffer(one: Details, other: Details): boolean {
  const isForeign = (names: ReadonlySet<string>, { stems, names: known }: Details): boolean =>
    [...names].some((name) => !known.has(name) && !stems.includes(name));
  return isForeign(one.names, other) && isForeign(other.names, one);
}

export function daysDiffer(one: Details, other: Details): boolean {
  const isApart = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean =>
    left.size > 0 && right.size > 0 && shared(left, right) === 0;
  return (
    conflicts(one.dates.days, other.dates.days) ||
    isApart(one.dates.months, other.dates.months) ||
    isApart(one.dates.weekdays, other.dates.weekdays)
  );
}

export function figuresDiffer(one: Details, other: Details): boolean {
  return ownNumbers(one, other) > 0 && ownNumbers(other, one) > 0;
}

/** How many figures of one the other does not have, or has. */
function ownNumbers(one: Details, other: Details, isShared = false): number {
  const has = (number: string): boolean => [...other.numbers].some((each) => isSameNumber(number, each));
  return [...one.numbers].filter((number) => has(number) === isShared).length;
}

function conflicts(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((each) => !other.has(each)) && [...other].some((each) => !one.has(each));
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((each) => other.has(each)).length;
}
