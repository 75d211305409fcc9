import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import type { PreCommitOptions } from './hook-git.ts';

/** What git and agents call. Not meant to be typed. */
export function addHookCommand(program: Command, cli: Cli): void {
  const hook = program.command('hook', { hidden: true }).description('Called by git and by agents.');
  hook
    .command('git-pre-commit')
    .requiredOption('--git-dir <dir>')
    .requiredOption('--work-tree <dir>')
    .option('--index <file>')
    .action(async (_options, command: Command) => {
      const { checkStaged } = await import('./hook-git.ts');
      cli.exitCode = await checkStaged(cli, command.opts<PreCommitOptions>());
    });
  hook
    .command('claude-code [event]')
    .description('Answers a hook of Claude Code, whose input is on standard input. Always ends with 0.')
    // A usage error would end with 2, by which Claude Code would be told to block.
    .allowExcessArguments()
    .allowUnknownOption()
    .action(async (event: string | undefined, _options, command: Command) => {
      const home = cli.home(command.optsWithGlobals<GlobalOptions>());
      const { answerAndExit } = await import('../../hooks/process-hook.ts');
      await answerAndExit({ home, event });
    });
}
