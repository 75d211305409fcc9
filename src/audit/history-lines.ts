import type { Action } from '../model/mutation.ts';
import { parseCommitMessage } from '../workspace/git/commit-message.ts';
import type { Git } from '../workspace/git/git.ts';
import { type HistoryEntry, logEntries, streamLog } from '../workspace/git/history.ts';
import type { TreeChange } from '../workspace/git/objects.ts';
import type { JournalRecord } from '../workspace/journal/record.ts';
import { type AuditLine, MANY_FILES, NO_FILE, toLogTime } from './line.ts';
import type { CriticalTest } from './checksums.ts';

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

/** Windows limits a command line to 32 K characters; a commit id takes 41. */
const COMMITS_PER_READ = 500;

/**
 * Commits by the references a line may have, wherever they are kept: on other branches, in dropped explorations, in
 * reflogs, or no longer reachable at all. Looks at every object, so only for what the current branch does not tell.
 */
export async function findCommitsAnywhere(
  git: Git,
  references: ReadonlySet<string | undefined>,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (references.size === 0) return found;
  const format = '--batch-check=%(objecttype) %(objectname)';
  const objects = await git.text(['cat-file', '--batch-all-objects', '--unordered', format]);
  const commits = objects.split('\n').flatMap((text) => /^commit (\S+)$/.exec(text)?.[1] ?? []);
  if (commits.length === 0) return found;
  const trailers = '--format=%H %(trailers:key=Mutation,valueonly,separator=%x20)';
  const input = commits.map((commit) => `${commit}\n`);
  const told = await git.text(['log', '--no-walk=unsorted', '--stdin', trailers], { input });
  for (const text of told.split('\n')) {
    const [commit = '', ...mutations] = text.trim().split(' ');
    for (const reference of [commitReference(commit), ...mutations]) {
      if (references.has(reference)) found.set(reference, [...(found.get(reference) ?? []), commit]);
    }
  }
  return found;
}

/** The lines of those commits; a mutation that was amended appears more than once. */
export async function readLinesAnywhere(
  git: Git,
  isCritical: CriticalTest,
  references: ReadonlySet<string | undefined>,
): Promise<HistoryLine[]> {
  const commits = [...new Set([...(await findCommitsAnywhere(git, references)).values()].flat())];
  const lines: HistoryLine[] = [];
  for (let start = 0; start < commits.length; start += COMMITS_PER_READ) {
    const slice = commits.slice(start, start + COMMITS_PER_READ);
    const options = ['--no-walk=unsorted', '--diff-merges=first-parent', '--end-of-options', ...slice, '--'];
    for await (const { entry } of streamLog(git, options)) lines.push(...(await linesOfEntry(git, entry, isCritical)));
  }
  return lines;
}

/**
 * Lines on commits that a person's own git replaced or took back: the object is still there and no ref leads to it. A
 * commit that is not there at all proves nothing; its line may be all that survived a lost repository.
 */
export async function findSupersededLines(git: Git, lines: readonly AuditLine[]): Promise<AuditLine[]> {
  const superseded = new Set<string>();
  for (const reference of new Set(lines.map((line) => line.reference ?? '').filter(isCommitReference))) {
    const commit = reference.replace('git:', '');
    if (!/^[0-9a-f]+$/.test(commit)) continue;
    const exists = await git.attempt(['cat-file', '-e', `${commit}^{commit}`]);
    if (exists.code !== 0) continue;
    const refs = await git.text(['for-each-ref', '--count=1', `--contains=${commit}`]);
    if (refs === '') superseded.add(reference);
  }
  return lines.filter((line) => superseded.has(line.reference ?? ''));
}
