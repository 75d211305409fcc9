import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { blame as blameFile, type BlameLine, type BlameOptions } from '../../workspace/git/blame.ts';
import type { Git } from '../../workspace/git/git.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { assertSeesFile, foreignLines, visibleTo } from '../visible-to.ts';
import { openHistory, resolvePoint, toHistoryPath } from './open-history.ts';
import { isoTime } from '../../model/time.ts';

const LINE_RANGE = /^(\d+)(-(\d*))?$/u;

const input = z.object({
  path: z.string().min(1).describe('A file, such as MEMORY.md.'),
  lines: z
    .string()
    .regex(LINE_RANGE, 'is a line or a range, such as 12, 10-20 or 10-')
    .optional()
    .describe('Only these lines: 12, 10-20 or 10-.'),
  at: z.string().optional().describe('As it was: a date, a tag, a mutation id, `yesterday`.'),
});

/** Null fields of a line are not known to history: it was kept out of it, or is being written now. */
export interface BlamedLine {
  readonly line: number;
  readonly text: string;
  readonly time: string | null;
  readonly actor: string | null;
  /** The author according to git: a person's name in their own commits. */
  readonly author: string | null;
  readonly mutation: string | null;
  readonly commit: string | null;
  readonly summary: string | null;
}

export interface Blame {
  readonly path: string;
  readonly lines: readonly BlamedLine[];
}

export const blame = defineVerb({
  name: 'blame',
  summary: 'Show who wrote each line of a file, and when.',
  examples: ['mneme history blame MEMORY.md --lines 10-20'],
  input,
  args: ['path'],
  effect: 'read',
  reach: 'filtered',
  async run(context, given): Promise<Blame> {
    const { git } = await openHistory(context);
    const file = toHistoryPath(context, given.path);
    assertSeesFile(context, file);
    const revision = given.at === undefined ? undefined : (await resolvePoint(context, git, given.at)).commit;
    if (revision === undefined) assertFile(context.workspace.root, file);
    const lines = await visibleBlame(context, git, file, { revision, ...parseRange(given.lines) });
    return {
      path: file,
      lines: lines.map(({ line, text, timeMs, actor, author, mutation, commit, summary }) => ({
        line,
        text,
        time: timeMs === undefined ? null : isoTime(timeMs),
        actor: actor ?? null,
        author: author ?? null,
        mutation: mutation ?? null,
        commit: commit ?? null,
        summary: summary ?? null,
      })),
    };
  },
  cli: {
    path: 'history blame',
    formerly: ['blame'],
    options: { lines: { value: 'range' }, at: { value: 'when' } },
  },
  render: async (view, output) => (await import('./render-history.ts')).renderBlame(view, output),
});

/** Without items of other scopes, and counted as if they were not there. */
async function visibleBlame(
  context: OperationContext,
  git: Git,
  file: string,
  options: BlameOptions,
): Promise<readonly BlameLine[]> {
  const visible = visibleTo(context);
  if (visible.seesHome) return blameFile(git, file, options);
  const { revision, firstLine = 1, lastLine = Infinity } = options;
  const whole = await blameFile(git, file, { revision });
  const foreign = foreignLines(visible, whole.map(({ text }) => text).join('\n'));
  return whole
    .filter(({ line }) => !foreign.has(line))
    .map((line, index) => Object.assign(line, { line: index + 1 }))
    .filter(({ line }) => line >= firstLine && line <= lastLine);
}

function assertFile(root: string, file: string): void {
  const stat = fs.statSync(path.join(root, file), { throwIfNoEntry: false });
  if (stat?.isFile() === true) return;
  if (stat?.isDirectory() === true)
    throw new MnemeError('usage', `${file} is a folder.`, { hint: 'Name a file in it.' });
  throw new MnemeError('not-found', `There is no ${file} in the workspace.`, {
    hint: `If it was there once, \`mneme history log ${file}\` says when; \`mneme history blame ${file} --at DATE\` shows it as it was.`,
  });
}

function parseRange(lines: string | undefined): { firstLine?: number; lastLine?: number } {
  const match = LINE_RANGE.exec(lines ?? '');
  if (match === null) return {};
  const [, first = '', range, last = ''] = match;
  const firstLine = Number(first);
  if (firstLine === 0)
    throw new MnemeError('usage', `There is no line 0 (lines ${lines}).`, { hint: 'The first line is 1.' });
  if (range === undefined) return { firstLine, lastLine: firstLine };
  if (last === '') return { firstLine };
  if (Number(last) < firstLine) throw new MnemeError('usage', `lines ${lines}: the first comes after the last.`);
  return { firstLine, lastLine: Number(last) };
}
