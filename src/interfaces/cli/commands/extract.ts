import type { Command } from 'commander';
import { extract, runExtract, type ExtractInput, type ExtractResult } from '../../../operations/extract/extract.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { runOperation } from '../../../operations/operation.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { ProgressLine, untilInterrupted } from '../progress.ts';
import { renderExtracted } from './extract-view.ts';
import { numberOf } from './show.ts';

interface ExtractOptions extends GlobalOptions {
  readonly only?: readonly string[];
  readonly dryRun?: boolean;
  readonly again?: boolean;
  readonly limit?: string;
}

export function addExtractCommand(program: Command, cli: Cli): void {
  program
    .command('extract [sessions...]')
    .summary(extract.summary)
    .description(
      'Turn conversations into knowledge. Without names, every session that holds something new is processed; nothing is processed twice.',
    )
    .option(
      '--only <extractors...>',
      'decisions, lessons, people, procedures, facts, preferences, tasks, corrections, journal',
    )
    .option('--dry-run', 'show what would be learned and write nothing')
    .option('--again', 'look at turns that were processed before, too')
    .option('--limit <number>', 'sessions to process at most')
    .action(async (sessions: readonly string[], _options, command: Command) => {
      const { only, dryRun, again, limit, ...options } = command.optsWithGlobals<ExtractOptions>();
      const given = {
        sessions: [...sessions],
        ...(only === undefined ? {} : { extractors: [...only] }),
        dryRun,
        again,
        limit: numberOf('--limit', limit),
      };
      await run(cli, options, given);
    });
}

async function run(cli: Cli, options: GlobalOptions, given: ExtractInput): Promise<void> {
  const line = new ProgressLine(cli, options);
  const result = await untilInterrupted(cli, (signal) =>
    cli.withMneme(options, ({ internals }) => extractWithProgress(internals, given, { line, signal }), extract),
  );
  line.clear();
  cli.print(options, result, (shown) => renderExtracted(cli.style, shown));
  for (const note of new Set(result.sessions.flatMap(({ notes }) => notes))) cli.warn(note);
  if (result.waiting > 0 && given.limit === undefined) {
    cli.warn('Stopped. What was learned stays; the same command goes on from there.');
    cli.exitCode = EXIT_CODES.failure;
  }
}

function extractWithProgress(
  context: OperationContext,
  given: ExtractInput,
  { line, signal }: { readonly line: ProgressLine; readonly signal: AbortSignal },
): Promise<ExtractResult> {
  const onProgress = ({ done, total, session }: { done: number; total: number; session: string }): void =>
    line.show(`learning from ${session}  ${done} of ${total}`);
  const operation = {
    ...extract,
    run: (...[opened, input]: Parameters<typeof extract.run>) => runExtract(opened, input, { signal, onProgress }),
  };
  return runOperation(operation, context, given);
}
