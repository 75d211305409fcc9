import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import type { ServiceOptions } from './service-work.ts';

export function addServiceCommands(program: Command, cli: Cli): void {
  const service = program
    .command('service')
    .summary('Let the operating system run the daemon.')
    .description(
      'Let the operating system run the daemon: a systemd user unit, a launch agent on macOS, a task of the Task Scheduler on Windows.',
    );
  service
    .command('install')
    .description('Show the file and the commands, ask, then write and run them. Again after an update or a move.')
    .option('--dry-run', 'only show what would be done')
    .option('--no-start', 'set it up, but do not start the daemon now')
    .option('-y, --yes', 'do it without asking')
    .action(async (_options, command: Command) => {
      const { installService } = await import('./service-work.ts');
      await installService(cli, command.optsWithGlobals<ServiceOptions>());
    });
  service
    .command('status')
    .description('Whether the service is set up, up to date and running.')
    .action(async (_options, command: Command) => {
      const { showService } = await import('./service-work.ts');
      await showService(cli, command.optsWithGlobals<ServiceOptions>());
    });
  service
    .command('logs')
    .description('The last lines of the daemon’s log.')
    .option('-n, --lines <count>', 'how many', '50')
    .option('--level <level>', 'error, warn, info or debug: that and what is more urgent', 'debug')
    .action(async (_options, command: Command) => {
      const { showLogs } = await import('./service-work.ts');
      showLogs(cli, command.optsWithGlobals<ServiceOptions>());
    });
  service
    .command('uninstall')
    .description('Stop the daemon and take the service away. The memory itself stays.')
    .option('--dry-run', 'only show what would be done')
    .option('-y, --yes', 'do it without asking')
    .action(async (_options, command: Command) => {
      const { uninstallService } = await import('./service-work.ts');
      await uninstallService(cli, command.optsWithGlobals<ServiceOptions>());
    });
}
