import { Command, CommanderError } from 'commander';
import { readEnvironment, type Environment } from '../../platform/environment.ts';
import { MnemeError } from '../../model/errors.ts';
import { Cli, EXIT_CODES, usageError, type GlobalOptions } from './cli.ts';
import { COMMAND_GROUPS, groupsFor, withCommand } from './command-groups.ts';
import { addCommands, mayMean, operandPlaces, withTodaysName, type CommandEntry } from './derive/command-tree.ts';
import { VERBS } from '../../verb-registry/verbs.generated.ts';
import { PROGRAMS } from './programs.generated.ts';
import { markDashedText, unmarkCommand } from './dashed-text.ts';
import { processIo, type CliIo } from './io.ts';
import { readVersion } from './version.ts';

const EXIT_CODE_HELP = `
Exit codes:
  0 ok   1 failure   2 usage   3 not found   4 conflict   5 refused by policy   6 locked   7 integrity finding
`;

export async function createProgram(
  cli: Cli,
  groups = COMMAND_GROUPS,
  shown = new ShownHelp(cli.io, false),
  /** The call whose commands are needed in full; without it, all are. */
  args?: readonly string[],
): Promise<Command> {
  const program = new Command('mneme')
    .description('Long-term memory for AI agents, in plain Markdown files under git.')
    .version(readVersion(), '-V, --version')
    .option('--home <dir>', 'the memory home (default: MNEME_HOME or ~/.mneme)')
    .option('--json', 'print one JSON value on standard output')
    .option('--as <actor>', 'act as bot:NAME, subagent:NAME … (default: manual, a person)')
    .addHelpText('after', EXIT_CODE_HELP)
    .showSuggestionAfterError()
    .helpCommand(true);
  for (const { load } of groups) (await load())(program, cli);
  await addCommands(program, cli, COMMANDS, (line) => args === undefined || mayMean(args, line));
  program.hook('preAction', (_program, action) => unmarkCommand(action));
  for (const command of allCommands(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => shown.out(text),
      // Commander writes here only the help of a command that lacks its sub-command.
      writeErr: (text) => shown.lacking(command, text),
      // Told once, in our own words, by `fail`.
      outputError: () => undefined,
    });
  }
  return program;
}

/** What commander prints by itself: help and the version. */
class ShownHelp {
  readonly #io: CliIo;
  readonly #isJson: boolean;
  #text = '';
  /** The command that was called without the sub-command it needs. */
  lackingCommand: Command | undefined;

  constructor(io: CliIo, isJson: boolean) {
    this.#io = io;
    this.#isJson = isJson;
  }

  out(text: string): void {
    if (this.#isJson) this.#text += text;
    else this.#io.out(text);
  }

  lacking(command: Command, text: string): void {
    this.lackingCommand = command;
    this.#io.err(text);
  }

  /** With `--json`, what was held back, as the one value on standard output. */
  finish(key: 'help' | 'version'): void {
    if (this.#isJson) this.#io.out(`${JSON.stringify({ [key]: this.#text.trimEnd() })}\n`);
  }
}

/** Every command of a verb or a program. */
export const COMMANDS: readonly CommandEntry[] = [
  ...VERBS.flatMap(({ command, load }) => (command === undefined ? [] : [{ command, load }])),
  ...PROGRAMS,
];

/** Whether the name at the top is one of these. */
function isDerived(name: string): boolean {
  return COMMANDS.some(({ command }) => command.path === name || command.path.startsWith(`${name} `));
}

/** Completion is made of all commands. */
function isAboutAll(args: readonly string[]): boolean {
  return operandPlaces(args).some((at) => args[at] === 'completion');
}

/** Runs the CLI in process and returns its exit code. */
export async function runCli(
  given: readonly string[],
  environment: Environment = readEnvironment(),
  io: CliIo = processIo(environment.wantsColor),
): Promise<number> {
  const cli = new Cli(io, environment);
  const today = withTodaysName(withCommand(given), COMMANDS);
  const { args } = today;
  const dashes = args.indexOf('--');
  const isJson = (dashes === -1 ? args : args.slice(0, dashes)).includes('--json');
  const shown = new ShownHelp(io, isJson);
  const program = await createProgram(cli, groupsFor(args, isDerived), shown, isAboutAll(args) ? undefined : args);
  if (today.former !== undefined) {
    cli.warn(`\`mneme ${today.former.from}\` is now \`mneme ${today.former.to}\`.`);
  }
  try {
    await program.parseAsync(markDashedText(args), { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      shown.finish(error.code === 'commander.version' ? 'version' : 'help');
      return EXIT_CODES.ok;
    }
    const problem = error instanceof CommanderError ? complaint(error, shown.lackingCommand, args) : error;
    return cli.fail(problem, isJson, cli.home(program.opts<GlobalOptions>()));
  }
}

function complaint(error: CommanderError, lacking: Command | undefined, args: readonly string[]): MnemeError {
  if (lacking === undefined) return usageError(error);
  const names = lacking.commands.map((command) => command.name()).filter((name) => name !== 'hook');
  const asked = args[args.indexOf('help') + 1];
  if (lacking.parent === null && args.includes('help') && asked !== undefined) {
    return new MnemeError('usage', `There is no command "${asked}".`, { hint: `There are: ${names.join(', ')}.` });
  }
  return new MnemeError('usage', `\`${pathOf(lacking)}\` needs to know what to do.`, {
    hint: `Add one of these: ${names.join(', ')}.`,
  });
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}
