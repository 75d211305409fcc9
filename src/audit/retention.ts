import { isMutationId, ulidTimeMs } from '../model/ids.ts';
import { DAY_MS } from '../model/time.ts';
import type { Change } from '../workspace/door/request.ts';
import { isAnswer, pendingLines, isCriticalChange, isOutsideEdit } from './acknowledgement.ts';
import { type AuditLine, MANY_FILES, NO_FILE } from './line.ts';
import type { Action } from '../model/mutation.ts';

export const AUDIT_ARCHIVE = 'memory/meta/audit-archive.md';

export interface MonthDigest {
  readonly month: Month;
  readonly text: string;
}

/** The lines that leave the log, and their digests. The changes are committed first, then the lines dropped. */
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

/** Keeps pending lines until they are answered, and answers for good, so that no question is repeated. */
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

/** Enough to remember a month by; the single lines stay in git. */
const MAX_EVENTS = 20;

/** This many entities in one mutation indicate a research session or an import. */
const MANY_ENTITIES = 5;

/** Actions that a person may want to find again after years. */
const NOTABLE: ReadonlySet<Action> = new Set(['DELETE', 'MERGE', 'REVERT', 'ARCHIVE', 'RENAME']);

const TITLE = /^# Audit Digest — (.+)$/gmu;

/** Writes the digest that replaces a month's lines in the log (S4 §12.6). */
export function serializeDigest(month: Month, lines: readonly AuditLine[]): string {
  return [
    `# Audit Digest — ${monthTitle(month)}`,
    '',
    '## Summary',
    ...summarise(lines).map((text) => `- ${text}`),
    '',
    '## Notable Events',
    ...notableEvents(lines).map((text) => `- ${text}`),
    '',
  ].join('\n');
}

/** Whether the archive already has a month. */
export function createDigestTest(archive: string): (month: Month) => boolean {
  const titles = new Set([...archive.matchAll(TITLE)].map((match) => match[1]?.trim()));
  return (month) => titles.has(monthTitle(month));
}

function summarise(lines: readonly AuditLine[]): string[] {
  const files = new Set(lines.map((line) => line.file).filter((file) => file !== NO_FILE && file !== MANY_FILES));
  const transitions = byMutation(lines.filter((line) => line.action === 'DECAY')).map(countOf);
  const archived = byMutation(lines.filter((line) => line.action === 'ARCHIVE')).length;
  const outside = byMutation(lines.filter(isOutsideEdit)).length;
  return [
    `${count(byMutation(lines).length, 'total mutation')} across ${count(files.size, 'file')}`,
    reflectionSummary(lines),
    count(lines.filter(isCriticalChange).length, 'critical file change'),
    `${count(sum(transitions), 'decay transition')}, ${count(archived, 'archival event')}`,
    ...(outside === 0 ? [] : [`${count(outside, 'change')} made outside Mneme`]),
  ];
}

function reflectionSummary(lines: readonly AuditLine[]): string {
  const sessions = Map.groupBy(
    lines.filter((line) => line.actor.startsWith('reflection:')),
    (line) => line.actor,
  );
  const outcomes = [...sessions.values()].map(outcomeOf);
  const parts = ['approved', 'partial', 'rejected', 'pending'].flatMap((outcome) => {
    const number = outcomes.filter((one) => one === outcome).length;
    return number === 0 ? [] : [`${number} ${outcome}`];
  });
  return count(sessions.size, 'reflection session') + (parts.length === 0 ? '' : ` (${parts.join(', ')})`);
}

function outcomeOf(lines: readonly AuditLine[]): string {
  const isRejected = (line: AuditLine): boolean => line.action === 'REJECT' || line.approval === 'rejected';
  const rejected = lines.filter(isRejected).length;
  if (rejected === lines.length) return 'rejected';
  if (rejected > 0) return 'partial';
  return lines.every((line) => line.approval === 'pending') ? 'pending' : 'approved';
}

function notableEvents(lines: readonly AuditLine[]): string[] {
  const events = byMutation(lines).flatMap((mutation) => {
    const [first] = mutation;
    const text = first === undefined ? undefined : findEvent(first, mutation);
    return first === undefined || text === undefined ? [] : [`${dayOf(first)}: ${text}`];
  });
  if (events.length === 0) return ['none'];
  const more = events.length - MAX_EVENTS;
  return more > 0 ? [...events.slice(0, MAX_EVENTS), `and ${more} more, in git`] : events;
}

/** Why a mutation deserves to be remembered; undefined when it does not. */
function findEvent(first: AuditLine, mutation: readonly AuditLine[]): string | undefined {
  const critical = mutation.find(isCriticalChange);
  if (critical !== undefined) return `⚠ ${critical.file} changed by ${critical.actor} (${critical.summary})`;
  const created = mutation.filter((line) => line.action === 'CREATE').map((line) => line.file);
  const entities = created.filter((file) => file.includes('graph/entities/'));
  if (entities.length >= MANY_ENTITIES) return `${entities.length} new entities (${first.summary})`;
  const procedure = created.find((file) => file.includes('procedures/'));
  if (procedure !== undefined) return `procedure ${procedure} created (${first.summary})`;
  return NOTABLE.has(first.action) ? `${first.action} ${first.file} (${first.summary})` : undefined;
}

function byMutation(lines: readonly AuditLine[]): AuditLine[][] {
  return [...Map.groupBy(lines, (line) => line.reference ?? line).values()];
}

/** A decay run says how many entries it moved at the start of its summary. */
function countOf(mutation: readonly AuditLine[]): number {
  return Number(/^\d+/.exec(mutation[0]?.summary ?? '')?.[0] ?? 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function dayOf(line: AuditLine): string {
  return new Date(line.timeMs).toISOString().slice(0, 10);
}

/** A calendar month in UTC, `2026-01`. */
type Month = string;

/** The month a change was made in: an import may date its mutations back, their ids keep the time of the import. */
function monthOf({ reference, timeMs }: AuditLine): Month {
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
function monthTitle(month: Month): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    monthStartMs(month),
  );
}
