import type { Command } from 'commander';
import { check, repairUnopened, type CheckResult } from '../../../operations/check.ts';
import { assertMayWrite, runOperation } from '../../../operations/operation.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { plural } from '../../../operations/command-line/style.ts';

export function addCheckCommands(program: Command, cli: Cli): void {
  program
    .command('check')
    .summary(check.summary)
    .description(
      'Look whether files, git, journal, audit log, proposals, graph and chain agree. Exit code 7 when something does not.',
    )
    .option(
      '--repair',
      'put right what is derived and set hostile journal records aside; files and history are never touched',
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { repair?: boolean }>();
      const onProgress = (area: string): void => {
        if (cli.io.isTerminal && options.json !== true) cli.io.err(cli.style.dim(`checking ${area} …\n`));
      };
      const input = { repair: options.repair === true, onProgress };
      const begun = input.repair ? await repairFirst(cli, options) : [];
      for (const done of begun) cli.warn(done);
      const checked = await cli.withMneme(options, (mneme) => runOperation(check, mneme.internals, input));
      const result = { ...checked, repaired: [...begun, ...checked.repaired] };
      cli.print(options, result, (shown) => renderCheck(cli, shown));
      if (result.findings.length > 0) cli.exitCode = EXIT_CODES.integrity;
    });
}

/** Before the home is opened: without its history, or with a hostile journal, it cannot be. */
async function repairFirst(cli: Cli, options: GlobalOptions): Promise<string[]> {
  assertMayWrite(cli.actor(options), 'check --repair');
  return repairUnopened(cli.home(options));
}

function renderCheck(cli: Cli, { findings, repaired }: CheckResult): string {
  const { style } = cli;
  const lines = repaired.map((done) => `${style.green('repaired')} ${done}`);
  for (const { severity, message, hint, isRepairable } of findings) {
    const mark = severity === 'error' ? style.red('error  ') : style.yellow('warning');
    lines.push(`${mark} ${message}`, style.dim(`        ${hint}${isRepairable ? ' (--repair does it)' : ''}`));
  }
  if (findings.length === 0) lines.push(style.green('Everything agrees.'));
  else lines.push(`${plural(findings.length, 'finding')}.`);
  return `${lines.join('\n')}\n`;
}
