import type { Command } from 'commander';
import { learn, learnProcedures, type LearnInput, type LearnResult } from '../../../operations/procedures/learn.ts';
import { listProcedures } from '../../../operations/procedures/list.ts';
import { findProcedures } from '../../../operations/procedures/match.ts';
import { refineProcedures } from '../../../operations/procedures/refine.ts';
import { procedureRuns } from '../../../operations/procedures/runs.ts';
import { showProcedure } from '../../../operations/procedures/show.ts';
import { procedureStats } from '../../../operations/procedures/stats.ts';
import { cancelRun, pauseRun } from '../../../operations/procedures/stop.ts';
import { runOperation } from '../../../operations/operation.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { ProgressLine } from '../progress.ts';
import { addRunCommands } from './procedure-run.ts';
import { renderRuns, renderStopped } from './procedure-run-view.ts';
import { renderLearned, renderRefined } from './procedure-proposals-view.ts';
import { renderMatches, renderProcedure, renderProcedures, renderStats } from './procedure-view.ts';
import { numberOf, show } from './show.ts';

export function addProcedureCommands(program: Command, cli: Cli): void {
  const procedure = program
    .command('procedure')
    .summary('How things are done: list, run, learn and refine procedures.')
    .description(
      'Skills, workflows and decision trees under memory/procedures/. A run does only what is built in (say, remember, recall, ' +
        'wait, decide, confirm, ask) and what a file given with --actions registers.',
    );
  addReading(procedure, cli);
  addRunCommands(procedure, cli);
  addStopping(procedure, cli);
  addImproving(procedure, cli);
}

function addReading(procedure: Command, cli: Cli): void {
  procedure
    .command('list', { isDefault: true })
    .description(listProcedures.summary)
    .option('--kind <kind>', 'skill, workflow, decision-tree or pattern')
    .option('--status <status>', 'active, paused, draft or retired')
    .action(async (_options, command: Command) => {
      const { kind, status, ...options } = command.optsWithGlobals<GlobalOptions & Record<'kind' | 'status', never>>();
      await show(cli, options, listProcedures, { kind, status }, renderProcedures);
    });
  procedure
    .command('show <name>')
    .description(showProcedure.summary)
    .action(async (name: string, _options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), showProcedure, { name }, renderProcedure);
    });
  procedure
    .command('match <message...>')
    .description(findProcedures.summary)
    .option('--event <name>', 'an event that happened')
    .option('--scope <scope>', 'besides what is shared, what belongs to this scope')
    .action(async (words: readonly string[], _options, command: Command) => {
      const { event, scope, ...options } = command.optsWithGlobals<
        GlobalOptions & { event?: string; scope?: string }
      >();
      const events = event === undefined ? [] : [event];
      const given = { message: words.join(' '), events, ...(scope === undefined ? {} : { scope }) };
      await show(cli, options, findProcedures, given, renderMatches);
    });
  procedure
    .command('runs [run]')
    .description(procedureRuns.summary)
    .option('--procedure <name>', 'only runs of this one')
    .option('--limit <number>', 'the latest so many (default 20)')
    .action(async (run: string | undefined, _options, command: Command) => {
      const {
        procedure: name,
        limit,
        ...options
      } = command.optsWithGlobals<GlobalOptions & { procedure?: string; limit?: string }>();
      const given = { run, procedure: name, limit: numberOf('--limit', limit) };
      const { problems } = await show(cli, options, procedureRuns, given, (view, list) =>
        renderRuns(view, list, run !== undefined),
      );
      for (const problem of problems) cli.warn(problem);
    });
  procedure
    .command('stats [name]')
    .description(procedureStats.summary)
    .action(async (name: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { problems } = await show(cli, options, procedureStats, { name }, renderStats);
      for (const problem of problems) cli.warn(problem);
    });
}

function addStopping(procedure: Command, cli: Cli): void {
  procedure
    .command('pause <run>')
    .description(pauseRun.summary)
    .action(async (run: string, _options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), pauseRun, { run }, renderStopped);
    });
  procedure
    .command('cancel <run>')
    .description(cancelRun.summary)
    .option('--why <reason>', 'for the record')
    .action(async (run: string, _options, command: Command) => {
      const { why, ...options } = command.optsWithGlobals<GlobalOptions & { why?: string }>();
      await show(cli, options, cancelRun, { run, why }, renderStopped);
    });
}

function addImproving(procedure: Command, cli: Cli): void {
  procedure
    .command('refine [name]')
    .description(`${refineProcedures.summary} Nothing changes before somebody approves.`)
    .option('--dry-run', 'show what the runs suggest and propose nothing')
    .action(async (name: string | undefined, _options, command: Command) => {
      const { dryRun, ...options } = command.optsWithGlobals<GlobalOptions & { dryRun?: boolean }>();
      const { problems } = await show(cli, options, refineProcedures, { name, dryRun }, renderRefined);
      for (const problem of problems) cli.warn(problem);
    });
  procedure
    .command('learn')
    .description(`${learnProcedures.summary} Nothing changes before somebody approves.`)
    .option('--dry-run', 'show what could be learned and propose nothing')
    .option('--min-repeats <number>', 'conversations it has to go well in')
    .option('--limit <number>', 'proposals at most (default 10)')
    .action(async (_options, command: Command) => {
      const { dryRun, minRepeats, limit, ...options } = command.optsWithGlobals<
        GlobalOptions & { dryRun?: boolean; minRepeats?: string; limit?: string }
      >();
      const given = {
        dryRun,
        minRepeats: numberOf('--min-repeats', minRepeats),
        limit: numberOf('--limit', limit),
      };
      await learnWithProgress(cli, options, given);
    });
}

async function learnWithProgress(cli: Cli, options: GlobalOptions, given: LearnInput): Promise<void> {
  const line = new ProgressLine(cli, options);
  const operation = {
    ...learnProcedures,
    run: (...[context, input]: Parameters<typeof learnProcedures.run>): Promise<LearnResult> =>
      learn(context, input, ({ done, total }) => line.show(`reading conversations: ${done} of ${total}`)),
  };
  const result = await cli.withMneme(
    options,
    ({ internals }) => runOperation(operation, internals, given),
    learnProcedures,
  );
  line.clear();
  cli.print(options, result, (shown) => renderLearned(cli.style, shown));
}
