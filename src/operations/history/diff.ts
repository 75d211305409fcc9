import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import type { Store } from '../../model/provenance.ts';
import { storeOfPath } from '../../workspace/formats/layout.ts';
import { diffBetween } from '../../workspace/git/diff.ts';
import type { Git } from '../../workspace/git/git.ts';
import { EMPTY_TREE } from '../../workspace/git/objects.ts';
import {
  type DayEdge,
  type RevisionKind,
  findCommitAt,
  parseMoment,
  resolveRevision,
} from '../../workspace/git/revisions.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { seesFile, visibleTo } from '../visible-to.ts';
import { openHistory, toHistoryPath } from './open-history.ts';
import { withoutForeignLines } from './visible-diff.ts';
import { isoTime } from '../../model/time.ts';

const input = z.object({
  from: z
    .string()
    .trim()
    .min(1)
    .default('today')
    .describe('Where to begin: a day (from its beginning on), a time, a tag, a mutation id, a commit.'),
  to: z.string().trim().min(1).default('now').describe('Where to end: the same; a day counts to its end.'),
  paths: z.array(z.string().min(1)).default([]).describe('Only these files and folders.'),
  stat: z.boolean().default(false).describe('Only which files and how much; `diff` is empty then.'),
});

export interface DiffSide {
  /** As it was asked for. */
  readonly asked: string;
  readonly how: RevisionKind;
  /** null before the first commit, when there was nothing. */
  readonly commit: string | null;
  /** When that state came about. */
  readonly time: string | null;
}

export interface ChangedFile {
  readonly path: string;
  /** The former path, for a rename. */
  readonly from: string | null;
  readonly store: Store;
  /** null for a file that is not text. */
  readonly addedLines: number | null;
  readonly removedLines: number | null;
}

export interface MemoryDiff {
  readonly from: DiffSide;
  readonly to: DiffSide;
  readonly files: readonly ChangedFile[];
  readonly addedLines: number;
  readonly removedLines: number;
  readonly stores: readonly Store[];
  /** Unified, as git prints it; empty with `stat`. */
  readonly diff: string;
}

export const diff = defineVerb({
  name: 'diff',
  summary: 'Compare the memory at two points in time.',
  description:
    'Compare the memory at two points in time: today, unless told otherwise. A point is a day, a time, `yesterday`, ' +
    '`3 days ago`, a tag, a mutation id or a commit; days count whole, from the first to the last. Write files behind ' +
    'two dashes.',
  examples: ['mneme history diff yesterday', 'mneme history diff 2026-02-01 2026-02-28 -- MEMORY.md'],
  input,
  args: ['from', 'to', 'paths...'],
  effect: 'read',
  reach: 'filtered',
  async run(context, given): Promise<MemoryDiff> {
    const { git } = await openHistory(context);
    const from = await resolveSide(context, git, given.from, 'start');
    const to = await resolveSide(context, git, given.to, 'end');
    const paths = given.paths.map((one) => toHistoryPath(context, one));
    const { text, files } = await visibleDiff(
      context,
      git,
      [from.commit ?? EMPTY_TREE, to.commit ?? EMPTY_TREE],
      paths,
    );
    const changed = files.map((file): ChangedFile => ({
      path: file.path,
      from: file.from ?? null,
      store: storeOfPath(file.path, context.layout),
      addedLines: file.addedLines ?? null,
      removedLines: file.removedLines ?? null,
    }));
    return {
      from,
      to,
      files: changed,
      addedLines: sum(changed.map((file) => file.addedLines)),
      removedLines: sum(changed.map((file) => file.removedLines)),
      stores: [...new Set(changed.map((file) => file.store))],
      diff: given.stat ? '' : text,
    };
  },
  library: { args: [] },
  cli: { path: 'history diff', formerly: ['diff'], takesDashes: true },
  render: async (view, output, { stat }) => (await import('./render-history.ts')).renderDiff(view, output, stat),
});

/** Only of files that whoever asks may see, and nothing of the others' text. */
async function visibleDiff(
  context: OperationContext,
  git: Git,
  [from, to]: readonly [string, string],
  paths: readonly string[],
): ReturnType<typeof diffBetween> {
  const whole = await diffBetween(git, from, to, [...paths]);
  if (visibleTo(context).seesHome) return whole;
  const seen = whole.files.filter((file) => [file.path, file.from ?? file.path].every((one) => seesFile(context, one)));
  if (seen.length === 0) return { ...whole, text: '', files: [] };
  const named = [...new Set(seen.flatMap((file) => [file.path, file.from ?? file.path]))];
  return withoutForeignLines(context, git, [from, to], await diffBetween(git, from, to, named));
}

/** Days count whole: from the beginning of the first to the end of the last. */
async function resolveSide(context: OperationContext, git: Git, asked: string, edge: DayEdge): Promise<DiffSide> {
  const nowMs = context.clock.now();
  const { time_zone: timeZone } = context.config;
  const momentMs = parseMoment(asked, nowMs, timeZone, edge);
  if (momentMs === undefined) refusePath(context, asked);
  const found =
    momentMs === undefined
      ? await resolveRevision(git, asked, nowMs, timeZone)
      : { how: 'time' as const, commit: momentMs >= nowMs ? 'HEAD' : await findCommitAt(git, momentMs) };
  if (found.commit === undefined) return { asked, how: 'time', commit: null, time: null };
  const [commit = '', seconds = ''] = (await git.text(['log', '-1', '--format=%H %ct', found.commit])).split(' ');
  return { asked, how: found.how, commit, time: isoTime(Number(seconds) * 1000) };
}

/** The likeliest slip: a file where a time is expected. */
function refusePath(context: OperationContext, asked: string): void {
  if (!visibleTo(context).seesHome && !seesFile(context, asked)) return;
  if (!fs.existsSync(path.join(context.workspace.root, asked))) return;
  throw new MnemeError('usage', `${asked} is in the workspace; it is not a point in time.`, {
    hint: `Write files behind two dashes: \`mneme history diff -- ${asked}\`.`,
  });
}

function sum(counts: readonly (number | null)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0);
}
