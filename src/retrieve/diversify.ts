/** Two passages that share more of their words than this say the same thing in nearly the same words. */
const REPETITION = 0.5;

export interface Diverse {
  readonly score: number;
  /** Each once. */
  readonly terms: Iterable<string>;
}

/**
 * Reorders so that near-repetitions of something better come later (maximal marginal relevance). Likeness is taken by
 * words, not by meaning: neighbours in one conversation are alike in topic and together make the answer.
 */
export function diversify<T extends Diverse>(ranked: readonly T[], diversity: number): T[] {
  if (diversity === 0) return [...ranked];
  const chosen: T[] = [];
  const { numbered, count } = numberTerms(ranked);
  const isInNext = new Uint8Array(count);
  const waiting = ranked.map((item, index): Waiting<T> => ({
    item,
    terms: numbered[index] ?? [],
    score: item.score,
    likeness: REPETITION,
  }));
  for (let next = takeBest(waiting); next !== undefined; next = takeBest(waiting)) {
    chosen.push(next.item);
    for (const term of next.terms) isInNext[term] = 1;
    for (const other of waiting) pushBack(other, shareOfWords(next.terms, other.terms, isInNext), diversity);
    for (const term of next.terms) isInNext[term] = 0;
  }
  return chosen;
}

interface Waiting<T extends Diverse> {
  readonly item: T;
  readonly terms: readonly number[];
  score: number;
  likeness: number;
}

/** The earliest of equals. */
function takeBest<T extends Diverse>(waiting: Waiting<T>[]): Waiting<T> | undefined {
  let best = waiting[0];
  let bestAt = 0;
  for (let index = 1; index < waiting.length; index += 1) {
    const other = waiting[index];
    if (best === undefined || other === undefined || other.score <= best.score) continue;
    best = other;
    bestAt = index;
  }
  waiting.copyWithin(bestAt, bestAt + 1);
  waiting.length = Math.max(0, waiting.length - 1);
  return best;
}

function pushBack(other: Waiting<Diverse>, likeness: number, diversity: number): void {
  if (likeness <= other.likeness) return;
  other.likeness = likeness;
  other.score = other.item.score * (1 - (diversity * (likeness - REPETITION)) / (1 - REPETITION));
}

/** Each with each is compared: numbers and marks take a tenth of the time that sets of words do. */
function numberTerms(ranked: readonly Diverse[]): { readonly numbered: number[][]; readonly count: number } {
  const numbers = new Map<string, number>();
  const numbered = ranked.map(({ terms }) => {
    const own: number[] = [];
    for (const term of terms) {
      let number = numbers.get(term);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(term, number);
      }
      own.push(number);
    }
    return own;
  });
  return { numbered, count: numbers.size };
}

/** Words in both out of words in either. Texts of very different size cannot be alike and are not compared. */
function shareOfWords(left: readonly number[], right: readonly number[], isInLeft: Uint8Array): number {
  const leftCount = left.length;
  const rightCount = right.length;
  if (Math.min(leftCount, rightCount) <= Math.max(leftCount, rightCount) * REPETITION) return 0;
  let common = 0;
  // By index: `of` leaves an object behind for every word, and here every word of every pair passes.
  for (let index = 0; index < rightCount; index += 1) common += isInLeft[right[index] ?? 0] ?? 0;
  return common / (leftCount + rightCount - common);
}
