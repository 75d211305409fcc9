import { localTime } from '../../model/time.ts';
import { shortMutationId } from '../../workspace/git/revisions.ts';
import type { Blame, BlamedLine } from './blame.ts';
import type { DiffSide, MemoryDiff } from './diff.ts';
import type { Log, LogEntry } from './log.ts';
import type { Tag, Tagged } from './tag.ts';
import type { Appearance, Learned } from './when.ts';
import { type View, paintDiff, showTime, table } from '../command-line/style.ts';
import { counted } from '../../model/text.ts';

const HASH_LENGTH = 10;

export function renderLog(view: View, { entries, hasMore }: Log, isFull: boolean): string {
  const { style } = view;
  if (entries.length === 0) return 'The history has nothing that matches.\n';
  const parts: string[] = [];
  let day = '';
  let rows: string[][] = [];
  const flush = (): void => {
    if (rows.length > 0) parts.push(table(rows, '  '));
    rows = [];
  };
  for (const entry of entries) {
    const { date, time } = localTime(Date.parse(entry.time), view.timeZone);
    if (date !== day) {
      flush();
      parts.push(`${day === '' ? '' : '\n'}${style.bold(date)}\n`);
      day = date;
    }
    rows.push([time, style.yellow(referenceOf(entry)), actionOf(entry), style.cyan(whoOf(entry)), subjectOf(entry)]);
    if (!isFull) continue;
    flush();
    parts.push(detailsOf(view, entry));
  }
  flush();
  const more = hasMore ? style.dim(`\nOlder changes are left out; --limit ${entries.length * 2} shows more.\n`) : '';
  return `${cutLines(parts.join(''), isFull ? undefined : view.columns)}${more}`;
}

/** The reference to pass to `mneme rollback`: the mutation, or for a person's own commit its hash. */
function referenceOf({ mutations, commit }: LogEntry): string {
  const [first] = mutations;
  return first === undefined ? commit.slice(0, HASH_LENGTH) : shortMutationId(first);
}

function actionOf(entry: LogEntry): string {
  return entry.action ?? (entry.isOwnCommit ? 'commit' : '');
}

function whoOf({ isOwnCommit, author, actor }: LogEntry): string {
  return isOwnCommit ? author : actor;
}

function subjectOf({ files, summary, mutations }: LogEntry): string {
  const [first, ...others] = files;
  const more = others.length === 0 ? '' : ` (+${others.length} more)`;
  const batch = mutations.length > 1 ? ` [${mutations.length} mutations]` : '';
  return `${first === undefined ? '' : `${first.path}${more} — `}${summary}${batch}`;
}

function detailsOf({ style }: View, entry: LogEntry): string {
  const facts: [string, string | null][] = [
    ['mutation', entry.mutations.length === 0 ? null : entry.mutations.join(', ')],
    ['commit', entry.commit],
    ['approval', entry.approval],
    ['trigger', entry.trigger],
    ['session', entry.session],
  ];
  const rows = facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [[style.dim(name), value]]));
  const diff = entry.diff === null || entry.diff === '' ? '' : `${paintDiff(style, entry.diff)}\n`;
  return `${table(rows, '         ')}\n${diff}${diff === '' ? '' : '\n'}`;
}

export function renderBlame({ style, timeZone, columns }: View, { lines }: Blame): string {
  if (lines.length === 0) return 'The file is empty.\n';
  let last: string | undefined;
  const rows = lines.map((line) => {
    const source = line.commit ?? 'none';
    const isNew = source !== last;
    last = source;
    // Repeated for every line, who and when would hide where one hand ends and the next begins.
    const origin = isNew ? originOf(line, timeZone) : ['', '', ''];
    return [
      style.dim(origin[0] ?? ''),
      style.yellow(origin[1] ?? ''),
      style.cyan(origin[2] ?? ''),
      style.dim(String(line.line).padStart(String(lines.at(-1)?.line ?? 0).length)),
      line.text,
    ];
  });
  return cutLines(table(rows), columns);
}

function originOf({ time, mutation, commit, actor, author }: BlamedLine, timeZone: string): string[] {
  if (time === null) return ['not in the history', '', ''];
  const when = showTime(Date.parse(time), timeZone);
  if (mutation !== null) return [when, shortMutationId(mutation), actor ?? ''];
  return [when, (commit ?? '').slice(0, HASH_LENGTH), (actor === 'external' ? author : actor) ?? ''];
}

/** More than this is shown as a number: the answer is when, not how often. */
const MAX_SHOWN = 10;

export function renderWhen(view: View, { text, first, later, now, searched }: Learned): string {
  const { style } = view;
  const lines = [
    `${style.green('Learnt')} ${style.bold(showTime(Date.parse(first.time), view.timeZone))} by ${style.cyan(first.actor)} in ${first.path}`,
    `       ${first.summary}`,
    ...provenanceOf(first).map((fact) => style.dim(`       ${fact}`)),
  ];
  if (later.length > 0) {
    const skipped = Math.max(0, later.length - MAX_SHOWN);
    lines.push('', style.bold('Since then'));
    if (skipped > 0) lines.push(style.dim(`  ${counted(skipped, 'earlier change')} left out; --json has all of them`));
    const rows = later.slice(skipped).map((change) => laterRow(view, change));
    lines.push(table(rows, '  ').trimEnd());
  }
  lines.push('', style.bold('Now'));
  if (now.length === 0) lines.push(`  "${text}" is nowhere in the memory any more.`);
  for (const { path, line, text: content } of now.slice(0, MAX_SHOWN)) {
    lines.push(`  ${path}:${line}  ${style.dim(content)}`);
  }
  if (now.length > MAX_SHOWN) lines.push(style.dim(`  and ${now.length - MAX_SHOWN} more lines`));
  if (searched === 'lineage') {
    lines.push(
      '',
      style.dim('The history is long: only where the text came from was followed. --all looks at every commit.'),
    );
  }
  return cutLines(`${lines.join('\n')}\n`, view.columns);
}

function provenanceOf({ session, trigger, mutation, commit }: Appearance): string[] {
  const facts = [
    session === null ? '' : `session ${session}`,
    trigger === null ? '' : `because of: ${trigger}`,
    mutation === null ? `commit ${commit.slice(0, HASH_LENGTH)}` : `mutation ${mutation}`,
  ].filter((fact) => fact !== '');
  return [facts.join(' · ')];
}

function laterRow({ style, timeZone }: View, change: Appearance): string[] {
  const { mutation, commit } = change;
  return [
    showTime(Date.parse(change.time), timeZone),
    style.yellow(mutation === null ? commit.slice(0, HASH_LENGTH) : shortMutationId(mutation)),
    style.cyan(change.actor),
    countWords(change),
    `${change.path} — ${change.summary}`,
  ];
}

function countWords({ before, after }: Appearance): string {
  if (before === 0) return 'appeared in';
  if (after === 0) return 'gone from';
  return after > before ? `${after - before} more in` : `${before - after} fewer in`;
}

export function renderDiff(view: View, diff: MemoryDiff, isStat: boolean): string {
  const { style } = view;
  const span = `from ${sideOf(view, diff.from)} to ${sideOf(view, diff.to)}`;
  if (diff.files.length === 0) return `Nothing changed ${span}.\n`;
  const counts = `${style.green(`+${diff.addedLines}`)} ${style.red(`−${diff.removedLines}`)} lines`;
  const head = `${counted(diff.files.length, 'file')}, ${counts}, in ${diff.stores.join(', ')}\n${style.dim(span)}\n\n`;
  const rows = diff.files.map(({ path, from, addedLines, removedLines }) => [
    addedLines === null ? 'binary' : style.green(`+${addedLines}`),
    removedLines === null ? '' : style.red(`−${removedLines}`),
    from === null ? path : `${from} → ${path}`,
  ]);
  const stat = head + table(rows, '  ');
  return isStat ? stat : `${stat}\n${paintDiff(style, diff.diff)}\n`;
}

function sideOf({ timeZone }: View, { asked, how, commit, time }: DiffSide): string {
  if (asked === 'now') return 'now';
  if (commit === null || time === null) return `${asked} (before the history begins)`;
  return how === 'time' ? asked : `${asked} (${showTime(Date.parse(time), timeZone)})`;
}

export function renderTags({ style, timeZone }: View, tags: readonly Tag[]): string {
  if (tags.length === 0) {
    return 'There are no tags yet. `mneme history tag before/NAME` names the present state, `mneme history tag --daily` that of today.\n';
  }
  return table(
    tags.map(({ name, time, message }) => [style.bold(name), showTime(Date.parse(time), timeZone), style.dim(message)]),
  );
}

export function renderTagged({ style }: View, { name, isNew, reason }: Tagged): string {
  if (isNew)
    return `${style.green('Tagged')} ${style.bold(name)}\n${style.dim(`back to it: mneme rollback --to ${name}`)}\n`;
  if (reason === 'unchanged') return `Nothing changed since the last tag of its kind; ${name} was not made.\n`;
  return `${name} is there already.\n`;
}

/** Cuts what would wrap on a terminal; colours take no room. */
function cutLines(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return text
    .split('\n')
    .map((line) => cutLine(line, columns))
    .join('\n');
}

function cutLine(line: string, columns: number): string {
  // oxlint-disable-next-line no-control-regex -- the escape character is what colours start with
  const pieces = line.split(/(\u001B\[\d+m)/g);
  let room = columns;
  const kept = pieces.map((piece, index) => {
    if (index % 2 === 1) return piece;
    const part = piece.length <= room ? piece : `${piece.slice(0, Math.max(room - 1, 0))}${room > 0 ? '…' : ''}`;
    room = Math.max(0, room - piece.length);
    return part;
  });
  return kept.join('');
}
