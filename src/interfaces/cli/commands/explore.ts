import type { Command } from 'commander';
import {
  dropExploration,
  exploreList,
  mergeExploration,
  pruneExplorations,
  startExploration,
  type DroppedExploration,
  type ExplorationInfo,
  type MergedExploration,
  type PrunedExplorations,
} from '../../../operations/history/explore.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { plural, showTime, table } from '../../../operations/command-line/style.ts';
import { conflictLines } from './conflict-view.ts';
import type { View } from '../../../operations/command-line/view.ts';
import { numberOf, show } from './show.ts';

export function addExploreCommand(program: Command, cli: Cli): void {
  const explore = program
    .command('explore')
    .summary('Try something out on a branch; keep it or forget it.')
    .description('What-if branches of the memory: while one is under way, everything that is written goes there.');
  explore
    .command('start <name>')
    .description('Begin: from now on everything written goes to the exploration.')
    .action(async (name: string, _options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), startExploration, { name }, renderStarted);
    });
  explore
    .command('list', { isDefault: true })
    .description('The explorations there are; `*` marks the one under way.')
    .action(async (_options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), exploreList, {}, renderExplorations);
    });
  explore
    .command('merge [name]')
    .description('Keep what it found: merged by block into where it began.')
    .action(async (name: string | undefined, _options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), mergeExploration, { name }, renderMerged);
    });
  explore
    .command('drop [name]')
    .description('Forget it: the memory is as it was before.')
    .action(async (name: string | undefined, _options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), dropExploration, { name }, renderDropped);
    });
  explore
    .command('prune')
    .description('Drop the explorations nobody came back to.')
    .option('--days <number>', 'how old they may be (default: 7)')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { days?: string }>();
      await show(cli, options, pruneExplorations, { days: numberOf('--days', options.days) }, renderPruned);
    });
}

function renderStarted({ style }: View, { name, from }: ExplorationInfo): string {
  return [
    `${style.green('Exploring')} ${style.bold(name)}: everything written from now on stays apart from ${from}.`,
    style.dim(`keep it: mneme explore merge · forget it: mneme explore drop`),
    '',
  ].join('\n');
}

function renderExplorations({ style, timeZone }: View, explorations: readonly ExplorationInfo[]): string {
  if (explorations.length === 0) return 'No exploration is under way. `mneme explore start NAME` begins one.\n';
  return table(
    explorations.map(({ name, from, started, isCurrent, commits, files }) => [
      isCurrent ? style.green('*') : ' ',
      style.bold(name),
      `since ${showTime(Date.parse(started), timeZone)}`,
      `${plural(commits, 'change')} in ${plural(files.length, 'file')}`,
      style.dim(`from ${from}`),
    ]),
  );
}

function renderMerged({ style }: View, merged: MergedExploration): string {
  const { name, into, mutation, files, conflicts, warnings, kept } = merged;
  if (mutation === null)
    return `${style.bold(name)} had nothing that ${into} did not have; you are on ${into} again.\n`;
  return [
    `${style.green('Merged')} ${style.bold(name)} into ${into}: ${plural(files.length, 'file')}`,
    ...files.map((file) => `  ${file}`),
    ...conflictLines(style, conflicts),
    ...warnings.map((warning) => `${style.yellow('note')} ${warning}`),
    style.dim(`undo: mneme rollback ${mutation} · its own history: git log ${kept}`),
    '',
  ].join('\n');
}

function renderDropped({ style }: View, { name, backTo, kept }: DroppedExploration): string {
  return [
    `${style.green('Dropped')} ${style.bold(name)}; you are on ${backTo} again.`,
    style.dim(`nothing is lost: git log ${kept}`),
    '',
  ].join('\n');
}

function renderPruned({ style }: View, { dropped, inUse, maxAgeDays }: PrunedExplorations): string {
  const lines = [
    dropped.length === 0
      ? `No exploration is older than ${plural(maxAgeDays, 'day')}${inUse.length === 0 ? '' : ', but for those in use'}.`
      : `${style.green('Dropped')} ${dropped.join(', ')}; their commits are kept.`,
    ...inUse.map((name) => style.dim(`${name} is old too, but in use: merge or drop it yourself.`)),
  ];
  return `${lines.join('\n')}\n`;
}
