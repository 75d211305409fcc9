import { Command, CommanderError } from 'commander';
import { readEnvironment, type Environment } from '../../platform/environment.ts';
import { Cli, EXIT_CODES, usageError } from './cli.ts';
import { addCheckCommands } from './commands/check.ts';
import { addHistoryCommands } from './commands/history.ts';
import { addHomeCommands } from './commands/home.ts';
import { addReviewCommands } from './commands/review.ts';
import { addWriteCommands } from './commands/write.ts';
import { addCompletionCommand } from './completion.ts';
import { processIo, type CliIo } from './io.ts';
import { readVersion } from './version.ts';

const EXIT_CODE_HELP = `
Exit codes:
  0 ok   1 failure   2 usage   3 not found   4 conflict   5 refused by policy   6 locked   7 integrity finding
`;

export function createProgram(cli: Cli): Command {
  const program = new Command('mneme')
    .description('Long-term memory for AI agents, in plain Markdown files under git.')
    .version(readVersion(), '-V, --version')
    .option('--home <dir>', 'the memory home (default: MNEME_HOME or ~/.mneme)')
    .option('--json', 'print one JSON value on standard output')
    .option('--as <actor>', 'act as bot:NAME, subagent:NAME … (default: manual, a person)')
    .addHelpText('after', EXIT_CODE_HELP)
    .showSuggestionAfterError()
    .helpCommand(true);
  addHomeCommands(program, cli);
  addWriteCommands(program, cli);
  addHistoryCommands(program, cli);
  addReviewCommands(program, cli);
  addCheckCommands(program, cli);
  addCompletionCommand(program, cli);
  for (const command of allCommands(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => cli.io.out(text),
      writeErr: (text) => cli.io.err(text),
      // Told once, in our own words, by `fail`.
      outputError: () => undefined,
    });
  }
  return program;
}

/** Runs the CLI in process and returns its exit code. */
export async function runCli(
  args: readonly string[],
  environment: Environment = readEnvironment(),
  io: CliIo = processIo(environment.wantsColor),
): Promise<number> {
  const cli = new Cli(io, environment);
  const isJson = args.includes('--json');
  try {
    const program = createProgram(cli);
    if (args.length === 0) {
      program.outputHelp();
      return EXIT_CODES.ok;
    }
    await program.parseAsync(args, { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return cli.fail(error, isJson);
    return error.exitCode === 0 ? EXIT_CODES.ok : cli.fail(usageError(error), isJson);
  }
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}
