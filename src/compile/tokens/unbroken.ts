/** Vocabularies take time in the square of a word’s length, and nobody writes words of this length. */
const MAX_RUN = 200;
/** Runs that a vocabulary takes for one word: letters, signs or blanks without a break. */
const LONG_RUN = String.raw`[\p{L}\p{M}]{N,}|[^\s\p{L}\p{N}]{N,}|\s{N,}`.replaceAll('{N,}', `{${MAX_RUN + 1},}`);
const HAS_LONG_RUN = new RegExp(LONG_RUN, 'u');
const LONG_RUNS = new RegExp(LONG_RUN, 'gu');
/** By code point, so that no character is cut in two. */
const PIECES = new RegExp(String.raw`[\s\S]{1,${MAX_RUN}}`, 'gu');

/** Exact for what people write; longer runs are counted piece by piece, which costs at most a token more for each. */
export function countInPieces(text: string, count: (text: string) => number): number {
  if (!HAS_LONG_RUN.test(text)) return count(text);
  let sum = 0;
  let from = 0;
  for (const match of text.matchAll(LONG_RUNS)) {
    sum += count(text.slice(from, match.index));
    for (const [piece] of match[0].matchAll(PIECES)) sum += count(piece);
    from = match.index + match[0].length;
  }
  return sum + count(text.slice(from));
}
