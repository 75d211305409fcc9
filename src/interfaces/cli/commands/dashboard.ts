import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import type { DashboardOptions } from './dashboard-work.ts';

export function addDashboardCommand(program: Command, cli: Cli): void {
  program
    .command('dashboard')
    .summary('See what your agent believes, and change it, in the browser.')
    .description(
      'Open the dashboard in the browser: what the agent was told, approvals, search, history with undo, files, the graph. Serves the home until Ctrl-C, or uses the server that runs already. The address holds a key: do not share it.',
    )
    .option('--port <number>', 'the port; 0 takes any free one (default: server.port)')
    .option('--no-open', 'only print the address')
    .option('--read-only', 'an address that may look at everything and change nothing')
    .action(async (_options, command: Command) => {
      // Help lists this command too, and must not load the server for it.
      const { openDashboard } = await import('./dashboard-work.ts');
      await openDashboard(cli, command.optsWithGlobals<DashboardOptions>());
    });
}
