import { type View, showTime, table } from '../command-line/style.ts';
import type { DroppedExploration, ExplorationInfo, MergedExploration, PrunedExplorations } from './explore.ts';
import { conflictLines } from './render-conflicts.ts';
import { counted } from '../../model/text.ts';

export function renderStarted({ style }: View, { name, from }: ExplorationInfo): string {
  return [
    `${style.green('Exploring')} ${style.bold(name)}: everything written from now on stays apart from ${from}.`,
    style.dim(`keep it: mneme history explore merge · forget it: mneme history explore drop`),
    '',
  ].join('\n');
}

export function renderExplorations({ style, timeZone }: View, explorations: readonly ExplorationInfo[]): string {
  if (explorations.length === 0) return 'No exploration is under way. `mneme history explore start NAME` begins one.\n';
  return table(
    explorations.map(({ name, from, started, isCurrent, commits, files }) => [
      isCurrent ? style.green('*') : ' ',
      style.bold(name),
      `since ${showTime(Date.parse(started), timeZone)}`,
      `${counted(commits, 'change')} in ${counted(files.length, 'file')}`,
      style.dim(`from ${from}`),
    ]),
  );
}

export function renderMerged({ style }: View, merged: MergedExploration): string {
  const { name, into, mutation, files, conflicts, warnings, kept } = merged;
  if (mutation === null)
    return `${style.bold(name)} had nothing that ${into} did not have; you are on ${into} again.\n`;
  return [
    `${style.green('Merged')} ${style.bold(name)} into ${into}: ${counted(files.length, 'file')}`,
    ...files.map((file) => `  ${file}`),
    ...conflictLines(style, conflicts),
    ...warnings.map((warning) => `${style.yellow('note')} ${warning}`),
    style.dim(`undo: mneme rollback ${mutation} · its own history: git log ${kept}`),
    '',
  ].join('\n');
}

export function renderDropped({ style }: View, { name, backTo, kept }: DroppedExploration): string {
  return [
    `${style.green('Dropped')} ${style.bold(name)}; you are on ${backTo} again.`,
    style.dim(`nothing is lost: git log ${kept}`),
    '',
  ].join('\n');
}

export function renderPruned({ style }: View, { dropped, inUse, maxAgeDays }: PrunedExplorations): string {
  const lines = [
    dropped.length === 0
      ? `No exploration is older than ${counted(maxAgeDays, 'day')}${inUse.length === 0 ? '' : ', but for those in use'}.`
      : `${style.green('Dropped')} ${dropped.join(', ')}; their commits are kept.`,
    ...inUse.map((name) => style.dim(`${name} is old too, but in use: merge or drop it yourself.`)),
  ];
  return `${lines.join('\n')}\n`;
}
