import { IN_OTHER_LANGUAGES, SHORT_FORMS } from './short-forms.ts';
import { spellings } from './spelling.ts';

function groupsOf(table: string): string[][] {
  return table
    .split(/[|\n]/u)
    .map((group) => group.trim())
    .filter((group) => group !== '')
    .map((group) => group.split(/\s+/u).map(plain));
}

const GROUPS: readonly ReadonlySet<string>[] = [
  ...groupsOf(SHORT_FORMS),
  ...groupsOf(IN_OTHER_LANGUAGES).flatMap(([first = '', ...others]) => others.map((other) => [first, other])),
].map((group) => new Set(group));

const groupsByName = new Map<string, number[]>();
for (const [index, group] of GROUPS.entries()) {
  for (const name of group) groupsByName.set(name, [...(groupsByName.get(name) ?? []), index]);
}

function plain(name: string): string {
  return spellings(name)[0] ?? name.toLowerCase();
}

/** Whether one is what people make of the other, as far as anybody wrote down. */
export function isShortForm(left: string, right: string): boolean {
  const known = groupsByName.get(plain(left)) ?? [];
  return known.some((index) => GROUPS[index]?.has(plain(right)) === true);
}

/** First names that differ by their ending are two people's (Anna and Anne, Rashid and Rashida), not one misspelt. */
export function areTwoNames(left: string, right: string): boolean {
  const [a, b] = [plain(left), plain(right)].sort((one, other) => one.length - other.length);
  if (a === undefined || b === undefined || a === b) return false;
  const isEnding = /^(?:[aeiou]|ne|na|an|in|ine|ina|le|ia|io)?$/u;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  return same >= 2 && isEnding.test(a.slice(same)) && isEnding.test(b.slice(same));
}

/** Everything a first name may be said as, itself left out. */
export function shortFormsOf(name: string): string[] {
  const own = plain(name);
  const forms = (groupsByName.get(own) ?? []).flatMap((index) => Array.from(GROUPS[index] ?? []));
  return [...new Set(forms)].filter((form) => form !== own);
}
