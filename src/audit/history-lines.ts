import type { Action } from '../model/mutation.ts';
import { parseCommitMessage } from '../workspace/git/commit-message.ts';
import type { Git } from '../workspace/git/git.ts';
import { logEntries, type HistoryEntry } from '../workspace/git/history.ts';
import type { TreeChange } from '../workspace/git/objects.ts';
import type { JournalRecord } from '../workspace/journal/record.ts';
import { MANY_FILES, NO_FILE, toLogTime, type AuditLine } from './line.ts';
import type { CriticalTest } from './sensitivity.ts';

/** A line as git tells it. */
export interface HistoryLine {
  readonly line: AuditLine;
  /** False where git knows less than the log: in a batched commit, or when a person committed the files first. */
  readonly isExact: boolean;
}

type Common = Omit<AuditLine, 'file' | 'isCritical'>;

/** Enough of a hash to find a commit, short enough for a line that people read. */
const HASH_LENGTH = 12;

export function linesOfRecord(record: JournalRecord, isCritical: CriticalTest): AuditLine[] {
  const common: Common = {
    timeMs: toLogTime(record.timeMs),
    action: record.action,
    actor: record.actor,
    approval: record.approval ?? 'auto',
    summary: record.summary,
    reference: record.id,
    trigger: presentText(record.trigger),
  };
  return linesOfFiles(
    common,
    record.files.map((file) => file.path),
    isCritical,
  );
}

/** Every line git can tell, oldest first. */
export async function readHistoryLines(git: Git, isCritical: CriticalTest, sinceMs?: number): Promise<HistoryLine[]> {
  const head = await git.attempt(['rev-parse', '--verify', '--quiet', 'HEAD']);
  if (head.code !== 0) return [];
  const entries = await logEntries(git, { limit: Number.MAX_SAFE_INTEGER, sinceMs });
  const lines: HistoryLine[] = [];
  for (const entry of entries.reverse()) lines.push(...(await linesOfEntry(git, entry, isCritical)));
  return lines;
}

export async function linesOfEntry(git: Git, entry: HistoryEntry, isCritical: CriticalTest): Promise<HistoryLine[]> {
  if (entry.mutations.length > 1) return linesOfBatch(git, entry, isCritical);
  const common = commonOf(entry);
  const paths = entry.changes.flatMap(pathsOf);
  if (entry.mutations.length === 1) {
    const isExact = paths.length > 0 || common.action === 'ALERT';
    return linesOfFiles(common, paths, isCritical).map((line) => ({ line, isExact }));
  }
  // A merge's changes have lines of their own; the repository's first, empty commit changed nothing.
  if (entry.parents.length > 1) return [{ line: { ...common, file: MANY_FILES, isCritical: false }, isExact: true }];
  return entry.changes.flatMap((change) =>
    linesOfFiles({ ...common, action: entry.action ?? actionOf(change) }, pathsOf(change), isCritical).map((line) => ({
      line,
      isExact: true,
    })),
  );
}

function commonOf(entry: HistoryEntry): Common {
  return {
    timeMs: entry.timeMs,
    action: entry.action ?? (entry.parents.length > 1 ? 'MERGE' : 'EDIT'),
    actor: entry.isExternal ? 'manual' : entry.actor,
    approval: entry.approval ?? '—',
    summary: summaryOf(entry),
    reference: entry.mutations[0] ?? commitReference(entry.commit),
    trigger: presentText(entry.trigger),
  };
}

/** The name in the log for a commit that carries no mutation. */
export function commitReference(commit: string): string {
  return `git:${commit.slice(0, HASH_LENGTH)}`;
}

export function isCommitReference(reference: string | undefined): boolean {
  return reference?.startsWith('git:') ?? false;
}

function linesOfFiles(common: Common, paths: readonly string[], isCritical: CriticalTest): AuditLine[] {
  if (paths.length === 0) return [{ ...common, file: NO_FILE, isCritical: false }];
  // Sorted, because the journal keeps the order of the request and git that of its tree.
  const sorted = [...new Set(paths)].sort();
  return sorted.map((file): AuditLine => Object.assign({ file, isCritical: isCritical(file) }, common));
}

function pathsOf({ path, from }: TreeChange): string[] {
  return from === undefined ? [path] : [from, path];
}

function actionOf(change: TreeChange): Action {
  if (change.before === undefined) return 'CREATE';
  if (change.after === undefined) return 'DELETE';
  return change.status === 'renamed' ? 'RENAME' : 'EDIT';
}

/** The subject is cut at its first dash; one that belongs to the path ends up in the summary and is taken off here. */
function summaryOf({ summary, changes }: HistoryEntry): string {
  for (const path of changes.flatMap(pathsOf)) {
    const [, ...tail] = path.split(' — ');
    const rest = tail.join(' — ');
    if (tail.length === 0 || !summary.startsWith(rest)) continue;
    const match = /^(?: \(\+\d+ more\))? — (.*)$/s.exec(summary.slice(rest.length));
    if (match !== null) return match[1] ?? '';
  }
  return summary;
}

const LISTED_SUBJECT = /^- (\[[A-Z]+\] (.*?)(?: \(\+\d+ more\))? — .*)$/;

/** A batched commit lists its mutations' subjects in its body, and who and why only as sets. */
async function linesOfBatch(git: Git, entry: HistoryEntry, isCritical: CriticalTest): Promise<HistoryLine[]> {
  const message = await git.text(['log', '-1', '--format=%B', entry.commit]);
  const subjects = message.split('\n').flatMap((text) => {
    const match = LISTED_SUBJECT.exec(text);
    return match === null ? [] : [{ path: match[2] ?? '', ...parseCommitMessage(match[1] ?? '') }];
  });
  const common = { ...commonOf(entry), actor: entry.actors.join(', ') };
  const lines = entry.mutations.flatMap((reference, at) => {
    const subject = subjects[at];
    const summary = subject?.summary ?? `one of ${entry.mutations.length} mutations in a batch`;
    const action = subject?.action ?? 'COMMIT';
    const paths = subject === undefined || subject.path === '' ? [] : [subject.path];
    return linesOfFiles({ ...common, action, summary, reference }, paths, isCritical);
  });
  const named = new Set(lines.map((line) => line.file));
  const unnamed = entry.changes.flatMap(pathsOf).filter((path) => !named.has(path));
  const others = unnamed.length === 0 ? [] : linesOfFiles({ ...common, action: 'COMMIT' }, unnamed, isCritical);
  return [...lines, ...others].map((line) => ({ line, isExact: false }));
}

function presentText(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
