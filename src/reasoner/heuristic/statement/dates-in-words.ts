import type { NamedDate } from '../dates/dates.ts';

/** "on friday" → "on friday (2026-03-06)": the words stay, the day no longer depends on when they were said. */
export function writeOutDates(text: string, dates: readonly NamedDate[]): string {
  const written = new Set<string>();
  let result = '';
  let start = 0;
  for (const { index, words, date, isFull } of [...dates].sort((one, other) => one.index - other.index)) {
    if (isFull || text.includes(date) || written.has(date)) continue;
    const end = index + words.trimEnd().length;
    if (end < start) continue;
    result += `${text.slice(start, end)} (${date})`;
    written.add(date);
    start = end;
  }
  return result + text.slice(start);
}
