import type { Command } from 'commander';
import {
  indexRebuild,
  indexStatus,
  indexSync,
  indexVerify,
  rebuildIndex,
  syncIndex,
  type IndexState,
} from '../../../operations/search/index-operations.ts';
import { runOperation } from '../../../operations/operation.ts';
import { countOf, showBytes } from '../../../operations/command-line/amounts.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { ProgressLine, untilInterrupted } from '../progress.ts';
import { plural, table } from '../../../operations/command-line/style.ts';
import type { View } from '../../../operations/command-line/view.ts';
import { indexReportLines, isFinished, showIndexing } from './index-commands-progress.ts';
import { addIndexServerCommands } from './index-server.ts';
import { show } from './show.ts';

export function addIndexCommands(program: Command, cli: Cli): void {
  const index = program
    .command('index')
    .summary('Look at the search index, bring it up to date, check it.')
    .description(
      'The search index is made from the files and can be deleted at any time; it is brought up to date by every question.',
    );
  index
    .command('status')
    .description(indexStatus.summary)
    .action(async (_options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), indexStatus, {}, renderState);
    });
  index
    .command('sync')
    .description(`${indexSync.summary} Ctrl-C stops it; the next one goes on from there.`)
    .action((_options, command: Command) => work(cli, command, syncIndex));
  index
    .command('rebuild')
    .description(`${indexRebuild.summary} It goes on answering meanwhile.`)
    .action((_options, command: Command) => work(cli, command, rebuildIndex));
  index
    .command('verify')
    .description(`${indexVerify.summary} Exit code 7 when something differs.`)
    .action((_options, command: Command) => verify(cli, command));
  addIndexServerCommands(index, cli);
}

async function work(cli: Cli, command: Command, run: typeof syncIndex): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const line = new ProgressLine(cli, options);
  const { report, isStopped } = await cli.withMneme(options, ({ internals: context }) =>
    untilInterrupted(cli, async (signal) => ({
      report: await run(context, { ...showIndexing(line), signal }),
      isStopped: signal.aborted,
    })),
  );
  line.clear();
  cli.print(options, report, (shown) => `${indexReportLines(cli.style, shown).join('\n')}\n`);
  if (isFinished(report)) return;
  cli.exitCode = EXIT_CODES.failure;
  if (isStopped) cli.warn('Stopped. What is done stays; `mneme index sync` goes on from there.');
}

async function verify(cli: Cli, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const { style } = cli;
  const line = new ProgressLine(cli, options);
  line.show('comparing the index with every file');
  const result = await cli.withMneme(options, ({ internals: context }) => runOperation(indexVerify, context, {}));
  line.clear();
  cli.print(options, result, ({ findings }) => {
    if (findings.length === 0) return `${style.green('The index agrees with the files.')}\n`;
    const lines = findings.map((finding) => `${style.yellow('differs')} ${finding}`);
    return `${[...lines, `${plural(findings.length, 'finding')}. Mend it: mneme index rebuild.`].join('\n')}\n`;
  });
  if (result.findings.length > 0) cli.exitCode = EXIT_CODES.integrity;
}

function renderState({ style }: View, state: IndexState): string {
  const models = state.embedder.map(({ model, coverage, why }) => {
    const share = coverage >= 1 ? '' : style.yellow(` for ${Math.floor(coverage * 100)} % so far`);
    return ['meaning', `${model}${share} ${style.dim(`(${why})`)}`];
  });
  return table([
    ['index', `${state.path} (${state.engine}, ${showBytes(state.bytes)})`],
    ...(state.standIn === null ? [] : [['stand-in', style.yellow(state.standIn)]]),
    ['holds', `${countOf(state.passages, 'passage')} of ${countOf(state.documents, 'file')}`],
    ...(models.length === 0 ? [['meaning', style.yellow('no model: words alone')]] : models),
    ['state', state.isFresh ? style.green('up to date') : style.yellow('the next question brings it up to date')],
    ...(state.dirty === null ? [] : [['lacks', style.yellow(state.dirty)]]),
    ...(state.rebuilt === null ? [] : [['made anew', state.rebuilt]]),
  ]);
}
