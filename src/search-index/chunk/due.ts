import { SAFETY } from '../../model/content-words.ts';
import type { FactMetadata } from '../../model/schemas/item.ts';
import { normalTitle } from '../../workspace/formats/sections.ts';
import type { FileFrame } from './frame.ts';

/** A day, a month or a year, perhaps with a time behind it. */
const PERIOD = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:T.*)?$/u;
/** At the end of a passage, where the functions below have written them. */
const WRITTEN = / \((?:due|until) (\d{4}(?:-\d{2}){0,2})\)$/u;

/** A task's day as a passage tells it; empty where its metadata says none. */
export function dueWords(due: unknown): string {
  const period = typeof due === 'string' && lastMsOf(due) !== undefined ? due.split('T')[0] : undefined;
  return period === undefined ? '' : ` (due ${period})`;
}

/** The day on which something stopped to hold. */
export function untilWords(until: string | undefined): string {
  return until === undefined ? '' : ` (until ${until})`;
}

/** The end of the day, month or year that the last of these words name; undefined when a passage does not end in any. */
export function dayWrittenIn(text: string): number | undefined {
  const written = WRITTEN.exec(text)?.[1];
  return written === undefined ? undefined : lastMsOf(written);
}

/** Undefined for what is no period of the calendar. */
function lastMsOf(period: string): number | undefined {
  const [, year, month, day] = PERIOD.exec(period) ?? [];
  if (year === undefined) return undefined;
  if (day !== undefined && month !== undefined) {
    const ms = Date.parse(`${year}-${month}-${day}T23:59:59Z`);
    return Number.isNaN(ms) ? undefined : ms;
  }
  if (month !== undefined && (Number(month) < 1 || Number(month) > 12)) return undefined;
  // The day before the first of what follows.
  return Date.UTC(Number(year), month === undefined ? 12 : Number(month), 1) - 1000;
}

/** Blocks of core memory that hold until somebody changes them; what is going on is not among them. */
const STANDING_BLOCKS: ReadonlySet<string> = new Set(['identity', 'persona', 'critical facts']);
const USER_ID = 'person--user';
const USER_TAG = 'user';

/** Rules, who the user is, and what somebody could be hurt by hold however long ago they were said. */
export function isStanding(
  { kind, frontmatter, tags }: FileFrame,
  heading: string,
  { text, meta }: { readonly text: string; readonly meta: FactMetadata },
): boolean {
  if (kind === 'memory') return STANDING_BLOCKS.has(normalTitle(heading));
  if (kind !== 'entity' || normalTitle(heading) !== 'facts') return false;
  const isUsers = frontmatter['id'] === USER_ID || tags.includes(USER_TAG);
  const isIdentity = isUsers && (meta.category === 'person' || meta.attribute !== undefined);
  return meta.category === 'preference' || isIdentity || SAFETY.test(text);
}
