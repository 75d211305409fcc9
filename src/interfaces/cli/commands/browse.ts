import type { Command } from 'commander';
import { listFiles, measureText, readFile } from '../../../operations/browse/files.ts';
import { growth } from '../../../operations/browse/growth.ts';
import { saveFile } from '../../../operations/browse/save-file.ts';
import { timeline } from '../../../operations/browse/timeline.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { renderFiles, renderGrowth, renderMeasured, renderSaved, renderTimeline } from './browse-view.ts';
import { numberOf, show } from './show.ts';

interface BrowseOptions extends GlobalOptions {
  readonly at?: string;
  readonly hash?: string;
  readonly summary?: string;
  readonly until?: string;
  readonly days?: string;
}

/** What the dashboard shows of a home, for a terminal. */
export function addBrowseCommands(program: Command, cli: Cli): void {
  const files = program
    .command('files')
    .summary('Whole files of the workspace: list, read, save.')
    .description('Whole files of the workspace, as an editor needs them. `mneme read` also shows single memories.');
  addFileCommands(files, cli);
  program
    .command('timeline')
    .summary(timeline.summary)
    .description(`${timeline.summary} The latest first; --until goes further back.`)
    .option('--until <day>', 'the last day, such as 2026-02-16 (default: today)')
    .option('--days <number>', 'how many days on which something happened (default: 7)')
    .action(async (_options, called: Command) => {
      const options = called.optsWithGlobals<BrowseOptions>();
      const given = { until: options.until, days: numberOf('--days', options.days) };
      await show(cli, options, timeline, given, renderTimeline);
    });
  program
    .command('growth')
    .summary(growth.summary)
    .option('--days <number>', 'how many days of changes (default: 30)')
    .action(async (_options, called: Command) => {
      const options = called.optsWithGlobals<BrowseOptions>();
      await show(cli, options, growth, { days: numberOf('--days', options.days) }, renderGrowth);
    });
}

function addFileCommands(files: Command, cli: Cli): void {
  files
    .command('list [under]', { isDefault: true })
    .summary(listFiles.summary)
    .action(async (under: string | undefined, _options, called: Command) => {
      await show(cli, called.optsWithGlobals<GlobalOptions>(), listFiles, { under }, renderFiles);
    });
  files
    .command('read <path>')
    .summary(readFile.summary)
    .description('A whole file, to the byte. With --json also its hash, which `files save` wants back.')
    .option('--at <when>', 'as it was: a date, a tag, a mutation, `yesterday`')
    .action(async (path: string, _options, called: Command) => {
      const options = called.optsWithGlobals<BrowseOptions>();
      await show(cli, options, readFile, { path, at: options.at }, (_view, { text }) => text);
    });
  files
    .command('save <path>')
    .summary(saveFile.summary)
    .description('Replace a file with what stands at standard input, unless somebody has changed it since it was read.')
    .option('--hash <hash>', 'the hash that `files read --json` gave; without it the file must be new')
    .option('--summary <text>', 'what the change is about')
    .action(async (path: string, _options, called: Command) => {
      const options = called.optsWithGlobals<BrowseOptions>();
      const text = await cli.io.readInput();
      const given = { path, text, baseHash: options.hash ?? null, summary: options.summary };
      const { warnings } = await show(cli, options, saveFile, given, renderSaved);
      for (const warning of warnings) cli.warn(warning);
    });
  files
    .command('preview')
    .summary(measureText.summary)
    .description('How many tokens and lines the text at standard input would take.')
    .action(async (_options, called: Command) => {
      const text = await cli.io.readInput();
      await show(cli, called.optsWithGlobals<GlobalOptions>(), measureText, { text }, renderMeasured);
    });
}
