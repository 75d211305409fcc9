import type { NamedDate } from '../dates/dates.ts';

/** "on friday" → "on friday (2026-03-06)": the words stay, the day no longer depends on when they were said. */
export function writeOutDates(text: string, dates: readonly NamedDate[]): string {
  let result = text;
  for (const { index, words, date, isFull } of [...dates].sort((one, other) => other.index - one.index)) {
    if (isFull || text.includes(date)) continue;
    const end = index + words.trimEnd().length;
    result = `${result.slice(0, end)} (${date})${result.slice(end)}`;
  }
  return result;
}
