import type { Command } from 'commander';
import { IMPORT_SOURCES, type ImportFrom } from '../../../exchange/import/request.ts';
import { importOperation } from '../../../operations/import.ts';
import { MnemeError } from '../../../model/errors.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { ProgressLine, untilInterrupted } from '../progress.ts';
import { ensureHome } from './first-run-home.ts';
import { renderImported } from './import-view.ts';
import { importWithProgress, indexWithProgress, type Imported } from './import-work.ts';
import { isFinished } from './index-commands-progress.ts';

interface ImportOptions extends GlobalOptions {
  readonly since?: string;
  readonly project?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export function addImportCommand(program: Command, cli: Cli): void {
  program
    .command('import <from> [path]')
    .summary(importOperation.summary)
    .description(
      `Take over sessions and notes of other programs: ${IMPORT_SOURCES.join(', ')}. Doing it again takes only what is new. \`import transcript -\` reads standard input.`,
    )
    .option('--since <when>', 'leave out what ended before: 2026-02-16, "30 days ago"')
    .option('--project <name>', 'only sessions of this project: its folder, or its name')
    .option('--dry-run', 'only say what would be imported')
    .option('-y, --yes', 'make the home if there is none, without asking')
    .action(async (from: string, path: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<ImportOptions>();
      const source = sourceNamed(from);
      if (!(await ensureHome(cli, options))) return;
      await run(cli, options, source, path);
    });
}

function sourceNamed(from: string): ImportFrom {
  const source = IMPORT_SOURCES.find((name) => name === from);
  if (source !== undefined) return source;
  throw new MnemeError('usage', `Nothing can be imported from "${from}".`, {
    hint: `There are: ${IMPORT_SOURCES.join(', ')}.`,
  });
}

async function run(cli: Cli, options: ImportOptions, from: ImportFrom, path: string | undefined): Promise<void> {
  const { since, project, dryRun } = options;
  const line = new ProgressLine(cli, options);
  const work = async (signal: AbortSignal): Promise<Imported> =>
    cli.withMneme(
      options,
      async ({ internals: context }) => {
        const result = await importWithProgress(cli, context, { from, path, since, project, dryRun }, { line, signal });
        const index = dryRun === true ? undefined : await indexWithProgress(context, { line, signal });
        return { result, index };
      },
      importOperation,
    );
  const imported = await untilInterrupted(cli, work);
  line.clear();
  const { result, index } = imported;
  cli.print(options, { ...result, index }, (shown) => renderImported(cli.style, { result: shown, index: shown.index }));
  if (result.interrupted || (index !== undefined && !index.isComplete)) {
    cli.warn('Stopped. What was imported stays; the same command goes on from there.');
  }
  if (result.interrupted || (index !== undefined && !isFinished(index))) cli.exitCode = EXIT_CODES.failure;
}
