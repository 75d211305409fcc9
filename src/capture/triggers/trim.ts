const EDGE = /[\s,;:.!?…\-–—*_~|]/;
const LEADING = /[\s,;:.!…–—*_~|]/;
const JOINING_WORDS = / (and|but|then|also|plus|und|aber|dann|y|pero|luego|et|mais|puis)$/i;
const PAIRS: readonly (readonly [opener: string, closer: string])[] = [
  ['(', ')'],
  ['[', ']'],
  ['“', '”'],
  ['«', '»'],
];

/** The object's text without the punctuation and joining words that led to it or away from it. */
export function trimObject(text: string, from: number, to: number): string | undefined {
  let start = from;
  let end = to;
  while (start < end && LEADING.test(text.charAt(start))) start += 1;
  let lastEnd = -1;
  while (end !== lastEnd) {
    lastEnd = end;
    while (end > start && EDGE.test(text.charAt(end - 1))) end -= 1;
    const joining = JOINING_WORDS.exec(text.slice(Math.max(start, end - 8), end));
    if (joining !== null) end -= joining[0].length;
    if (end > start && isUnbalanced(text, start, end)) end -= 1;
  }
  return end > start ? text.slice(start, end) : undefined;
}

/** A closing bracket whose opening one stands outside. */
function isUnbalanced(text: string, start: number, end: number): boolean {
  const closer = text.charAt(end - 1);
  const opener = PAIRS.find((pair) => pair[1] === closer)?.[0];
  return opener !== undefined && !text.slice(start, end).includes(opener);
}
