import { MnemeError } from '../../model/errors.ts';
import type { Git } from './git.ts';
import { streamLog, type HistoryEntry } from './history.ts';
import { LITERAL_PATHS, readBlobs } from './objects.ts';

export interface CountChange {
  readonly entry: HistoryEntry;
  readonly path: string;
  /** Occurrences of the text in the file before and after the commit. */
  readonly before: number;
  readonly after: number;
}

/**
 * The range of a search: every commit, or from where the text is now back to where it first came from, which misses
 * a time before it was forgotten altogether and learnt again.
 */
export type SearchDepth = 'everything' | 'lineage';

export interface Learned {
  /** Where the text first appeared. */
  readonly first: CountChange | undefined;
  /** Every commit that changed how often it stands somewhere, oldest first. */
  readonly changes: readonly CountChange[];
  readonly depth: SearchDepth;
}

export interface LearnedOptions {
  readonly path?: string | undefined;
  readonly ignoreCase?: boolean | undefined;
  /** `lineage` turns into `everything` where there is no lineage to follow. */
  readonly depth?: SearchDepth | undefined;
}

/** Past this many files a search of everything is the shorter way. */
const MAX_LINEAGE_FILES = 100;

/** A text that moved from file to file more often than this is not followed further. */
const MAX_LINEAGE_STEPS = 50;

/** When did I learn this? */
export async function whenLearned(git: Git, text: string, options: LearnedOptions = {}): Promise<Learned> {
  if (text === '') throw new MnemeError('usage', 'There is no text to look for.', { hint: 'Name a word or a phrase.' });
  const ignoreCase = options.ignoreCase ?? false;
  const lineage = options.depth === 'lineage' ? await followLineage(git, text, options) : undefined;
  const entries =
    lineage ?? (await searchHistory(git, text, { revision: 'HEAD', ignoreCase, paths: pathsOf(options) }));
  const changes = await countOccurrences(git, entries, text, ignoreCase);
  return { first: changes[0], changes, depth: lineage === undefined ? 'everything' : 'lineage' };
}

function pathsOf({ path }: LearnedOptions): string[] {
  return path === undefined ? [] : [path];
}

/**
 * Only the files that hold the text are searched, which the commit graph's filters make quick; then the files that held
 * it before the first commit found, until there are none. undefined when there is nothing to follow.
 */
async function followLineage(git: Git, text: string, options: LearnedOptions): Promise<HistoryEntry[] | undefined> {
  // git grep looks at single lines.
  if (text.includes('\n')) return undefined;
  const ignoreCase = options.ignoreCase ?? false;
  const found: HistoryEntry[] = [];
  let revision = 'HEAD';
  for (let step = 0; step < MAX_LINEAGE_STEPS; step += 1) {
    const files = (await findOccurrences(git, text, { revision, ignoreCase, paths: pathsOf(options) })).map(
      ({ path }) => path,
    );
    const paths = [...new Set(files)];
    if (paths.length > MAX_LINEAGE_FILES || (step === 0 && paths.length === 0)) return undefined;
    if (paths.length === 0) return found;
    const entries = await searchHistory(git, text, { revision, ignoreCase, paths });
    found.unshift(...entries);
    const [parent] = entries[0]?.parents ?? [];
    if (parent === undefined) return found;
    revision = parent;
  }
  return found;
}

interface Search {
  readonly revision: string;
  readonly ignoreCase: boolean;
  readonly paths: readonly string[];
}

/** Commits that changed how often the text stands somewhere, oldest first. */
async function searchHistory(git: Git, text: string, search: Search): Promise<HistoryEntry[]> {
  const { revision, ignoreCase, paths } = search;
  const options = [`-S${text}`, '--reverse', ...(ignoreCase ? ['--regexp-ignore-case'] : [])];
  const entries: HistoryEntry[] = [];
  for await (const { entry } of streamLog(git, [...options, revision, '--', ...paths])) entries.push(entry);
  return entries;
}

export interface Occurrence {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** The lines that hold a text in one state of the memory. */
export async function findOccurrences(git: Git, text: string, search: Search): Promise<Occurrence[]> {
  const { revision, ignoreCase, paths } = search;
  const args = ['grep', '--fixed-strings', '--line-number', '-z', '-I', ...(ignoreCase ? ['--ignore-case'] : [])];
  const result = await git.attempt([...args, '-e', text, revision, '--', ...paths], LITERAL_PATHS);
  // 1 means that there are none.
  if (result.code > 1) throw new MnemeError('failure', `git grep failed: ${result.stderr.trim()}`);
  const rows = result.stdout
    .toString('utf8')
    .split('\n')
    .filter((row) => row !== '');
  return rows.map((row) => {
    const [file = '', line = '', content = ''] = row.split('\0');
    return { path: file.slice(revision.length + 1), line: Number(line), text: content.trim() };
  });
}

async function countOccurrences(
  git: Git,
  entries: readonly HistoryEntry[],
  text: string,
  ignoreCase: boolean,
): Promise<CountChange[]> {
  const steps = entries.flatMap((entry) => entry.changes.map((change) => ({ entry, change })));
  const contents = await readBlobs(
    git,
    steps.flatMap(({ change: { before, after } }) => [before, after].flatMap((side) => side?.blob ?? [])),
  );
  const normalise = (value: string): string => (ignoreCase ? value.toLowerCase() : value);
  const needle = normalise(text);
  const count = (blob: string | undefined): number =>
    normalise(contents.get(blob ?? '')?.toString('utf8') ?? '').split(needle).length - 1;
  return steps
    .map(({ entry, change: { path, before, after } }) => ({
      entry,
      path,
      before: count(before?.blob),
      after: count(after?.blob),
    }))
    .filter(({ before, after }) => before !== after);
}
