import type { HistoryLine } from './history-lines.ts';
import { serializeLine, type AuditLine } from './line.ts';

/** Where the log and git tell different stories. */
export interface TrailFinding {
  readonly kind: 'missing' | 'foreign' | 'altered' | 'unreadable';
  /** What stands in the log; for a missing line, what should. */
  readonly text: string;
  readonly line: AuditLine | undefined;
  readonly message: string;
}

/** `log` is what the log says, `history` what git says of the same span of time. */
export function compareTrails(log: readonly AuditLine[], history: readonly HistoryLine[]): TrailFinding[] {
  const logged = new Map(log.map((line) => [keyOf(line), line]));
  const loggedReferences = new Set(log.map((line) => line.reference));
  const findings: TrailFinding[] = [];
  for (const { line, isExact } of history) {
    const found = logged.get(keyOf(line));
    if (found === undefined) {
      if (isExact || !loggedReferences.has(line.reference)) findings.push(missing(line));
    } else if (isExact && !isSameStory(found, line)) findings.push(altered(found, line));
  }
  return [...findings, ...findForeign(log, history)];
}

function findForeign(log: readonly AuditLine[], history: readonly HistoryLine[]): TrailFinding[] {
  const told = new Set(history.map(({ line }) => keyOf(line)));
  const vague = new Set(history.filter(({ isExact }) => !isExact).map(({ line }) => line.reference));
  const ownCommits = new Map<string, number>();
  for (const { line } of history) if (line.actor === 'manual') ownCommits.set(line.file, line.timeMs);
  // A person who commits a file before the drain does gets the only commit; what the log said of it is still true.
  const wasCommittedByPerson = (line: AuditLine): boolean => (ownCommits.get(line.file) ?? -1) >= line.timeMs;
  return log
    .filter((line) => !told.has(keyOf(line)) && !vague.has(line.reference) && !wasCommittedByPerson(line))
    .map((line) => ({
      kind: 'foreign',
      text: serializeLine(line),
      line,
      message: `The log tells of ${line.action} ${line.file} by ${line.actor}, git does not.`,
    }));
}

function missing(line: AuditLine): TrailFinding {
  const message = `git has ${line.action} ${line.file} by ${line.actor} (${line.reference ?? ''}), the log does not.`;
  return { kind: 'missing', text: serializeLine(line), line, message };
}

function altered(found: AuditLine, line: AuditLine): TrailFinding {
  const message = `The log's line on ${line.file} (${line.reference ?? ''}) is not what git says: ${serializeLine(line)}`;
  return { kind: 'altered', text: serializeLine(found), line: found, message };
}

function keyOf(line: AuditLine): string {
  return `${line.reference ?? serializeLine(line)}\0${line.file}`;
}

/** Which files are critical is a setting and may have changed since the line was written. */
function isSameStory(a: AuditLine, b: AuditLine): boolean {
  return serializeLine({ ...a, isCritical: false }) === serializeLine({ ...b, isCritical: false });
}
