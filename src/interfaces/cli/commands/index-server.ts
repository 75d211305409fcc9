import type { Command } from 'commander';
import { MnemeError } from '../../../model/errors.ts';
import { indexMigrate, migrateIndex, type IndexMigrated } from '../../../operations/search/index-migrate.ts';
import {
  eraseNamespace,
  limitNamespace,
  listNamespaces,
  type NamespaceInfo,
} from '../../../operations/search/index-namespaces.ts';
import { countOf, showBytes, showCount, showSeconds } from '../../../operations/command-line/amounts.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { ProgressLine, untilInterrupted } from '../progress.ts';
import { table, type Style } from '../../../operations/command-line/style.ts';
import type { View } from '../../../operations/command-line/view.ts';
import { showIndexing } from './index-commands-progress.ts';
import { numberOf, show } from './show.ts';

interface MigrateOptions extends GlobalOptions {
  readonly to: string;
}

interface NamespaceOptions extends GlobalOptions {
  readonly maxPassages?: string;
  readonly maxBytes?: string;
  readonly yes?: boolean;
}

/** What concerns an index that machines share. */
export function addIndexServerCommands(index: Command, cli: Cli): void {
  index
    .command('migrate')
    .description(
      `${indexMigrate.summary} Vectors are taken along, everything is compared with the files, then the setting changes. Ctrl-C stops it; the next run goes on from there.`,
    )
    .requiredOption('--to <engine>', 'postgres or sqlite')
    .action((_options, command: Command) => migrate(cli, command));
  const namespace = index.command('namespace').description('Memories that share a PostgreSQL server.');
  namespace
    .command('list')
    .description(listNamespaces.summary)
    .action(async (_options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), listNamespaces, {}, renderNamespaces);
    });
  namespace
    .command('limit <name>')
    .description(`${limitNamespace.summary} Without options: no limit.`)
    .option('--max-passages <count>', 'passages it may hold')
    .option('--max-bytes <count>', 'bytes of text it may hold')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<NamespaceOptions>();
      const maxPassages = numberOf('--max-passages', options.maxPassages) ?? null;
      const maxBytes = numberOf('--max-bytes', options.maxBytes) ?? null;
      await show(cli, options, limitNamespace, { name, maxPassages, maxBytes }, () => `${name} has its limits.\n`);
    });
  namespace
    .command('erase <name>')
    .description(eraseNamespace.summary)
    .option('-y, --yes', 'without this nothing is deleted')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<NamespaceOptions>();
      if (options.yes !== true) {
        throw new MnemeError('usage', `This would delete everything of "${name}" from the server.`, {
          hint: 'Add --yes. The files of every machine stay, and fill it again when they are next asked.',
        });
      }
      await show(cli, options, eraseNamespace, { name }, ({ style }) => `${style.green('Erased')} ${name}.\n`);
    });
}

async function migrate(cli: Cli, command: Command): Promise<void> {
  const options = command.optsWithGlobals<MigrateOptions>();
  const parsed = indexMigrate.input.safeParse({ to: options.to });
  if (!parsed.success) {
    throw new MnemeError('usage', `--to ${options.to} is no engine.`, { hint: 'It is postgres or sqlite.' });
  }
  const line = new ProgressLine(cli, options);
  const result = await cli.withMneme(
    options,
    ({ internals: context }) =>
      untilInterrupted(cli, (signal) => migrateIndex(context, parsed.data, { ...showIndexing(line), signal })),
    indexMigrate,
  );
  line.clear();
  cli.print(options, result, (shown) => renderMigrated(cli.style, shown));
  if (!result.isSwitched) cli.exitCode = result.isComplete ? EXIT_CODES.integrity : EXIT_CODES.failure;
}

function renderMigrated(style: Style, result: IndexMigrated): string {
  const { to, documents, passages, vectors, findings, isSwitched, isComplete, tookMs } = result;
  const amounts = `${countOf(passages, 'passage')} of ${countOf(documents, 'file')}, ${showCount(vectors.carried)} vectors taken along, ${showCount(vectors.made)} made`;
  const lines = [
    `${isSwitched ? style.green('Moved') : style.yellow('Not moved')} to ${to} in ${showSeconds(tookMs)}: ${amounts}.`,
    ...findings.map((finding) => `${style.yellow('differs')} ${finding}`),
    ...(isSwitched ? [`index.engine is ${to} from now on; the old index is kept until you delete it.`] : []),
    ...(isComplete ? [] : ['It was stopped; run it again to go on.']),
  ];
  return `${lines.join('\n')}\n`;
}

function renderNamespaces({ style }: View, namespaces: readonly NamespaceInfo[]): string {
  if (namespaces.length === 0) return `${style.dim('None.')}\n`;
  return table(
    namespaces.map(({ name, owner, isCurrent, maxPassages, maxBytes }) => [
      isCurrent ? style.bold(name) : name,
      style.dim(`owned by ${owner}`),
      maxPassages === null ? '' : `at most ${countOf(maxPassages, 'passage')}`,
      maxBytes === null ? '' : `at most ${showBytes(maxBytes)}`,
    ]),
  );
}
