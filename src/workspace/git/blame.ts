import { MnemeError } from '../../model/errors.ts';
import { gitError, type Git } from './git.ts';
import { withoutAnyFilters } from './settings.ts';
import { readCommits, type HistoryEntry } from './history.ts';

export interface BlameOptions {
  /** The state to look at; the file as it stands on disk unless given. */
  readonly revision?: string | undefined;
  readonly firstLine?: number | undefined;
  readonly lastLine?: number | undefined;
}

/** Where one line of a file came from. The fields about its commit are undefined while it is not committed. */
export interface BlameLine {
  readonly line: number;
  readonly text: string;
  readonly commit: string | undefined;
  /** Of a batched commit the first mutation. */
  readonly mutation: string | undefined;
  readonly actor: string | undefined;
  /** The author according to git: a person's name in their own commits. */
  readonly author: string | undefined;
  readonly timeMs: number | undefined;
  readonly summary: string | undefined;
}

/** The empty list overrides a person's own blame.ignoreRevsFile, without which git fails where that file is missing. */
const BLAME_OPTIONS = ['--porcelain', '--encoding=UTF-8', '--ignore-revs-file='];

export async function blame(git: Git, path: string, options: BlameOptions = {}): Promise<BlameLine[]> {
  const args = ['blame', ...BLAME_OPTIONS, ...lineRange(options), ...revisionArguments(options), '--', path];
  // Without a revision the file itself is compared.
  const settings = options.revision === undefined ? await withoutAnyFilters(git) : [];
  const result = await git.attempt(args, { settings });
  if (result.code !== 0) throw blameError(path, options, gitError(args, result));
  const lines = parsePorcelain(result.stdout.toString('utf8'));
  const commits = [...new Set(lines.map(({ commit }) => commit).filter((commit) => !isUncommitted(commit)))];
  const entries = await readCommits(git, commits);
  return lines.map(({ commit, line, text }) => blameLine(line, text, entries.get(commit)));
}

function lineRange({ firstLine, lastLine }: BlameOptions): string[] {
  if (firstLine === undefined && lastLine === undefined) return [];
  return [`-L${firstLine ?? 1},${lastLine ?? ''}`];
}

function revisionArguments({ revision }: BlameOptions): string[] {
  return revision === undefined ? [] : [revision];
}

function blameError(path: string, { firstLine }: BlameOptions, cause: MnemeError): MnemeError {
  const length = /has only (\d+) lines?/.exec(cause.message)?.[1];
  if (length !== undefined)
    return new MnemeError('not-found', `${path} has only ${length} ${length === '1' ? 'line' : 'lines'}.`, { cause });
  const range = firstLine === undefined ? '' : `, lines from ${firstLine}`;
  return new MnemeError('not-found', `${path}${range} cannot be traced: ${cause.message}`, {
    hint: 'Name a file that git knows, relative to the workspace, and lines that it has.',
    cause,
  });
}

interface PorcelainLine {
  readonly commit: string;
  readonly line: number;
  readonly text: string;
}

/** Each line's header `commit line-then line-now`, some `key value` lines, then a tab and the text itself. */
function parsePorcelain(output: string): PorcelainLine[] {
  const lines: PorcelainLine[] = [];
  let commit = '';
  let line = 0;
  for (const row of output.split('\n')) {
    if (row.startsWith('\t')) {
      lines.push({ commit, line, text: row.slice(1).replace(/\r$/, '') });
      continue;
    }
    const header = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(row);
    if (header === null) continue;
    commit = header[1] ?? '';
    line = Number(header[2]);
  }
  return lines;
}

/** git blames the working file on a commit of zeros. */
function isUncommitted(commit: string): boolean {
  return /^0+$/.test(commit);
}

function blameLine(line: number, text: string, entry: HistoryEntry | undefined): BlameLine {
  return {
    line,
    text,
    commit: entry?.commit,
    mutation: entry?.mutations[0],
    actor: entry?.actor,
    author: entry?.author,
    timeMs: entry?.timeMs,
    summary: entry?.summary,
  };
}
