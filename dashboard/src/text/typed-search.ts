import { storeName } from './names.ts';

/** Words that narrow a search when typed before a colon, as in the search fields of GitHub and of mail programs. */
export const SEARCH_KEYS = ['kind', 'person', 'by', 'origin', 'after', 'before'] as const;
export type SearchKey = (typeof SEARCH_KEYS)[number];

export interface TypedSearch {
  /** The words that are searched for. */
  readonly words: string;
  readonly filters: readonly { readonly key: SearchKey; readonly value: string }[];
}

const FILTER = new RegExp(`(?<=^|\\s)(${SEARCH_KEYS.join('|')}):("[^"]*"?|\\S*)`, 'giu');

/** `kind:facts person:"Jonas Pell" before:2026-06 tide` is two filters, a date and one word. */
export function parseTyped(text: string): TypedSearch {
  const filters = [...text.matchAll(FILTER)].map(([, key = '', value = '']) => ({
    key: key.toLowerCase() as SearchKey,
    value: value.replaceAll('"', '').trim(),
  }));
  return { words: text.replaceAll(FILTER, ' ').replaceAll(/ {2,}/gu, ' ').trimStart(), filters };
}

/** The filter that is being typed: the last thing in the field, and still without a blank behind it. */
export function lastTyped(text: string): { readonly key: SearchKey; readonly value: string } | undefined {
  const match = [...text.matchAll(FILTER)].at(-1);
  if (match === undefined || match.index + match[0].length !== text.length) return undefined;
  return parseTyped(match[0]).filters[0];
}

/** The text with a value in the place of what was typed of it. */
export function completeTyped(text: string, key: SearchKey, value: string): string {
  const match = [...text.matchAll(FILTER)].at(-1);
  const before = match === undefined ? text : text.slice(0, match.index);
  return `${before}${key}:${/\s/u.test(value) ? `"${value}"` : value} `;
}

/** The option that a value means: its own name, the name a reader sees, or the beginning of one. */
export function optionFor(
  value: string,
  options: readonly string[],
  nameOf: (option: string) => string = storeName,
): string | undefined {
  const wanted = value.toLowerCase();
  if (wanted === '') return undefined;
  const names = (option: string): readonly string[] => [option.toLowerCase(), nameOf(option).toLowerCase()];
  return (
    options.find((option) => names(option).includes(wanted)) ??
    options.find((option) => names(option).some((name) => name.startsWith(wanted)))
  );
}

const DAY_MS = 86_400_000;

/** The last day before a year, a month or a day; other words ("yesterday") are for the server to read. */
export function dayBefore(value: string): string {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/u.exec(value) ?? [];
  const first = year === undefined ? Number.NaN : Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(first) ? value : new Date(first - DAY_MS).toISOString().slice(0, 10);
}
