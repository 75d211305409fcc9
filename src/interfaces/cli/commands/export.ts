import type { Command } from 'commander';
import { EXPORT_FORMATS, exportOperation, runExport, type ExportResult } from '../../../operations/export/export.ts';
import { runOperation } from '../../../operations/operation.ts';
import { countOf, showBytes, showSeconds } from '../../../operations/command-line/amounts.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { ProgressLine, untilInterrupted } from '../progress.ts';
import type { Style } from '../../../operations/command-line/style.ts';

interface ExportOptions extends GlobalOptions {
  readonly format?: (typeof EXPORT_FORMATS)[number];
  readonly scope?: string;
  readonly force?: boolean;
}

export function addExportCommand(program: Command, cli: Cli): void {
  program
    .command('export <path>')
    .summary(exportOperation.summary)
    .description(
      'Write the memory to a new folder or a .zip: files, conversations, proposals, records and settings, with a list of hashes. `mneme import` takes it in again. History stays behind; `mneme backup` takes that along.',
    )
    .option('--format <format>', `${EXPORT_FORMATS.join(', ')}; told by the ending of a file when not given`)
    .option('--scope <scope>', 'only what this scope sees, such as project:apollo')
    .option('--force', 'replace an earlier export')
    .action(async (path: string, _options, command: Command) => {
      await run(cli, command.optsWithGlobals<ExportOptions>(), path);
    });
}

async function run(cli: Cli, options: ExportOptions, path: string): Promise<void> {
  const { format, scope, force } = options;
  const line = new ProgressLine(cli, options);
  const onProgress = (files: number, bytes: number): void =>
    line.show(`exporting  ${countOf(files, 'file')} · ${showBytes(bytes)}`);
  const work = (signal: AbortSignal): Promise<ExportResult> =>
    cli.withMneme(
      options,
      ({ internals: context }) =>
        runOperation(
          { ...exportOperation, run: (opened, given) => runExport(opened, given, { signal, onProgress }) },
          context,
          { path, format, scope, force },
        ),
      exportOperation,
    );
  try {
    const result = await untilInterrupted(cli, work);
    line.clear();
    cli.print(options, result, (shown) => render(cli.style, shown));
  } finally {
    line.clear();
  }
}

function render(style: Style, { path, files, bytes, format, notes, tookMs, sha256 }: ExportResult): string {
  const back = format === 'mneme' ? style.dim(`Take it in again anywhere: mneme import ${path}\n`) : '';
  return [
    `${style.green('Exported')} ${countOf(files, 'file')} (${showBytes(bytes)}) to ${path} in ${showSeconds(tookMs)}.\n`,
    style.dim(`sha256 ${sha256}\n`),
    ...notes.map((note) => `${style.yellow('note')}  ${note}\n`),
    back,
  ].join('');
}
