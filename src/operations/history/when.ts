import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import type { Git } from '../../workspace/git/git.ts';
import {
  findOccurrences,
  whenLearned,
  type CountChange,
  type Occurrence,
  type SearchDepth,
} from '../../workspace/git/learned.ts';
import { defineVerb } from '../verb.ts';
import type { OperationContext } from '../context.ts';
import { foreignLines, hideForeignItems, seesFile, visibleTo } from '../visible-to.ts';
import { openHistory, toHistoryPath } from './open-history.ts';
import { textAt } from './visible-diff.ts';
import { isoTime } from '../../model/time.ts';

/**
 * Up to this many commits every one of them is looked at, which takes about a second where a folder has thousands of
 * files (`npm run bench:history`). Beyond, only the text's own lineage is followed.
 */
const MAX_COMMITS_SEARCHED = 5000;

const input = z.object({
  text: z.string().trim().min(1, 'there is no text to look for').describe('A word or a phrase, as it was written.'),
  path: z.string().min(1).optional().describe('Only in this file or folder.'),
  matchCase: z.boolean().default(false).describe('Tell upper from lower case.'),
  all: z.boolean().default(false).describe('Look at every commit, however many there are.'),
});

export interface Appearance {
  readonly time: string;
  readonly path: string;
  readonly actor: string;
  readonly session: string | null;
  readonly trigger: string | null;
  readonly summary: string;
  readonly mutation: string | null;
  readonly commit: string;
  /** The number of times the text occurred in the file before and after. */
  readonly before: number;
  readonly after: number;
}

export interface Learned {
  readonly text: string;
  readonly first: Appearance;
  /** Every later change of how often it stands somewhere, oldest first. */
  readonly later: readonly Appearance[];
  /** Where it stands now; empty when it has been forgotten. */
  readonly now: readonly Occurrence[];
  /** `lineage`: the history is long, and only where the text came from was followed. */
  readonly searched: SearchDepth;
}

export const when = defineVerb({
  name: 'when',
  summary: 'Find when something was learned, and what became of it.',
  description: 'Find when a text first appeared, who wrote it, where it is now, and what happened to it in between.',
  examples: ['mneme history when "prefers tea"'],
  input,
  args: ['text...'],
  effect: 'read',
  reach: 'filtered',
  async run(context, given): Promise<Learned> {
    const { git } = await openHistory(context);
    const path = given.path === undefined ? undefined : toHistoryPath(context, given.path);
    const ignoreCase = !given.matchCase;
    const depth = given.all || (await countCommits(git)) <= MAX_COMMITS_SEARCHED ? 'everything' : 'lineage';
    const learned = await whenLearned(git, given.text, { path, ignoreCase, depth });
    const changes = await visibleChanges(context, git, given, learned.changes);
    const [first, ...later] = changes.map(describeChange);
    if (first === undefined) throw unknownText(given.text, given.matchCase);
    const paths = path === undefined ? [] : [path];
    const now = await findOccurrences(git, given.text, { revision: 'HEAD', ignoreCase, paths });
    const seen = now.filter((found) => seesFile(context, found.path) && !isForeignLine(context, found));
    return { text: given.text, first, later, now: seen, searched: learned.depth };
  },
  cli: { path: 'history when', formerly: ['when'], options: { path: { value: 'path' } } },
  render: async (view, output) => (await import('./render-history.ts')).renderWhen(view, output),
});

/** Only in files that may be seen, and there only outside of items of other scopes. */
async function visibleChanges(
  context: OperationContext,
  git: Git,
  { text, matchCase }: z.output<typeof input>,
  changes: readonly CountChange[],
): Promise<readonly CountChange[]> {
  const visible = visibleTo(context);
  if (visible.seesHome) return changes;
  const wanted = matchCase ? text : text.toLowerCase();
  const countIn = async (revision: string, path: string): Promise<number> => {
    const shown = hideForeignItems(visible, await textAt(git, revision, path));
    return (matchCase ? shown : shown.toLowerCase()).split(wanted).length - 1;
  };
  const counted: CountChange[] = [];
  for (const change of changes.filter(({ path }) => seesFile(context, path))) {
    const { entry, path } = change;
    const [before, after] = [await countIn(`${entry.commit}^`, path), await countIn(entry.commit, path)];
    if (before !== after) counted.push({ ...change, before, after });
  }
  return counted;
}

function isForeignLine(context: OperationContext, { path, line }: Occurrence): boolean {
  if (visibleTo(context).seesHome) return false;
  const text = context.homeIndex.files.read({ source: 'workspace', path })?.text ?? '';
  return foreignLines(visibleTo(context), text).has(line);
}

async function countCommits(git: Git): Promise<number> {
  return Number(await git.text(['rev-list', '--count', 'HEAD', '--']));
}

function describeChange({ entry, path, before, after }: CountChange): Appearance {
  return {
    time: isoTime(entry.timeMs),
    path,
    actor: entry.isExternal ? entry.author : entry.actor,
    session: entry.session ?? null,
    trigger: entry.trigger ?? null,
    summary: entry.summary,
    mutation: entry.mutations[0] ?? null,
    commit: entry.commit,
    before,
    after,
  };
}

function unknownText(text: string, matchCase: boolean): MnemeError {
  const advice = matchCase ? 'Leave out --match-case, or try' : 'Try';
  return new MnemeError('not-found', `Nothing in the history ever said "${text}".`, {
    hint: `${advice} fewer words: the text is looked for exactly as written. \`mneme history log --text\` searches the summaries.`,
  });
}
