import type { Command } from 'commander';
import { MnemeError } from '../../../model/errors.ts';
import { blame } from '../../../operations/history/blame.ts';
import { diff } from '../../../operations/history/diff.ts';
import { log } from '../../../operations/history/log.ts';
import { createMemoryTag, deleteMemoryTag, listMemoryTags } from '../../../operations/history/tag.ts';
import { when } from '../../../operations/history/when.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { addExploreCommand } from './explore.ts';
import { renderBlame, renderDiff, renderLog, renderTagged, renderTags, renderWhen } from './history-view.ts';
import { numberOf, show } from './show.ts';
import { addSyncCommand } from './sync.ts';

export function addHistoryCommands(program: Command, cli: Cli): void {
  addLog(program, cli);
  addBlame(program, cli);
  addWhen(program, cli);
  addDiff(program, cli);
  addTag(program, cli);
  addExploreCommand(program, cli);
  addSyncCommand(program, cli);
}

interface LogOptions extends GlobalOptions {
  readonly actor?: string;
  readonly action?: string;
  readonly since?: string;
  readonly until?: string;
  readonly text?: string;
  readonly limit?: string;
  readonly full?: boolean;
}

function addLog(program: Command, cli: Cli): void {
  program
    .command('log [path]')
    .summary(log.summary)
    .description('What changed in the memory, or in one file or folder, newest first.')
    .option('--actor <actor>', 'only by this actor; bot: takes every bot')
    .option('--action <action>', 'only CREATE, EDIT, APPEND, DELETE, MERGE, REVERT …')
    .option('--since <when>', 'a day, a time, `yesterday`, `3 days ago`')
    .option('--until <when>', 'the same; a day counts to its end')
    .option('--text <words>', 'only where summary, trigger or session says this')
    .option('--limit <number>', 'how many (default 20)')
    .option('--full', 'with the whole id, trigger, session and what changed')
    .addHelpText(
      'after',
      '\nThe second column is the mutation: `mneme rollback` takes it, as a whole or its last 8 characters.',
    )
    .action(async (path: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<LogOptions>();
      const { actor, action, since, until, text, full = false } = options;
      const limit = numberOf('--limit', options.limit);
      const input = { path, actor, action, since, until, text, limit, full };
      const result = await show(cli, options, log, input, (view, shown) => renderLog(view, shown, full));
      for (const reason of result.postponed) cli.warn(`The last changes are not in the history yet: ${reason}.`);
    });
}

function addBlame(program: Command, cli: Cli): void {
  program
    .command('blame <path>')
    .summary(blame.summary)
    .description('Who wrote each line of a file, when, and by which mutation.')
    .option('--lines <range>', 'such as 12, 10-20 or 10-')
    .option('--at <when>', 'as it was: a date, a tag, a mutation id, `yesterday`')
    .action(async (path: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { lines?: string; at?: string }>();
      await show(cli, options, blame, { path, lines: options.lines, at: options.at }, renderBlame);
    });
}

function addWhen(program: Command, cli: Cli): void {
  program
    .command('when <text...>')
    .summary(when.summary)
    .description('When a text first appeared, who wrote it, where it is now, and what happened to it in between.')
    .option('--path <path>', 'only in this file or folder')
    .option('--match-case', 'tell upper from lower case')
    .option('--all', 'look at every commit, however long the history')
    .action(async (words: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { path?: string; matchCase?: boolean; all?: boolean }>();
      const { path, matchCase, all } = options;
      await show(cli, options, when, { text: words.join(' '), path, matchCase, all }, renderWhen);
    });
}

function addDiff(program: Command, cli: Cli): void {
  program
    .command('diff [from] [to] [paths...]')
    .usage('[options] [from] [to] [-- paths...]')
    .summary(diff.summary)
    .description(
      'What changed between two points in time: today, unless told otherwise. A point is a day, a time, `yesterday`, ' +
        '`3 days ago`, a tag, a mutation id or a commit; days count whole, from the first to the last.',
    )
    .option('--stat', 'only which files and how much')
    .action(async (_from, _to, _paths, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { stat?: boolean }>();
      const { operands, paths } = splitAtDashes(command);
      const [from, to, ...more] = operands;
      const input = { from, to, paths: [...more, ...paths] };
      await show(cli, options, diff, input, (view, shown) => renderDiff(view, shown, options.stat === true));
    });
}

/** Commander forgets where `--` stood; what came behind it is known from the words as they were typed. */
function splitAtDashes(command: Command): { operands: string[]; paths: string[] } {
  let root = command;
  while (root.parent !== null) root = root.parent;
  const { rawArgs } = root as Command & { readonly rawArgs: readonly string[] };
  const dashes = rawArgs.indexOf('--');
  const count = dashes === -1 ? 0 : rawArgs.length - dashes - 1;
  const split = command.args.length - count;
  return { operands: command.args.slice(0, split), paths: command.args.slice(split) };
}

interface TagOptions extends GlobalOptions {
  readonly daily?: boolean;
  readonly weekly?: boolean;
  readonly delete?: boolean;
  readonly message?: string;
  readonly at?: string;
}

function addTag(program: Command, cli: Cli): void {
  program
    .command('tag [name]')
    .summary(createMemoryTag.summary)
    .description('List the tags, or name the present state: before/NAME, milestone/NAME, extract/VERSION.')
    .option('--daily', 'the tag of today; none when nothing changed since the last')
    .option('--weekly', 'the tag of this week')
    .option('-m, --message <words>', 'why it deserves a name')
    .option('--at <when>', 'name a state of the past')
    .option('--delete', 'take the name away again')
    .action(async (name: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<TagOptions>();
      const { daily, weekly, message, at } = options;
      if (options.delete === true) {
        await deleteTag(cli, options, name);
        return;
      }
      const isListing = name === undefined && daily !== true && weekly !== true;
      if (isListing) return void (await show(cli, options, listMemoryTags, {}, renderTags));
      if (daily === true && weekly === true) throw new MnemeError('usage', '--daily and --weekly exclude each other.');
      const snapshot = daily === true ? 'daily' : weekly === true ? 'weekly' : undefined;
      await show(cli, options, createMemoryTag, { name, snapshot, message, at }, renderTagged);
    });
}

async function deleteTag(cli: Cli, options: TagOptions, name: string | undefined): Promise<void> {
  if (name === undefined) throw new MnemeError('usage', 'Which tag?', { hint: '`mneme tag` lists them.' });
  await show(cli, options, deleteMemoryTag, { name }, (_view, tag) => `Removed the tag ${tag.name}.\n`);
}
