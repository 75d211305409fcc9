import { isMutationId, ulidTimeMs } from '../model/ids.ts';
import type { AuditLine } from './line.ts';
import { DAY_MS } from '../model/durations.ts';

/** A calendar month in UTC, `2026-01`. */
export type Month = string;

/** The month a change was made in: an import may date its mutations back, their ids keep the time of the import. */
export function monthOf({ reference, timeMs }: AuditLine): Month {
  const madeMs = reference !== undefined && isMutationId(reference) ? ulidTimeMs(reference) : timeMs;
  return new Date(madeMs).toISOString().slice(0, 7);
}

/** The month that holds the oldest day to be kept; every earlier month is over and out of the window. */
export function firstKeptMonth(nowMs: number, retentionDays: number): Month {
  return new Date(nowMs - retentionDays * DAY_MS).toISOString().slice(0, 7);
}

export function monthStartMs(month: Month): number {
  return Date.parse(`${month}-01T00:00:00Z`);
}

/** `January 2026` */
export function monthTitle(month: Month): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    monthStartMs(month),
  );
}
