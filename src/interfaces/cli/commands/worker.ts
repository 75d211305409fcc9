import path from 'node:path';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';

export function addWorkerCommands(program: Command, cli: Cli): void {
  program
    .command('worker', { hidden: true })
    .description('Does background work until nothing is left. Started by other commands.')
    .action(async (_options, command: Command) => {
      const { doBackgroundWork } = await import('./worker-work.ts');
      await doBackgroundWork(path.resolve(cli.home(command.optsWithGlobals<GlobalOptions>())));
    });
}
