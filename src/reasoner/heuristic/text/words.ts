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

/** A longer message is a document somebody pasted; its beginning and end are what is said about it. */
const MAX_SPOKEN = 6000;

/**
 * The beginning and the end of a long message, in whole sentences: half of one says something else than was said
 * ("lives in Mu").
 */
export function spoken(text: string): string {
  if (text.length <= MAX_SPOKEN) return text;
  const head = text.slice(0, MAX_SPOKEN / 2);
  const tail = text.slice(-MAX_SPOKEN / 2);
  return `${head.slice(0, lastEnd(head))}\n${tail.slice(firstEnd(tail))}`;
}

/** A stop counts with the space behind it: "3.14" and "v1.2" go on. */
const SENTENCE_END = /\n|[.!?…]["')\]]*\s/gu;

function lastEnd(text: string): number {
  let end = 0;
  for (const { 0: sign, index } of text.matchAll(SENTENCE_END)) end = index + sign.length;
  return end;
}

function firstEnd(text: string): number {
  const [found] = text.matchAll(SENTENCE_END);
  return found === undefined ? text.length : found.index + found[0].length;
}
