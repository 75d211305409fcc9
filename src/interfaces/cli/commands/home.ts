import path from 'node:path';
import type { Command } from 'commander';
import { adoptFolder, type Adopted, type AdoptedLayout } from '../../../operations/home/adopt.ts';
import { initHome, type Initialized } from '../../../operations/home/init.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { selfCommand } from '../self-command.ts';
import { plural } from '../../../operations/command-line/style.ts';

export function addHomeCommands(program: Command, cli: Cli): void {
  program
    .command('init')
    .summary('Make a memory home.')
    .description('Make a memory home: mneme.yaml and MEMORY.md, nothing else. Running it again changes nothing.')
    .option('--full', 'identity files, AGENTS.md, ontology and examples too')
    .option('--time-zone <zone>', 'where your days begin and end (default: this machine’s)')
    .option('-y, --yes', 'say nothing')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { full?: boolean; timeZone?: string; yes?: boolean }>();
      const result = await initHome({
        home: path.resolve(cli.home(options)),
        timeZone: options.timeZone ?? cli.environment.timeZone,
        isFull: options.full === true,
        command: selfCommand(),
      });
      if (options.yes !== true || options.json === true) cli.print(options, result, (shown) => renderInit(cli, shown));
    });
  program
    .command('adopt <dir>')
    .summary('Take a folder of Markdown as it is.')
    .description(
      'Make a home whose workspace is an existing folder (an OpenClaw workspace, an Obsidian vault, any notes). No byte in it is changed; the history is kept in the home.',
    )
    .option('--layout <name>', 'mneme, openclaw or vault (default: guessed)')
    .option('--time-zone <zone>', 'where your days begin and end (default: this machine’s)')
    .action(async (folder: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { layout?: AdoptedLayout; timeZone?: string }>();
      const result = await adoptFolder({
        home: path.resolve(cli.home(options)),
        folder,
        timeZone: options.timeZone ?? cli.environment.timeZone,
        layout: options.layout,
      });
      cli.print(options, result, (shown) => renderAdopted(cli, shown));
    });
}

const CREATED_MEANING: Readonly<Record<string, string>> = {
  'mneme.yaml': 'settings',
  'workspace/MEMORY.md': 'core memory: what your agent always knows',
};

function renderInit(cli: Cli, result: Initialized): string {
  const { style } = cli;
  if (result.created.length === 0) {
    const notes = result.notes.map((note) => `${style.yellow('note')} ${note}\n`).join('');
    return `${result.home} is a memory home already; ${notes === '' ? 'nothing to do' : 'its files stay as they are'}.\n${notes}`;
  }
  const width = Math.max(...result.created.map((file) => file.length));
  const files = result.created.map((file) =>
    `  ${file.padEnd(width)}  ${style.dim(CREATED_MEANING[file] ?? '')}`.trimEnd(),
  );
  return [
    `${style.green(result.isNew ? 'Made a memory home' : 'Completed the memory home')} in ${style.bold(result.home)} (days in ${result.timeZone})`,
    '',
    ...files,
    ...result.notes.map((note) => `\n${style.yellow('note')} ${note}`),
    '',
    'Next:',
    '  mneme remember "I prefer tabs over spaces"',
    '  mneme log',
    '',
  ].join('\n');
}

function renderAdopted(cli: Cli, result: Adopted): string {
  const { style } = cli;
  const around = result.enclosingRepository;
  return [
    `${style.green('Adopted')} ${style.bold(result.folder)}: ${plural(result.files, 'file')}, read as ${result.layout}. Nothing in it was changed.`,
    `  home     ${result.home}`,
    `  history  ${result.gitDir}`,
    ...(around === null ? [] : [`  Your own git repository (${around}) is left alone.`]),
    ...result.heldBack.map((line) => `${style.yellow('note')} ${line}`),
    '',
  ].join('\n');
}
