import type { Command } from 'commander';
import type { Mneme } from '../../../mneme.ts';
import { MnemeError } from '../../../model/errors.ts';
import { DID_NOT_STOP } from '../../../memory/procedures/workflow/perform.ts';
import type { RunControls } from '../../../operations/procedures/drive.ts';
import type { RunResult } from '../../../operations/procedures/run-result.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { plain } from '../../../operations/command-line/plain.ts';
import { ProgressLine, untilInterrupted } from '../progress.ts';
import { loadActions } from './procedure-actions.ts';
import { answerAt, askTree } from './procedure-ask.ts';
import { renderDue, renderRun } from './procedure-run-view.ts';
import { valuesOf, verdictOf } from './procedure-values.ts';

interface RunCommandOptions extends GlobalOptions {
  readonly set?: readonly string[];
  readonly actions?: string;
  readonly assume?: boolean;
  readonly byHand?: boolean;
  readonly due?: boolean;
  readonly answer?: string;
  readonly text?: string;
}

export function addRunCommands(procedure: Command, cli: Cli): void {
  procedure
    .command('run [name]')
    .description(
      'Run a procedure, or walk a decision tree. On a terminal, questions are asked; elsewhere the run waits and ' +
        '`procedure resume RUN --answer …` goes on. Exits 0 only when it succeeded.',
    )
    .option('--set <name=value>', 'a value its conditions and actions can use; may be repeated', collect, [])
    .option('--actions <file>', 'a module that exports `actions`: what else the run may do')
    .option('--assume', 'take conditions in plain words for met instead of asking')
    .option('--by-hand', 'steps whose action nobody registered are done by you')
    .option('--due', 'run those whose schedule (triggers.cron) has come due')
    .action(async (name: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<RunCommandOptions>();
      await (options.due === true ? runDue(cli, name, options) : run(cli, name, options));
    });
  procedure
    .command('resume <run>')
    .description('Go on with a run that was paused, waits for an answer, or lost its process.')
    .option('--answer <answer>', 'yes or done, no or failed, again, skip')
    .option('--text <words>', 'with --answer: what was asked for, or why it failed')
    .option('--set <name=value>', 'a value to give again or to change; may be repeated', collect, [])
    .option('--actions <file>', 'the same module as when it was started')
    .action(async (id: string, _options, command: Command) => {
      await resume(cli, id, command.optsWithGlobals<RunCommandOptions>());
    });
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

type Work = (mneme: Mneme, controls: RunControls) => Promise<RunResult>;

async function run(cli: Cli, name: string | undefined, options: RunCommandOptions): Promise<void> {
  if (name === undefined) {
    throw new MnemeError('usage', 'Which procedure?', { hint: '`mneme procedure list` shows those there are.' });
  }
  const { assume, byHand } = options;
  const input = valuesOf(options.set);
  await perform(cli, options, async (mneme, controls) => {
    const result = await mneme.procedures.run(name, { input, assume, byHand, ...controls });
    const mayAsk = controls.answer !== undefined;
    return mayAsk ? askTree(cli, result, input, (facts) => mneme.procedures.run(name, { input: facts })) : result;
  });
}

async function resume(cli: Cli, id: string, options: RunCommandOptions): Promise<void> {
  const { text } = options;
  const answer = verdictOf(options.answer);
  if (text !== undefined && answer === undefined) throw new MnemeError('usage', '--text goes with --answer.');
  const input = valuesOf(options.set);
  await perform(cli, options, (mneme, { answer: onAnswer, ...controls }) =>
    mneme.procedures.resume(id, { answer, text, input, onAnswer, ...controls }),
  );
}

async function perform(cli: Cli, options: RunCommandOptions, work: Work): Promise<void> {
  const line = new ProgressLine(cli, options);
  const result = await untilInterrupted(cli, (signal) =>
    cli.withMneme(
      options,
      async (mneme) => {
        await loadActions(mneme, options.actions);
        return work(mneme, controlsFor(cli, options, line, signal));
      },
      { name: 'procedure run', effect: 'write' },
    ),
  );
  line.clear();
  cli.print(options, result, (shown) => renderRun(cli.style, shown));
  for (const note of result.notes) cli.warn(note);
  if (result.steps.some(({ error }) => error?.endsWith(DID_NOT_STOP) === true)) cli.io.endSoon?.();
  if (result.status !== 'succeeded') cli.exitCode = EXIT_CODES.failure;
}

async function runDue(cli: Cli, name: string | undefined, options: RunCommandOptions): Promise<void> {
  if (name !== undefined) throw new MnemeError('usage', '--due runs what is due; it takes no name.');
  const line = new ProgressLine(cli, options);
  const result = await untilInterrupted(cli, (signal) =>
    cli.withMneme(
      options,
      async (mneme) => {
        await loadActions(mneme, options.actions);
        const { answer: _nobody, ...controls } = controlsFor(cli, options, line, signal);
        return mneme.procedures.runDue({ assume: options.assume, ...controls });
      },
      { name: 'procedure run', effect: 'write' },
    ),
  );
  line.clear();
  cli.print(options, result, (shown) => renderDue(cli.style, shown));
  for (const problem of result.problems) cli.warn(problem);
  const isFine = result.problems.length === 0 && result.runs.every(({ status }) => status === 'succeeded');
  if (!isFine) cli.exitCode = EXIT_CODES.failure;
}

function controlsFor(cli: Cli, options: GlobalOptions, line: ProgressLine, signal: AbortSignal): RunControls {
  const isWatched = cli.io.isTerminal && options.json !== true;
  return {
    signal,
    onProgress: ({ step, what }) => line.show(`step ${step}: ${plain(what)}`),
    ...(options.json === true
      ? {}
      : {
          onSaid: (text: string): void => {
            line.clear();
            cli.io.out(`${plain(text)}\n`);
          },
        }),
    ...(isWatched ? { answer: answerAt(cli, line) } : {}),
  };
}
