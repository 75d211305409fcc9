import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { ACTIONS, type Action } from '../../model/mutation.ts';
import { diffBetween } from '../../workspace/git/diff.ts';
import type { Git } from '../../workspace/git/git.ts';
import { logEntries, type HistoryEntry } from '../../workspace/git/history.ts';
import { EMPTY_TREE, type FileStatus } from '../../workspace/git/objects.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { seesFile, visibleTo } from '../visible-to.ts';
import { withoutForeignLines } from './visible-diff.ts';
import { getMoment, openHistory, toHistoryPath } from './open-history.ts';
import { isoTime } from '../../model/time.ts';

const input = z.object({
  path: z.string().min(1).optional().describe('Only changes of this file or folder.'),
  actor: z
    .string()
    .min(1)
    .optional()
    .describe('Only by this actor; a name that ends in a colon takes all of the kind (bot:).'),
  action: z
    .string()
    .toUpperCase()
    .pipe(z.enum(ACTIONS, `is one of ${ACTIONS.join(', ')}`))
    .optional()
    .describe('Only changes of this sort, such as EDIT or REVERT.'),
  since: z.string().optional().describe('From this day or time on: a date, yesterday, 3 days ago.'),
  until: z.string().optional().describe('Up to this day or time; a day counts whole.'),
  text: z.string().min(1).optional().describe('Only where the summary, trigger or session says this.'),
  limit: z.number().int().min(1).max(10_000).default(20).describe('How many, newest first.'),
  full: z.boolean().default(false).describe('With the whole id, trigger, session and what changed in each.'),
});

export type LogInput = z.input<typeof input>;

export interface LogFile {
  readonly path: string;
  readonly status: FileStatus;
  /** The former path, for a rename. */
  readonly from: string | null;
}

export interface LogEntry {
  readonly time: string;
  /** null for a person's own commit. */
  readonly action: Action | null;
  readonly summary: string;
  readonly actor: string;
  /** The author according to git: a person's name in their own commits. */
  readonly author: string;
  /** One as a rule, several in a batched commit, none in a person's own. */
  readonly mutations: readonly string[];
  readonly approval: string | null;
  readonly trigger: string | null;
  readonly session: string | null;
  readonly files: readonly LogFile[];
  readonly commit: string;
  /** Made by somebody's own `git commit`. */
  readonly isOwnCommit: boolean;
  /** Only with `full`. */
  readonly diff: string | null;
}

export interface Log {
  readonly entries: readonly LogEntry[];
  readonly hasMore: boolean;
  /** Why something acknowledged is missing here; empty as a rule. */
  readonly postponed: readonly string[];
}

export const log = defineVerb({
  name: 'log',
  summary: 'Show what changed in the memory, when and by whom.',
  description:
    'Show what changed in the memory, or in one file or folder, newest first. The second column is the mutation: ' +
    '`mneme rollback` takes it, as a whole or its last 8 characters.',
  examples: [
    'mneme history log',
    'mneme history log memory/entities --since yesterday',
    'mneme history log --actor bot: --full',
  ],
  input,
  args: ['path'],
  effect: 'read',
  reach: 'filtered',
  async run(context, given): Promise<Log> {
    const { git, postponed } = await openHistory(context);
    const path = given.path === undefined ? undefined : toHistoryPath(context, given.path);
    const found = await logEntries(git, {
      path,
      actor: given.actor,
      action: given.action,
      text: given.text,
      // A day begins in the millisecond after the one that ends the day before.
      sinceMs: given.since === undefined ? undefined : getMoment(context, given.since, 'start') + 1,
      untilMs: given.until === undefined ? undefined : getMoment(context, given.until, 'end'),
      limit: given.limit + 1,
      // Before they are counted: how many are hidden would show in how many are left.
      accepts: (entry) => whatIsSeen(context, entry) !== undefined,
    });
    if (found.length === 0 && path !== undefined) await assertInHistory(context, git, path);
    const entries: LogEntry[] = [];
    for (const entry of found.slice(0, given.limit)) {
      const seen = whatIsSeen(context, entry);
      if (seen === undefined) continue;
      const paths = seen === entry ? [path ?? []].flat() : seen.changes.map((change) => `${change.path}`);
      entries.push(describeEntry(seen, given.full ? await readDiff(context, git, entry, paths) : null));
    }
    return { entries, hasMore: found.length > given.limit, postponed };
  },
  library: { args: [] },
  cli: {
    path: 'history log',
    isDefault: true,
    formerly: ['log'],
    options: {
      actor: { value: 'actor' },
      action: { value: 'action' },
      since: { value: 'when' },
      until: { value: 'when' },
      text: { value: 'words' },
    },
    notes: ({ postponed }) => postponed.map((reason) => `The last changes are not in the history yet: ${reason}.`),
  },
  render: async (view, output, { full }) => (await import('./render-history.ts')).renderLog(view, output, full),
});

/** Nothing that matches is an answer; a name that never was is a slip. */
async function assertInHistory(context: OperationContext, git: Git, path: string): Promise<void> {
  const accepts = (entry: HistoryEntry): boolean => whatIsSeen(context, entry) !== undefined;
  if ((await logEntries(git, { path, limit: 1, accepts })).length > 0) return;
  throw new MnemeError('not-found', `The history knows no file or folder ${path}.`, {
    hint: 'Paths are relative to the workspace, such as MEMORY.md; `mneme history log` shows what changed everywhere.',
  });
}

/** The entry as far as whoever asks may see its files; undefined when it is of none of them. */
function whatIsSeen(context: OperationContext, entry: HistoryEntry): HistoryEntry | undefined {
  if (visibleTo(context).seesHome) return entry;
  const changes = entry.changes.filter(({ path, from }) => [path, from ?? path].every((one) => seesFile(context, one)));
  return changes.length === 0 ? undefined : { ...entry, changes };
}

async function readDiff(
  context: OperationContext,
  git: Git,
  { commit, parents }: HistoryEntry,
  paths: readonly string[],
): Promise<string> {
  const range = [parents[0] ?? EMPTY_TREE, commit] as const;
  const diff = await diffBetween(git, ...range, [...paths]);
  return visibleTo(context).seesHome ? diff.text : (await withoutForeignLines(context, git, range, diff)).text;
}

function describeEntry(entry: HistoryEntry, diff: string | null): LogEntry {
  return {
    time: isoTime(entry.timeMs),
    action: entry.action ?? null,
    summary: entry.summary,
    actor: entry.actor,
    author: entry.author,
    mutations: entry.mutations,
    approval: entry.approval ?? null,
    trigger: entry.trigger ?? null,
    session: entry.session ?? null,
    files: entry.changes.map(({ path, status, from }) => ({ path, status, from: from ?? null })),
    commit: entry.commit,
    isOwnCommit: entry.isExternal,
    diff,
  };
}
