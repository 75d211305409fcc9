import type { Diff } from '../../workspace/git/diff.ts';
import type { Git } from '../../workspace/git/git.ts';
import { readFileAt } from '../../workspace/git/objects.ts';
import { decodeText } from '../../workspace/safety/limits.ts';
import { foreignLines, visibleTo, type Requester } from '../visible-to.ts';

/** A file as it was; empty where it was not there, or is no text. */
export async function textAt(git: Git, revision: string, path: string): Promise<string> {
  // Before the first commit there was nothing.
  if ((await git.attempt(['rev-parse', '--verify', '--quiet', revision])).code !== 0) return '';
  const bytes = await readFileAt(git, revision, path);
  const decoded = bytes === undefined ? undefined : decodeText(bytes);
  return decoded?.kind === 'text' ? decoded.text : '';
}

/** A diff as if items of other scopes had never been there: their lines and files that only they changed are gone. */
export async function withoutForeignLines(
  requester: Requester,
  git: Git,
  [from, to]: readonly [string, string],
  { text, files }: Diff,
): Promise<Diff> {
  const visible = visibleTo(requester);
  const parts = text.split(/^(?=diff --git )/mu);
  const shown: string[] = [];
  const kept: Diff['files'][number][] = [];
  for (const [index, file] of files.entries()) {
    const before = foreignLines(visible, await textAt(git, from, file.from ?? file.path));
    const after = foreignLines(visible, await textAt(git, to, file.path));
    const part = parts[index] ?? '';
    if (before.size === 0 && after.size === 0) {
      shown.push(part);
      kept.push(file);
      continue;
    }
    const cut = cutLines(part, before, after);
    if (cut.added + cut.removed === 0) continue;
    shown.push(cut.text);
    kept.push({ ...file, addedLines: cut.added, removedLines: cut.removed });
  }
  return { text: shown.join(''), files: kept };
}

interface Cut {
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/u;

/** Leaves the lines out, and out of the hunks' counts; the hashes in `index` lines would tell whether a guess is right. */
function cutLines(part: string, before: ReadonlySet<number>, after: ReadonlySet<number>): Cut {
  const [head = '', ...hunks] = part.split(/^(?=@@ )/mu);
  const cuts = hunks.map((hunk) => cutHunk(hunk, before, after)).filter(({ added, removed }) => added + removed > 0);
  const sum = (pick: (cut: Cut) => number): number => cuts.reduce((total, cut) => total + pick(cut), 0);
  return {
    text: head.replace(/^index .*\n/mu, '') + cuts.map(({ text }) => text).join(''),
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
  };
}

function cutHunk(hunk: string, before: ReadonlySet<number>, after: ReadonlySet<number>): Cut {
  const [, first = '0', second = '0'] = HUNK.exec(hunk) ?? [];
  let [old, now] = [Number(first), Number(second)];
  const counts = { ' ': 0, '+': 0, '-': 0 };
  const kept: string[] = [];
  for (const line of hunk.split('\n').slice(1)) {
    const sign = line.slice(0, 1);
    if (sign !== ' ' && sign !== '+' && sign !== '-') continue;
    const isForeign = (sign !== '+' && before.has(old)) || (sign !== '-' && after.has(now));
    if (sign !== '+') old += 1;
    if (sign !== '-') now += 1;
    if (isForeign) continue;
    counts[sign] += 1;
    kept.push(line);
  }
  const [oldStart, newStart] = [startWithout(Number(first), before), startWithout(Number(second), after)];
  const head = `@@ -${oldStart},${counts[' '] + counts['-']} +${newStart},${counts[' '] + counts['+']} @@`;
  return { text: `${[head, ...kept].join('\n')}\n`, added: counts['+'], removed: counts['-'] };
}

/** Where a hunk begins when the hidden lines above it are not counted. */
function startWithout(start: number, hidden: ReadonlySet<number>): number {
  return start - [...hidden].filter((line) => line < start).length;
}
