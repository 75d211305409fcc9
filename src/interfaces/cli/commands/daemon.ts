import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';

export function addDaemonCommands(program: Command, cli: Cli): void {
  const daemon = program
    .command('daemon')
    .summary('Run in the foreground: notice edits, run jobs at their times.')
    .description(
      'Run in the foreground until Ctrl-C or SIGTERM: notices edits, makes vectors, runs jobs at their times. One for each home. `mneme service install` lets the operating system run it.',
    )
    .action(async (_options, command: Command) => {
      // Help lists these commands too, and must not load what they do.
      const { startDaemon } = await import('./daemon-work.ts');
      await startDaemon(cli, command.optsWithGlobals<GlobalOptions>());
    });
  daemon
    .command('status')
    .description('Whether a daemon runs on the home, and what it is doing. Exit code 3 when none runs.')
    .action(async (_options, command: Command) => {
      const { showDaemon } = await import('./daemon-work.ts');
      showDaemon(cli, command.optsWithGlobals<GlobalOptions>());
    });
  daemon
    .command('stop')
    .description('Ask the daemon to end and wait until it has.')
    .action(async (_options, command: Command) => {
      const { endDaemon } = await import('./daemon-work.ts');
      await endDaemon(cli, command.optsWithGlobals<GlobalOptions>());
    });
}
