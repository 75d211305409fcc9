import type { Command } from 'commander';
import type { OperationContext } from '../../../operations/context.ts';
import { runOperation } from '../../../operations/operation.ts';
import { compareReconstruction } from '../../../operations/reconstruct/compare.ts';
import { dropReconstruction } from '../../../operations/reconstruct/drop.ts';
import { listReconstructions } from '../../../operations/reconstruct/list.ts';
import { mergeReconstruction } from '../../../operations/reconstruct/merge.ts';
import {
  runReconstruction,
  startReconstruction,
  type Reconstructed,
  type StartReconstructionInput,
} from '../../../operations/reconstruct/start.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { ProgressLine, untilInterrupted } from '../progress.ts';
import {
  renderComparison,
  renderDropped,
  renderMerged,
  renderReconstructed,
  renderReconstructions,
} from './reconstruct-view.ts';
import { numberOf, show } from './show.ts';

interface StartOptions extends GlobalOptions {
  readonly only?: readonly string[];
  readonly provider?: string;
  readonly model?: string;
  readonly since?: string;
  readonly parallel?: string;
  readonly dryRun?: boolean;
}

export function addReconstructCommands(program: Command, cli: Cli): void {
  const reconstruct = program
    .command('reconstruct')
    .summary('Make knowledge anew from the conversations, and compare.')
    .description(
      'Look at all conversations again with other extractors or another model, on a branch beside the memory. Compare what was found with what is known, then take it over or drop it.',
    );
  addStart(reconstruct, cli);
  reconstruct
    .command('list', { isDefault: true })
    .description('The reconstructions there are, and how far they are.')
    .action(async (_options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), listReconstructions, {}, renderReconstructions);
    });
  reconstruct
    .command('compare <name>')
    .description('What it found beside what is known, and which of the two answers questions better.')
    .option('--probes <file>', 'questions to try, one JSON object a line: {"question": "…", "expect": ["…"]}')
    .option('--limit <number>', 'statements to list on each side (20)')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { probes?: string; limit?: string }>();
      const given = { name, probes: options.probes, limit: numberOf('--limit', options.limit) };
      await show(cli, options, compareReconstruction, given, renderComparison);
    });
  reconstruct
    .command('merge <name>')
    .description('Propose to take over what it found; what a person wrote is not touched.')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { notes } = await show(cli, options, mergeReconstruction, { name }, renderMerged);
      for (const note of notes) cli.warn(note);
    });
  reconstruct
    .command('drop <name>')
    .description('Forget it: its copy, its branch, and what it proposed.')
    .action(async (name: string, _options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), dropReconstruction, { name }, renderDropped);
    });
}

function addStart(reconstruct: Command, cli: Cli): void {
  reconstruct
    .command('start <name>')
    .description('Begin one, or go on with one that was stopped.')
    .option('--only <extractors...>', 'only these extractors, with or without their version: decisions, facts@1')
    .option('--provider <name>', 'who judges: heuristic, anthropic, openai, google, openai-compatible')
    .option('--model <name>', 'the model that judges and sums up')
    .option('--since <date>', 'only conversations from this day on')
    .option('--parallel <number>', 'conversations looked at at the same time (4)')
    .option('--dry-run', 'only say what it would take')
    .action(async (name: string, _options, command: Command) => {
      const { only, provider, model, since, parallel, dryRun, ...options } = command.optsWithGlobals<StartOptions>();
      const given = {
        name,
        ...(only === undefined ? {} : { extractors: [...only] }),
        provider,
        model,
        since,
        parallel: numberOf('--parallel', parallel),
        dryRun,
      };
      await start(cli, options, given);
    });
}

async function start(cli: Cli, options: GlobalOptions, given: StartReconstructionInput): Promise<void> {
  const line = new ProgressLine(cli, options);
  const result = await untilInterrupted(cli, (signal) =>
    cli.withMneme(options, ({ internals }) => withProgress(internals, given, { line, signal }), startReconstruction),
  );
  line.clear();
  cli.print(options, result, (shown) => renderReconstructed(cli.style, shown));
  for (const note of result.notes) cli.warn(note);
  if (result.isComplete || result.branch === null) return;
  cli.warn('Stopped. What was done stays; the same command goes on from there.');
  cli.exitCode = EXIT_CODES.failure;
}

function withProgress(
  context: OperationContext,
  given: StartReconstructionInput,
  { line, signal }: { readonly line: ProgressLine; readonly signal: AbortSignal },
): Promise<Reconstructed> {
  const onProgress = ({ done, total, session }: { done: number; total: number; session: string }): void =>
    line.show(`looking at ${session} again  ${done} of ${total}`);
  const operation = {
    ...startReconstruction,
    run: (...[opened, input]: Parameters<typeof startReconstruction.run>) =>
      runReconstruction(opened, input, { signal, onProgress }),
  };
  return runOperation(operation, context, given);
}
