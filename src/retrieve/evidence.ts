import type { StoredPassage } from '../search-index/port.ts';
import { searchedText } from '../search-index/passage.ts';
import { extractTerms } from '../search-index/text/terms.ts';

/** Which of the question's terms stand in the passages, and what share of the question they make up by rarity. */
export function coverTerms(
  passages: readonly StoredPassage[],
  rarities: ReadonlyMap<string, number>,
): { readonly matched: readonly string[]; readonly coverage: number } {
  const present = new Set(passages.flatMap((passage) => extractTerms(searchedText(passage))));
  const matched: string[] = [];
  let covered = 0;
  let total = 0;
  for (const [term, rarity] of rarities) {
    total += rarity;
    if (!present.has(term)) continue;
    covered += rarity;
    matched.push(term);
  }
  return { matched, coverage: total === 0 ? 0 : covered / total };
}
