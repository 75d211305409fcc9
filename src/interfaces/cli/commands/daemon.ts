import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import type { DaemonCommandOptions } from './serve-options.ts';

export function addDaemonCommands(program: Command, cli: Cli): void {
  const daemon = program
    .command('daemon')
    .summary('Run in the foreground: notice edits, run jobs at their times.')
    .description(
      'Run in the foreground until Ctrl-C or SIGTERM: notices edits, makes vectors, runs jobs at their times. One for each home. `mneme service install` lets the operating system run it.',
    )
    .option('--serve', 'serve the HTTP API, MCP and the dashboard as well (default: daemon.serve)')
    .option('--port <number>', 'the port to serve at; 0 takes any free one (default: server.port)')
    .option('--host <address>', 'the address to serve at (default: server.host, this machine only)')
    .action(async (_options, command: Command) => {
      // Help lists these commands too, and must not load what they do.
      const { startDaemon } = await import('./daemon-work.ts');
      await startDaemon(cli, command.optsWithGlobals<DaemonCommandOptions>());
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
