import type { Change } from '../workspace/door/request.ts';
import { isAnswer, pendingLines } from './acknowledgement.ts';
import { createDigestTest, serializeDigest } from './digest.ts';
import type { AuditLine } from './line.ts';
import { firstKeptMonth, monthOf, type Month } from './months.ts';

export const AUDIT_ARCHIVE = 'memory/meta/audit-archive.md';

export interface MonthDigest {
  readonly month: Month;
  readonly text: string;
}

/** What leaves the log, and what is kept of it. First the changes are committed, then the lines dropped. */
export interface RetentionPlan {
  readonly digests: readonly MonthDigest[];
  /** For the archive; empty when every month that leaves has its digest already. */
  readonly changes: readonly Change[];
  readonly linesToDrop: readonly AuditLine[];
}

export interface RetentionInput {
  readonly lines: readonly AuditLine[];
  /** The present text of the archive. */
  readonly archive: string;
  readonly nowMs: number;
  readonly retentionDays: number;
}

/**
 * Whole months leave, once their last day is out of the window: a digest is then final, and a month that has one is
 * never counted again.
 */
export function planRetention({ lines, archive, nowMs, retentionDays }: RetentionInput): RetentionPlan {
  const firstKept = firstKeptMonth(nowMs, retentionDays);
  const leaving = Map.groupBy(
    lines.filter((line) => monthOf(line) < firstKept),
    monthOf,
  );
  const isDigested = createDigestTest(archive);
  const digests = [...leaving]
    .filter(([month]) => !isDigested(month))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, own]) => ({ month, text: serializeDigest(month, own) }));
  const leavingLines = [...leaving.values()].flat();
  return {
    digests,
    changes: digests.length === 0 ? [] : [{ path: AUDIT_ARCHIVE, edit: (current) => addDigests(current, digests) }],
    linesToDrop: withoutKept(leavingLines, lines),
  };
}

/** The lines a rebuilt log has: those of months without a digest, and what is kept beyond. */
export function retainedLines(lines: readonly AuditLine[], archive: string): AuditLine[] {
  const isDigested = createDigestTest(archive);
  const digested = lines.filter((line) => isDigested(monthOf(line)));
  const dropped = new Set(withoutKept(digested, lines));
  return lines.filter((line) => !dropped.has(line));
}

/** What still waits for a person stays until it is answered, and answers stay for good: nobody is asked twice. */
function withoutKept(leaving: readonly AuditLine[], all: readonly AuditLine[]): AuditLine[] {
  const pending = new Set(pendingLines(all));
  return leaving.filter((line) => !pending.has(line) && !isAnswer(line));
}

/** Looks again at what the archive holds: another process may have added the same month since the plan was made. */
function addDigests(current: string | undefined, digests: readonly MonthDigest[]): string {
  const archive = current ?? '';
  const isDigested = createDigestTest(archive);
  const added = digests.filter(({ month }) => !isDigested(month)).map(({ text }) => text);
  const start = archive.trimEnd();
  return added.length === 0 ? archive : [...(start === '' ? [] : [`${start}\n`]), ...added].join('\n');
}
