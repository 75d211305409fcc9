import type { Git } from '../workspace/git/git.ts';
import { streamLog } from '../workspace/git/history.ts';
import { commitReference, isCommitReference, linesOfEntry, type HistoryLine } from './history-lines.ts';
import type { AuditLine } from './line.ts';
import type { CriticalTest } from './sensitivity.ts';

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
