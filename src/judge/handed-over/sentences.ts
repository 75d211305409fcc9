/** A stretch of a text. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

const END = /[.!?…]+["'”’»)\]*_]*(?=\s|$)|\n/gu;
const ABBREVIATION =
  /(?:^|[\s(])(?:dr|mr|mrs|ms|st|prof|nr|no|vs|etc|approx|ca|bzw|usw|vgl|str|hr|fr|sr|sra|dra|p|m|mme|mm|inc|ltd|z\.b|d\.h|e\.g|i\.e|\p{L})\.$/iu;
/** "am 3. Februar", "der 2. Versuch" in lower case, and "1." before an item of a list. */
const ORDINAL = /(?:^|\s)\d{1,2}\.$/u;
const BEHIND_ORDINAL_MONTH = /^\s+(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)/iu;

/** Sentences of a message as people type it, with the marks that end them. */
export function cutSentences(text: string): readonly Stretch[] {
  const sentences: Stretch[] = [];
  let start = 0;
  const close = (end: number): void => {
    if (text.slice(start, end).trim() !== '') sentences.push({ start, end });
    start = end;
  };
  for (const { 0: mark, index } of text.matchAll(END)) {
    const end = index + mark.length;
    const before = text.slice(Math.max(start, end - 12), end);
    if (mark === '.' && (ABBREVIATION.test(before) || isOrdinal(text, start, end))) continue;
    close(end);
  }
  close(text.length);
  return sentences;
}

function isOrdinal(text: string, start: number, end: number): boolean {
  const before = text.slice(start, end);
  if (!ORDINAL.test(before)) return false;
  const behind = text.slice(end, end + 6);
  return /^\s*\d{1,2}\.$/u.test(before) || /^\s+\p{Ll}/u.test(behind) || BEHIND_ORDINAL_MONTH.test(behind);
}

/** Neighbouring sentences together, each stretch as long as may be read at once. */
export function joinStretches(sentences: readonly Stretch[], longest: number): readonly Stretch[] {
  const joined: Stretch[] = [];
  for (const { start, end } of sentences) {
    const last = joined.at(-1);
    if (last !== undefined && end - last.start <= longest) joined[joined.length - 1] = { start: last.start, end };
    else joined.push({ start, end });
  }
  return joined;
}
