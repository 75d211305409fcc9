import { Command, CommanderError } from 'commander';
import { readEnvironment, type Environment } from '../../platform/environment.ts';
import { MnemeError } from '../../model/errors.ts';
import { Cli, EXIT_CODES, usageError, type GlobalOptions } from './cli.ts';
import { addCommands, mayMean, operandPlaces, withTodaysName } from './derive/command-tree.ts';
import { COMMANDS } from './commands.ts';
import { type CliIo, markDashedText, processIo, unmarkCommand } from './io.ts';
import { readVersion } from './version.ts';

const EXIT_CODE_HELP = `
Exit codes (mneme help exit-codes):
  0 ok   1 failure   2 usage   3 not found   4 conflict   5 refused by policy   6 locked   7 integrity finding
`;

function exampleHelp(): string {
  const examples = COMMANDS.flatMap(({ command: { example } }) => (example === undefined ? [] : [`  ${example}`]));
  return `\nExamples:\n${examples.join('\n')}\n`;
}

export async function createProgram(
  cli: Cli,
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
    .commandsGroup('Other commands:')
    .addHelpText('after', () => `${exampleHelp()}${EXIT_CODE_HELP}`)
    .showSuggestionAfterError()
    .helpCommand(true);
  await addCommands(program, cli, COMMANDS, (line) => args === undefined || mayMean(args, line));
  program.hook('preAction', (_program, action) => unmarkCommand(action));
  for (const command of allCommands(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => shown.out(text),
      // Commander writes here only the help of a command that lacks its sub-command.
      writeErr: (text) => shown.lacking(command, text),
      // `fail` prints the message once.
      outputError: () => undefined,
    });
  }
  return program;
}

/** The output of commander itself: help and the version. */
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

/** Whether a call consists of these words, besides global options. */
function isAbout(args: readonly string[], ...words: readonly string[]): boolean {
  const places = operandPlaces(args);
  return places.length === words.length && words.every((word, at) => args[places[at] ?? -1] === word);
}

/** `mneme version` is what people type before they look it up. */
function asUsual(args: readonly string[]): readonly string[] {
  return isAbout(args, 'version') ? args.map((arg) => (arg === 'version' ? '--version' : arg)) : args;
}

async function exitCodeHelp(): Promise<string> {
  const { EXIT_CODE_MEANINGS } = await import('./exit-codes.ts');
  const lines = Object.entries(EXIT_CODES).map(([name, code]) => `  ${code}  ${EXIT_CODE_MEANINGS[name] ?? name}`);
  return `Exit codes:\n${lines.join('\n')}\n`;
}

/** Runs the CLI in process and returns its exit code. */
export async function runCli(
  given: readonly string[],
  environment: Environment = readEnvironment(),
  io: CliIo = processIo(environment.wantsColor),
): Promise<number> {
  const cli = new Cli(io, environment);
  const today = withTodaysName(withCommand(asUsual(given)), COMMANDS);
  const { args } = today;
  const dashes = args.indexOf('--');
  const isJson = (dashes === -1 ? args : args.slice(0, dashes)).includes('--json');
  const shown = new ShownHelp(io, isJson);
  if (isAbout(args, 'help', 'exit-codes')) {
    shown.out(await exitCodeHelp());
    shown.finish('help');
    return EXIT_CODES.ok;
  }
  const program = await createProgram(cli, shown, args);
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
    const code = cli.fail(problem, isJson, cli.home(program.opts<GlobalOptions>()));
    return isAgentHook(args) ? EXIT_CODES.ok : code;
  }
}

/** An agent takes a failing hook for a refusal: one of a newer version, or misspelt, must not keep it from answering. */
function isAgentHook(args: readonly string[]): boolean {
  const [group, name] = operandPlaces(args).map((at) => args[at]);
  return group === 'hook' && name !== 'git-pre-commit';
}

function complaint(error: CommanderError, lacking: Command | undefined, args: readonly string[]): MnemeError {
  if (lacking === undefined) return unknownCommand(error, args) ?? missingArgument(error, args) ?? usageError(error);
  const names = lacking.commands.map((command) => command.name()).filter((name) => name !== 'hook');
  const asked = args[args.indexOf('help') + 1];
  if (lacking.parent === null && args.includes('help') && asked !== undefined) {
    return new MnemeError('usage', `There is no command "${asked}".`, { hint: `There are: ${names.join(', ')}.` });
  }
  return new MnemeError('usage', `\`${pathOf(lacking)}\` needs to know what to do.`, {
    hint: `Add one of these: ${names.join(', ')}.`,
  });
}

/** Explains a missing argument with the usage line of its command. */
function missingArgument(error: CommanderError, args: readonly string[]): MnemeError | undefined {
  if (error.code !== 'commander.missingArgument') return undefined;
  const words = operandPlaces(args).map((at) => args[at] ?? '');
  const meant = COMMANDS.map(({ command }) => command)
    .filter(({ path }) => path.split(' ').every((word, at) => words[at] === word))
    .toSorted((one, other) => other.path.length - one.path.length)[0];
  if (meant === undefined) return undefined;
  const { path, usage = '', example } = meant;
  const shown = example === undefined ? `\`mneme ${path} --help\` explains it.` : `For instance: ${example}`;
  return new MnemeError('usage', usageError(error).message, { hint: `Type \`mneme ${path} ${usage}\`. ${shown}` });
}

/** A word behind a group that is none of its commands; commander takes it for an argument of the group's default. */
function unknownCommand(error: CommanderError, args: readonly string[]): MnemeError | undefined {
  if (error.code !== 'commander.excessArguments') return undefined;
  const [group = '', word] = operandPlaces(args).map((at) => args[at] ?? '');
  const names = COMMANDS.flatMap(({ command: { path, isHidden } }) => {
    const [top, next] = path.split(' ');
    return top === group && next !== undefined && isHidden !== true ? [next] : [];
  });
  if (word === undefined || names.length === 0 || names.includes(word)) return undefined;
  return new MnemeError('usage', `There is no command "${group} ${word}".`, {
    hint: `There are: ${[...new Set(names)].join(', ')}.`,
  });
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

/** The command behind `mneme` alone. */
const DEFAULT_COMMAND = 'begin';

const SELF_SUFFICIENT: ReadonlySet<string> = new Set(['--help', '-h', '--version', '-V']);

/** The call with its command, when it names none and asks for neither help nor the version. */
function withCommand(args: readonly string[]): readonly string[] {
  if (firstOperand(args) !== undefined || args.some((arg) => SELF_SUFFICIENT.has(arg))) return args;
  return [DEFAULT_COMMAND, ...args];
}

function firstOperand(args: readonly string[]): string | undefined {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--home' || arg === '--as') at += 1;
    else if (!arg.startsWith('-')) return arg;
  }
  return undefined;
}
