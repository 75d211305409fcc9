import path from 'node:path';
import type { Command } from 'commander';
import type { z } from 'zod';
import { pause, resume, type PauseState } from '../../../operations/background/pause.ts';
import { runOperation, type Operation } from '../../../operations/operation.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { showTime } from '../../../operations/command-line/style.ts';

interface PauseOptions extends GlobalOptions {
  readonly for?: string;
}

export function addWorkerCommands(program: Command, cli: Cli): void {
  program
    .command('pause')
    .description(pause.summary)
    .option('--for <time>', 'how long, such as 30m, 2h or 1d (default: until `mneme resume`)')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<PauseOptions>();
      await run(cli, options, pause, { for: options.for });
    });
  program
    .command('resume')
    .description(resume.summary)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await run(cli, options, resume, {});
    });
  program
    .command('worker', { hidden: true })
    .description('Does background work until nothing is left. Started by other commands.')
    .action(async (_options, command: Command) => {
      const { doBackgroundWork } = await import('./worker-work.ts');
      await doBackgroundWork(path.resolve(cli.home(command.optsWithGlobals<GlobalOptions>())));
    });
}

async function run<Input extends z.ZodType>(
  cli: Cli,
  options: GlobalOptions,
  operation: Operation<Input, PauseState>,
  input: z.input<Input>,
): Promise<void> {
  const { state, timeZone } = await cli.withMneme(
    options,
    async ({ internals: context }) => ({
      state: await runOperation(operation, context, input),
      timeZone: context.config.time_zone,
    }),
    operation,
  );
  cli.print(options, state, ({ pause: made }) => {
    if (made === null) return `${cli.style.green('Background work goes on.')}\n`;
    const until = made.until === null ? 'until `mneme resume`' : `until ${showTime(Date.parse(made.until), timeZone)}`;
    return `${cli.style.yellow('Paused')} ${until}: nothing is learned or embedded in the background, no job runs.\n`;
  });
}
