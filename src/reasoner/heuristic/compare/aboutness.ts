import type { Alignment } from './alignment.ts';
import type { Details } from './details.ts';
import { sharedDays, sharedFigures } from './values.ts';

/** What speaks for and against two statements being about one thing. */
interface Evidence {
  readonly known: Details;
  readonly incoming: Details;
  readonly alignment: Alignment;
  readonly isSameKind: boolean;
}

/**
 * Says how surely two statements speak of one thing, whatever figures and days they give; a log-likelihood, so 0 is even.
 * The weights were fitted to pairs of labelled statements. They decide only whether a statement that says it replaces
 * something means this one, never whether two are one.
 */
export function aboutnessOf({ known, incoming, alignment, isSameKind }: Evidence): number {
  const { likeness, byMeaning, byWord, weakest, ownThings } = alignment;
  return (
    -4.16 +
    1.52 * (likeness - 0.8) * 5 +
    1.75 * byMeaning +
    2.04 * byWord +
    0.83 * weakest +
    0.99 * Math.min(2, sharedFigures(known, incoming)) +
    0.64 * Math.min(2, sharedDays(known, incoming)) +
    2.54 * Number(isSameKind) +
    0.58 * Math.min(1, Math.min(known.words.length, incoming.words.length) / 10) -
    0.8 * (Math.min(3, ownThings) / 3)
  );
}
