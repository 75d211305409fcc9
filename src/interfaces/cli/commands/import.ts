import fs from 'node:fs';
import type { Command } from 'commander';
import { IMPORT_SOURCES, type ImportFrom } from '../../../exchange/import/request.ts';
import { importOperation } from '../../../operations/import.ts';
import { MnemeError } from '../../../model/errors.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { ProgressLine, untilInterrupted } from '../progress.ts';
import { ensureHome } from '../programs/make-home.ts';
import { renderImported } from './import-view.ts';
import { importWithProgress, indexWithProgress, type Imported } from './import-work.ts';
import { isFinished } from './index-commands-progress.ts';

interface ImportOptions extends GlobalOptions {
  readonly since?: string;
  readonly project?: string;
  readonly dryRun?: boolean;
  readonly from?: string;
  readonly mine?: boolean;
  readonly yes?: boolean;
}

export function addImportCommand(program: Command, cli: Cli): void {
  program
    .command('import <source> [path]')
    .summary(importOperation.summary)
    .description(
      `Take over sessions and notes of other programs. SOURCE is a file, folder or .zip, told by what it holds, or one of ${IMPORT_SOURCES.join(', ')}, with a path behind it where it needs one. Doing it again takes only what is new. \`import transcript -\` reads standard input.`,
    )
    .option('--from <kind>', 'what the source is, where that cannot be told')
    .option('--since <when>', 'leave out what ended before: 2026-02-16, "30 days ago"')
    .option('--project <name>', 'only sessions of this project: its folder, or its name')
    .option('--mine', 'these notes are your own words and count as such')
    .option('--dry-run', 'only say what would be imported')
    .option('-y, --yes', 'make the home if there is none, without asking')
    .action(async (source: string, path: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<ImportOptions>();
      const wanted = sourceNamed(source, path, options.from);
      if (!(await ensureHome(cli, options))) return;
      await run(cli, options, wanted);
    });
}

interface Wanted {
  /** undefined when it is to be told by what the path holds. */
  readonly from: ImportFrom | undefined;
  readonly path: string | undefined;
}

/** `import codex`, `import codex DIR`, `import FILE` and `import FILE --from KIND`. */
function sourceNamed(source: string, path: string | undefined, kind: string | undefined): Wanted {
  const from = kind === undefined ? undefined : kindNamed(kind);
  const named = IMPORT_SOURCES.find((name) => name === source);
  if (named !== undefined && (from === undefined || path !== undefined)) {
    if (from === undefined || from === named) return { from: named, path };
    throw new MnemeError('usage', `The source is called ${named} and ${from} at once.`, { hint: 'Leave out --from.' });
  }
  if (path !== undefined) throw unknownKind(source);
  if (!fs.existsSync(source) && source !== '-' && !/[./\\]/u.test(source)) throw unknownKind(source);
  return { from, path: source };
}

function kindNamed(kind: string): ImportFrom {
  const from = IMPORT_SOURCES.find((name) => name === kind);
  if (from === undefined) throw unknownKind(kind);
  return from;
}

function unknownKind(kind: string): MnemeError {
  return new MnemeError('usage', `Nothing can be imported from "${kind}".`, {
    hint: `Name a file or folder, or one of: ${IMPORT_SOURCES.join(', ')}.`,
  });
}

async function run(cli: Cli, options: ImportOptions, { from, path }: Wanted): Promise<void> {
  const { since, project, dryRun, mine } = options;
  const line = new ProgressLine(cli, options);
  const work = async (signal: AbortSignal): Promise<Imported> =>
    cli.withMneme(
      options,
      async ({ internals: context }) => {
        const result = await importWithProgress(
          cli,
          context,
          { from, path, since, project, dryRun, mine },
          { line, signal },
        );
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
