/** Looking into JSON that another program wrote: whatever is not as expected is simply not there. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export function asRecord(value: unknown): JsonRecord | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The records in a list; a single string stands for one text block, as several formats allow. */
export function asBlocks(value: unknown): readonly JsonRecord[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (!Array.isArray(value)) return [];
  return (value as readonly unknown[]).map(asRecord).filter((record) => record !== undefined);
}

/** Dates are written with four digits for the year. */
const LAST_TIME_MS = Date.UTC(9999, 0);

/** Numbers below this are seconds since 1970, above it milliseconds: as milliseconds it lies in 1973. */
const FIRST_MILLISECONDS = 1e11;

/** `Date.parse` takes February 31 for March 3, and 24:00 for the next day, which is not what was written. */
const CALENDAR_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}))?/u;

function isOnCalendar(text: string): boolean {
  const match = CALENDAR_TIME.exec(text);
  if (match === null) return true;
  const [, year, month, day, hour] = match;
  return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate() && hour !== '24';
}

/** UTC milliseconds of a time written as ISO 8601 or as a number; undefined when it is neither. */
export function asTimeMs(value: unknown): number | undefined {
  const isSeconds = typeof value === 'number' && value < FIRST_MILLISECONDS;
  const timeMs = typeof value === 'number' ? value * (isSeconds ? 1000 : 1) : parseTime(asText(value) ?? '');
  return timeMs > 0 && timeMs < LAST_TIME_MS ? timeMs : undefined;
}

function parseTime(text: string): number {
  return isOnCalendar(text) ? Date.parse(text) : Number.NaN;
}

/** The text of content that is a string or a list of text blocks. */
export function textOfContent(value: unknown): string {
  return asBlocks(value)
    .flatMap((block) => asText(block['text']) ?? [])
    .join('\n\n');
}
