import type { Command } from 'commander';
import { coreAdd, coreEdit, coreShow } from '../../../operations/stores/core.ts';
import { episodes, episodeShow } from '../../../operations/stores/episodes.ts';
import { pin } from '../../../operations/stores/pin.ts';
import { edit } from '../../../operations/edit.ts';
import { runOperation } from '../../../operations/operation.ts';
import { readWorkspaceText } from '../../../operations/workspace-files.ts';
import { CORE_BLOCKS, type CoreBlockName } from '../../../workspace/formats/core.ts';
import type { EpisodeType } from '../../../model/schemas/time.ts';
import { MnemeError } from '../../../model/errors.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { editByHand } from '../editor.ts';
import { decimalOf, numberOf, show } from './show.ts';
import { renderCore, renderCoreAdded, renderCoreEdited, renderEpisode, renderEpisodes } from './stores-view.ts';

const CORE_FILE = 'MEMORY.md';

export function addStoreCommands(program: Command, cli: Cli): void {
  addCore(program, cli);
  addEpisodes(program, cli);
  addPin(program, cli);
}

function addCore(program: Command, cli: Cli): void {
  const core = program.command('core').description('Core memory: the lines that are always in context.');
  core
    .command('show', { isDefault: true })
    .summary(coreShow.summary)
    .description('Show the four blocks with their ids and how full they are.')
    .action(async (_options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), coreShow, {}, ({ style }, shown) =>
        renderCore(style, shown),
      );
    });
  core
    .command('add <text...>')
    .summary(coreAdd.summary)
    .description('Add a line. For a machine, what matters least makes room and moves to its store; a person is warned.')
    .option('--block <name>', `one of: ${CORE_BLOCKS.map(({ name }) => name).join(', ')} (default: Critical Facts)`)
    .option('--pin', 'it never makes room for another')
    .action(async (words: string[], _options, command: Command) => {
      const {
        block,
        pin: isPinned,
        ...options
      } = command.optsWithGlobals<GlobalOptions & { block?: string; pin?: boolean }>();
      const given = {
        text: words.join(' '),
        pinned: isPinned,
        ...(block === undefined ? {} : { block: blockOf(block) }),
      };
      const result = await cli.withMneme(options, ({ internals }) => runOperation(coreAdd, internals, given), coreAdd);
      cli.print(options, result, renderCoreAdded);
      for (const warning of result.warnings) cli.warn(warning);
    });
  core
    .command('edit [id] [text...]')
    .summary(coreEdit.summary)
    .description('Reword the line with this id; without an id, open MEMORY.md in your editor.')
    .action(async (id: string | undefined, words: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      if (id === undefined) await editCoreByHand(cli, options);
      else if (words.length > 0) await changeLine(cli, options, { id, text: words.join(' ') });
      else {
        throw new MnemeError('usage', 'What should the line say?', {
          hint: `mneme core edit ${id} "the new words"; to take it out: mneme core remove ${id}`,
        });
      }
    });
  core
    .command('remove <id>')
    .summary('Take a line out of core memory')
    .action((id: string, _options, command: Command) =>
      changeLine(cli, command.optsWithGlobals<GlobalOptions>(), { id }),
    );
  core
    .command('pin <id>')
    .summary('Keep a line in core memory; --off lets it go again')
    .option('--off', 'let it go again')
    .action((id: string, _options, command: Command) => pinTarget(cli, id, command));
}

async function changeLine(cli: Cli, options: GlobalOptions, given: { id: string; text?: string }): Promise<void> {
  const result = await cli.withMneme(options, ({ internals }) => runOperation(coreEdit, internals, given), coreEdit);
  cli.print(options, result, renderCoreEdited);
  for (const warning of result.warnings) cli.warn(warning);
}

async function editCoreByHand(cli: Cli, options: GlobalOptions): Promise<void> {
  const result = await cli.withMneme(
    options,
    async ({ internals }) => {
      const base = await readWorkspaceText(internals, CORE_FILE);
      const content = await editByHand(cli, CORE_FILE, base, 'Name a line: mneme core edit ID "the new words".');
      return runOperation(edit, internals, { path: CORE_FILE, content, base, summary: 'core edited' });
    },
    edit,
  );
  cli.print(options, result, ({ mutation }) => (mutation === null ? 'Nothing changed.\n' : `Changed ${CORE_FILE}.\n`));
}

function blockOf(name: string): CoreBlockName {
  const found = CORE_BLOCKS.find((block) => block.name.toLowerCase() === name.trim().toLowerCase());
  if (found !== undefined) return found.name;
  throw new MnemeError('usage', `Core memory has no block "${name}".`, {
    hint: `The blocks are ${CORE_BLOCKS.map((block) => block.name).join(', ')}.`,
  });
}

interface EpisodesOptions extends GlobalOptions {
  readonly since?: string;
  readonly until?: string;
  readonly type?: string;
  readonly tag?: string;
  readonly minImportance?: string;
  readonly limit?: string;
}

function addEpisodes(program: Command, cli: Cli): void {
  const command = program
    .command('episodes')
    .summary(episodes.summary)
    .description('List what happened in the last seven days, or find what a question is about.');
  command
    .command('list [query...]', { isDefault: true })
    .summary('The last days, or what answers a question')
    .option('--since <day>', 'from this day on')
    .option('--until <day>', 'up to this day')
    .option('--type <type>', 'only decisions, errors, …')
    .option('--tag <tag>', 'only with this tag')
    .option('--min-importance <share>', 'at least so important (0 to 1)')
    .option('--limit <number>', 'at most so many')
    .action(async (words: string[], _options, own: Command) => {
      const { since, until, type, tag, minImportance, limit, ...options } = own.optsWithGlobals<EpisodesOptions>();
      const given = {
        ...(words.length === 0 ? {} : { query: words.join(' ') }),
        since,
        until,
        tag,
        ...(type === undefined ? {} : { type: type as EpisodeType }),
        ...(minImportance === undefined ? {} : { minImportance: decimalOf('--min-importance', minImportance) }),
        limit: numberOf('--limit', limit),
      };
      await show(cli, options, episodes, given, ({ style }, list) => renderEpisodes(style, list));
    });
  command
    .command('show <id>')
    .summary(episodeShow.summary)
    .action(async (id: string, _options, own: Command) => {
      await show(cli, own.optsWithGlobals<GlobalOptions>(), episodeShow, { id }, ({ style }, shown) =>
        renderEpisode(style, shown),
      );
    });
}

function addPin(program: Command, cli: Cli): void {
  program
    .command('pin <target>')
    .summary(pin.summary)
    .description('Pin an item by its id, or a whole file by its path: it never fades and is never archived.')
    .option('--off', 'let it go again')
    .action((target: string, _options, command: Command) => pinTarget(cli, target, command));
}

async function pinTarget(cli: Cli, target: string, command: Command): Promise<void> {
  const { off, ...options } = command.optsWithGlobals<GlobalOptions & { off?: boolean }>();
  const result = await cli.withMneme(options, ({ internals }) => runOperation(pin, internals, { target, off }), pin);
  cli.print(options, result, ({ path, pinned, mutation, warnings }) => {
    if (warnings.length > 0) return `${warnings.join('\n')}\n`;
    const state = pinned ? 'pinned' : 'no longer pinned';
    const what = target === path ? path : `${target} in ${path}`;
    return `${what} ${mutation === null ? 'was' : 'is'} ${state}${mutation === null ? ' already' : ''}.\n`;
  });
}
