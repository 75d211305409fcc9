/** Two passages that share more of their words than this say the same thing in nearly the same words. */
const REPETITION = 0.5;

export interface Diverse {
  readonly score: number;
  readonly terms: ReadonlySet<string>;
}

/**
 * Reorders so that near-repetitions of something better come later (maximal marginal relevance). Likeness is taken by
 * words, not by meaning: neighbours in one conversation are alike in topic and together make the answer.
 */
export function diversify<T extends Diverse>(ranked: readonly T[], diversity: number): T[] {
  if (diversity === 0) return [...ranked];
  const chosen: T[] = [];
  const waiting = ranked.map((item) => ({
    item,
    score: item.score,
    likeness: REPETITION,
  }));
  while (waiting.length > 0) {
    let best = 0;
    for (let index = 1; index < waiting.length; index += 1) {
      if ((waiting[index]?.score ?? 0) > (waiting[best]?.score ?? 0)) best = index;
    }
    const [next] = waiting.splice(best, 1);
    if (next === undefined) break;
    chosen.push(next.item);
    for (const other of waiting) {
      const likeness = shareOfWords(next.item.terms, other.item.terms);
      if (likeness <= other.likeness) continue;
      other.likeness = likeness;
      other.score = other.item.score * (1 - (diversity * (likeness - REPETITION)) / (1 - REPETITION));
    }
  }
  return chosen;
}

/** Words in both out of words in either. Sets of very different size cannot be alike and are not compared. */
function shareOfWords(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const [small, large] = left.size < right.size ? [left, right] : [right, left];
  if (small.size <= large.size * REPETITION) return 0;
  let common = 0;
  for (const term of small) if (large.has(term)) common += 1;
  return common / (left.size + right.size - common);
}
