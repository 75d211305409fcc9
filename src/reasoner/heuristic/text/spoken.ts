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
