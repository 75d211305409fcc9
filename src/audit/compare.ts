import { isCommitReference, type HistoryLine } from './history-lines.ts';
import { serializeLine, type AuditLine } from './line.ts';

/** Where the log and git tell different stories. */
export interface TrailFinding {
  readonly kind: 'missing' | 'foreign' | 'altered' | 'unreadable';
  /** The text in the log; for a missing line, the expected text. */
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
    } else if (isExact && storyOf(found) !== storyOf(line)) findings.push(altered(found, line));
  }
  return [...findings, ...findForeign(log, history)];
}

function findForeign(log: readonly AuditLine[], history: readonly HistoryLine[]): TrailFinding[] {
  const told = new Set(history.map(({ line }) => keyOf(line)));
  const vague = new Set(history.filter(({ isExact }) => !isExact).map(({ line }) => line.reference));
  const ownCommits = new Map<string, number>();
  for (const { line } of history) if (line.actor === 'manual') ownCommits.set(line.file, line.timeMs);
  const references = new Set(history.map(({ line }) => line.reference));
  // A person who commits a file before the drain does gets the only commit of it: the mutation's own lacks the file, and
  // an external edit has none. What the log said of it is still true.
  const wasCommittedByPerson = (line: AuditLine): boolean => {
    const mayLackCommit = line.actor === 'external' || references.has(line.reference);
    return mayLackCommit && (ownCommits.get(line.file) ?? -1) >= line.timeMs;
  };
  return log
    .filter((line) => !told.has(keyOf(line)) && !vague.has(line.reference) && !wasCommittedByPerson(line))
    .map((line) => ({
      kind: 'foreign',
      text: serializeLine(line),
      line,
      message: `The log tells of ${line.action} ${line.file} by ${line.actor}, git does not.`,
    }));
}

/** Drops findings about lines that git also has, but not on the current branch. */
export function withoutToldElsewhere(
  findings: readonly TrailFinding[],
  history: readonly HistoryLine[],
  elsewhere: readonly HistoryLine[],
): TrailFinding[] {
  const onBranch = new Set(history.map(({ line }) => line.reference));
  const vague = new Set(elsewhere.filter(({ isExact }) => !isExact).map(({ line }) => line.reference));
  const told = new Set(elsewhere.map(({ line }) => storyOf(line)));
  return findings.filter(({ kind, line }) => {
    if (line === undefined || (kind !== 'foreign' && kind !== 'altered')) return true;
    // A person who amends or resets takes their own commit out of history; what the log said of it is merely old.
    if (isCommitReference(line.reference) && !onBranch.has(line.reference)) return false;
    return !told.has(storyOf(line)) && !vague.has(line.reference);
  });
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
function storyOf(line: AuditLine): string {
  return serializeLine({ ...line, isCritical: false });
}
