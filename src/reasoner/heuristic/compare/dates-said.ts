/** Days as a statement names them, whichever way they are written. */
export interface DatesSaid {
  /** `03-16`. */
  readonly days: ReadonlySet<string>;
  /** `03`, also of every day. */
  readonly months: ReadonlySet<string>;
  /** `tue`. */
  readonly weekdays: ReadonlySet<string>;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = `(?<month>${MONTHS.filter((month) => month !== 'may').join('|')})\\p{L}*|(?<may>May)`;
const ISO = /\b\d{4}-(?<month>\d\d)(?:-(?<day>\d\d))?\b/gu;
const DAY_FIRST = new RegExp(`\\b(?<day>\\d{1,2})(?:st|nd|rd|th)?\\.? (?:of )?(?:${MONTH})\\b`, 'giu');
const MONTH_FIRST = new RegExp(`\\b(?:${MONTH})\\.? (?<day>\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])\\b`, 'giu');
/** "may" alone is a verb more often than a month; with a capital and after a preposition it is not. */
const MONTH_ALONE =
  /\b(?<month>january|february|march|april|june|july|august|september|october|november|december)\b|\b(?:in|from|until|since|by|of|before|after) (?<may>May)\b/giu;
const WEEKDAY = /\b(?<weekday>mon|tues|wednes|thurs|fri|satur|sun)days?\b/giu;

/** The days of a text, and the text without them. */
export function datesIn(text: string): { readonly dates: DatesSaid; readonly rest: string } {
  const days = new Set<string>();
  const months = new Set<string>();
  const weekdays = new Set<string>();
  const note = (groups: Readonly<Record<string, string | undefined>>): void => {
    const { day, weekday } = groups;
    const month = monthNumber(groups['month'] ?? groups['may']);
    if (month !== undefined) months.add(month);
    if (month !== undefined && day !== undefined) days.add(`${month}-${day.padStart(2, '0')}`);
    if (weekday !== undefined) weekdays.add(weekday.toLowerCase().slice(0, 3));
  };
  let rest = text;
  for (const pattern of [ISO, DAY_FIRST, MONTH_FIRST, MONTH_ALONE, WEEKDAY]) {
    for (const { 0: words, groups = {} } of rest.matchAll(pattern)) {
      // "it may 3 times": without its capital it is a verb.
      if (groups['may'] === 'may') continue;
      note(groups);
      rest = rest.replace(words, ' ');
    }
  }
  return { dates: { days, months, weekdays }, rest };
}

function monthNumber(name: string | undefined): string | undefined {
  if (name === undefined || /^\d/u.test(name)) return name;
  const index = MONTHS.indexOf(name.toLowerCase().slice(0, 3));
  return index === -1 ? undefined : String(index + 1).padStart(2, '0');
}
