import { contentWords, stemOf } from '../../../model/content-words.ts';

export { contentWords, stemOf, wordsOf } from '../../../model/content-words.ts';

export function stemsOf(text: string): Set<string> {
  return new Set(contentWords(text).map(stemOf));
}

/** The share of the smaller set that is in the larger one, 0 to 1. */
export function containment(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const smaller = one.size <= other.size ? one : other;
  const larger = smaller === one ? other : one;
  if (smaller.size === 0) return 0;
  let shared = 0;
  for (const word of smaller) if (larger.has(word)) shared += 1;
  return shared / smaller.size;
}

/** Letters and digits alone, in one case: the same words are the same text. */
export function foldWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
