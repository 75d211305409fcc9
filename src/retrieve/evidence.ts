import type { StoredPassage } from '../search-index/port.ts';
import { searchedText } from '../search-index/passage.ts';
import { extractTerms } from '../search-index/text/terms.ts';

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
