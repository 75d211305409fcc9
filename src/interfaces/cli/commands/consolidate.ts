import type { Command } from 'commander';
import {
  consolidate,
  runConsolidation,
  type Consolidated,
  type ConsolidatedStep,
  type ConsolidateInput,
} from '../../../operations/consolidate/consolidate.ts';
import { MnemeError } from '../../../model/errors.ts';
import { runOperation } from '../../../operations/operation.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { ProgressLine, untilInterrupted } from '../progress.ts';
import type { Style } from '../../../operations/command-line/style.ts';

interface ConsolidateOptions extends GlobalOptions {
  readonly date?: string;
  readonly dryRun?: boolean;
}

export function addConsolidateCommand(program: Command, cli: Cli): void {
  program
    .command('consolidate [period]')
    .summary(consolidate.summary)
    .description(
      'Condense what was not condensed yet, up to yesterday: the day (journal, patterns, facts, graph), the week (roll-up, procedures, report, reflection) or the month (roll-up, review). Additions are written; whatever rewrites, merges, contradicts or hides becomes a proposal. The daemon does it by itself.',
    )
    .option('--date <day>', 'only the day, week or month that this day belongs to, again if need be')
    .option('--dry-run', 'show what would be done and write nothing')
    .action(async (period: string | undefined, _options, command: Command) => {
      const { date, dryRun, ...options } = command.optsWithGlobals<ConsolidateOptions>();
      await run(cli, options, { period: periodNamed(period), date, dryRun });
    });
}

const NAMES: Readonly<Record<string, 'day' | 'week' | 'month'>> = {
  day: 'day',
  daily: 'day',
  week: 'week',
  weekly: 'week',
  month: 'month',
  monthly: 'month',
};

function periodNamed(name = 'day'): 'day' | 'week' | 'month' {
  const period = NAMES[name.toLowerCase()];
  if (period !== undefined) return period;
  throw new MnemeError('usage', `"${name}" is no period.`, { hint: 'Use day, week or month.' });
}

async function run(cli: Cli, options: GlobalOptions, given: ConsolidateInput): Promise<void> {
  const line = new ProgressLine(cli, options);
  const result = await untilInterrupted(cli, (signal) =>
    cli.withMneme(
      options,
      ({ internals }) => {
        const operation = {
          ...consolidate,
          run: (...[context, input]: Parameters<typeof consolidate.run>) =>
            runConsolidation(context, input, { signal, onProgress: (text) => line.show(text) }),
        };
        return runOperation(operation, internals, given);
      },
      consolidate,
    ),
  );
  line.clear();
  cli.print(options, result, (shown) => render(cli.style, shown));
  if (result.steps.some(({ state }) => state === 'failed')) cli.exitCode = EXIT_CODES.failure;
  if (result.steps.some(({ state }) => state === 'stopped')) {
    cli.warn('Stopped. What was done stays; the same command goes on from there.');
    cli.exitCode = EXIT_CODES.failure;
  }
}

function render(style: Style, { period, upTo, steps, isDryRun }: Consolidated): string {
  if (steps.every(({ state }) => state === 'done-before')) {
    return `Everything up to ${upTo} was condensed before (${period}). --date DAY does a ${period} again.\n`;
  }
  const waiting = steps.flatMap(({ proposals }) => proposals).length;
  const lines = [
    style.bold(`${isDryRun ? 'Would condense' : 'Condensed'} the ${period}, up to ${upTo}`),
    ...steps.flatMap((step) => renderStep(style, step)),
    ...(waiting === 0 ? [] : [`${waiting} of it waits for you: mneme proposals`]),
  ];
  return `${lines.join('\n')}\n`;
}

const SAID: Readonly<Record<Exclude<ConsolidatedStep['state'], 'done'>, string>> = {
  'done-before': 'done before',
  stopped: 'stopped',
  failed: 'could not be done; the next run tries again',
};

/** A home may have years of days: the newest are enough to look at. */
const MAX_FILES = 5;

function renderStep(style: Style, { name, state, summary, files, notes }: ConsolidatedStep): string[] {
  const said = state === 'done' ? summary : SAID[state];
  const more = files.length > MAX_FILES ? [style.dim(`    and ${files.length - MAX_FILES} more`)] : [];
  return [
    `  ${name}: ${said}`,
    ...files.slice(-MAX_FILES).map((file) => style.dim(`    ${file}`)),
    ...more,
    ...notes.map((note) => `    ${style.yellow('note')} ${note}`),
  ];
}
