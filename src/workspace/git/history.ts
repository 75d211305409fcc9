import type { Action } from '../../model/mutation.ts';
import { parseCommitMessage } from './commit-message.ts';
import type { Git } from './git.ts';
import { parseRawChange, rawHeaderHasTwoPaths, readBlobs, type TreeChange } from './objects.ts';
import { getMutationCommit } from './revisions.ts';
import { streamFields } from './stream.ts';

/** One commit as the audit sees it. */
export interface HistoryEntry {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly timeMs: number;
  readonly author: string;
  readonly action: Action | undefined;
  readonly summary: string;
  /** Several in a batched commit, none in a person's own. */
  readonly mutations: readonly string[];
  /** The first of `actors`. */
  readonly actor: string;
  /** `external` stands for a commit that names nobody. */
  readonly actors: readonly string[];
  readonly approval: string | undefined;
  readonly trigger: string | undefined;
  readonly session: string | undefined;
  /** Against the first parent. */
  readonly changes: readonly TreeChange[];
  /** Made by somebody's own `git commit`, not by Mneme. */
  readonly isExternal: boolean;
}

export interface HistoryQuery {
  /** A file or folder. */
  readonly path?: string | undefined;
  /** The whole actor, or its beginning when it ends in a colon (`bot:`). */
  readonly actor?: string | undefined;
  readonly action?: Action | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** Any part of the commit message, in any letter case. */
  readonly text?: string | undefined;
  /** Where to start; the current branch unless given. */
  readonly revision?: string | undefined;
  /** Further conditions for an entry to count. */
  readonly accepts?: ((entry: HistoryEntry) => boolean) | undefined;
  readonly limit: number;
  readonly skip?: number | undefined;
}

const LOG_FORMAT = '--format=%x00%H%x00%P%x00%ct%x00%an%x00%B%x00';
const FIELDS_AFTER_COMMIT = 4;

/** Options that make git log answer the same whatever the person's own configuration says. */
const LOG_OPTIONS = [
  '-z',
  '--raw',
  '--no-abbrev',
  '-M',
  '--root',
  '--no-color',

  '--no-follow',
  '--encoding=UTF-8',
  LOG_FORMAT,
];

/** Newest first. */
export async function logEntries(git: Git, query: HistoryQuery): Promise<HistoryEntry[]> {
  const found: HistoryEntry[] = [];
  let toSkip = query.skip ?? 0;
  if (query.limit <= 0) return found;
  for await (const { entry, message } of streamLog(git, logArguments(query))) {
    if (!matches(entry, message, query)) continue;
    if (toSkip > 0) toSkip -= 1;
    else if (found.push(entry) >= query.limit) break;
  }
  return found;
}

function logArguments(query: HistoryQuery): string[] {
  const words: string[] = [];
  if (query.actor !== undefined) words.push(`Actor: ${query.actor}`);
  if (query.action !== undefined) words.push(`[${query.action}]`);
  if (query.text !== undefined) words.push(...query.text.split('\n').filter((line) => line !== ''));
  return [
    // Merges count as what they brought to the branch they were merged into.
    '--diff-merges=first-parent',
    '--full-diff',
    '--fixed-strings',
    '--regexp-ignore-case',
    '--all-match',
    ...words.map((word) => `--grep=${word}`),
    ...(query.sinceMs === undefined ? [] : [`--since=${gitTime(Math.ceil(query.sinceMs / 1000))}`]),
    ...(query.untilMs === undefined ? [] : [`--until=${gitTime(Math.floor(query.untilMs / 1000))}`]),
    '--end-of-options',
    query.revision ?? 'HEAD',
    '--',
    ...(query.path === undefined ? [] : [query.path]),
  ];
}

function gitTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** git's own filter looks at every line of the message; this one knows which line means what. */
function matches(entry: HistoryEntry, message: string, query: HistoryQuery): boolean {
  const { actor, action, text } = query;
  if (action !== undefined && entry.action !== action) return false;
  if (
    actor !== undefined &&
    !entry.actors.some((name) => (actor.endsWith(':') ? name.startsWith(actor) : name === actor))
  ) {
    return false;
  }
  if (text !== undefined && !message.toLowerCase().includes(text.toLowerCase())) return false;
  return query.accepts?.(entry) !== false;
}

export interface LogRecord {
  readonly entry: HistoryEntry;
  readonly message: string;
}

/** Commits as git log gives them, with `args` after the options every call shares. */
export async function* streamLog(git: Git, args: readonly string[]): AsyncGenerator<LogRecord> {
  let commit: string[] = [];
  let changes: TreeChange[] = [];
  let header: string | undefined;
  let paths: string[] = [];
  for await (const field of streamFields(git, ['--literal-pathspecs', 'log', ...LOG_OPTIONS, ...args])) {
    if (header !== undefined) {
      paths.push(field);
      if (paths.length < (rawHeaderHasTwoPaths(header) ? 2 : 1)) continue;
      changes.push(parseRawChange(header, paths));
      header = undefined;
      paths = [];
    } else if (commit.length > 0 && commit.length <= FIELDS_AFTER_COMMIT) {
      commit.push(field);
    } else if (/^\n?:/.test(field)) {
      header = field;
    } else if (field !== '') {
      if (commit.length > 0) yield logRecord(commit, changes);
      commit = [field];
      changes = [];
    }
  }
  if (commit.length > 0) yield logRecord(commit, changes);
}

function logRecord(fields: readonly string[], changes: readonly TreeChange[]): LogRecord {
  const [commit = '', parents = '', seconds = '', author = '', message = ''] = fields;
  const { action, summary, trailers } = parseCommitMessage(message);
  const actors = [...new Set(trailers.Actor ?? ['external'])];
  const entry: HistoryEntry = {
    commit,
    parents: parents === '' ? [] : parents.split(' '),
    timeMs: Number(seconds) * 1000,
    author,
    action,
    summary,
    mutations: trailers.Mutation ?? [],
    actor: actors[0] ?? 'external',
    actors,
    approval: trailers.Approval?.[0],
    trigger: trailers.Trigger?.[0],
    session: trailers.Session?.[0],
    changes,
    isExternal: trailers.Mutation === undefined && trailers.Actor === undefined,
  };
  return { entry, message };
}

/** The commits named, in no particular order, without their changes. */
export async function readCommits(git: Git, commits: readonly string[]): Promise<Map<string, HistoryEntry>> {
  const entries = new Map<string, HistoryEntry>();
  // Windows limits a command line to 32 K characters; a commit id takes 41.
  for (let start = 0; start < commits.length; start += 500) {
    const slice = commits.slice(start, start + 500);
    for await (const { entry } of streamLog(git, [
      '--no-walk=unsorted',
      '--no-patch',
      '--end-of-options',
      ...slice,
      '--',
    ])) {
      entries.set(entry.commit, entry);
    }
  }
  return entries;
}

export interface FileRevision {
  readonly path: string;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
}

/** Lists a mutation's changes of each file. Of a batched commit these are the changes of the whole batch. */
export async function changesOf(git: Git, mutation: string): Promise<FileRevision[]> {
  const commit = await getMutationCommit(git, mutation);
  const revisions: FileRevision[] = [];
  for await (const { entry } of streamLog(git, [
    '--no-renames',
    '--diff-merges=first-parent',
    '--max-count=1',
    commit,
    '--',
  ])) {
    const blobs = entry.changes.flatMap(({ before, after }) => [before?.blob, after?.blob]);
    const contents = await readBlobs(
      git,
      blobs.filter((blob) => blob !== undefined),
    );
    for (const { path, before, after } of entry.changes) {
      revisions.push({ path, before: contents.get(before?.blob ?? ''), after: contents.get(after?.blob ?? '') });
    }
  }
  return revisions;
}
