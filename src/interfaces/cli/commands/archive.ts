import type { Command } from 'commander';
import { archiveList, type ArchiveList } from '../../../operations/archive/list.ts';
import { archivePack, runPack, type ArchivePacked } from '../../../operations/archive/pack.ts';
import { archiveRestore, type ArchiveRestored } from '../../../operations/archive/restore.ts';
import { archiveSearch, type ArchiveSearchResult } from '../../../operations/archive/search.ts';
import { countOf, showBytes } from '../amounts.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { plainLine } from '../plain.ts';
import { ProgressLine, untilInterrupted } from '../progress.ts';
import { showTime, table, type Style } from '../style.ts';
import type { View } from './history-view.ts';
import { numberOf, show } from './show.ts';

interface ScopedOptions extends GlobalOptions {
  readonly scope?: string;
}

const SCOPE = ['--scope <scope>', 'besides what is shared, what belongs to this scope'] as const;

export function addArchiveCommands(program: Command, cli: Cli): void {
  const archive = program
    .command('archive')
    .summary('What was put away: list it, search it, bring it back.')
    .description('Archived memories lie under memory/archive/, by month; everyday search leaves them out.');
  archive
    .command('list')
    .description(archiveList.summary)
    .option('--month <month>', 'only what was archived in this month, such as 2026-11')
    .option(...SCOPE)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<ScopedOptions & { readonly month?: string }>();
      await show(cli, options, archiveList, { ...scopeOf(options), month: options.month }, renderList);
    });
  archive
    .command('search <query...>')
    .description(archiveSearch.summary)
    .option('--limit <number>', 'most hits (default 10)')
    .option(...SCOPE)
    .action(async (words: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<ScopedOptions & { readonly limit?: string }>();
      const limit = numberOf('--limit', options.limit);
      await show(cli, options, archiveSearch, { query: words.join(' '), limit, ...scopeOf(options) }, renderHits);
    });
  archive
    .command('restore <id...>')
    .description(`${archiveRestore.summary} Named by an item's id, the file it was, or its file in the archive.`)
    .action(async (ids: string[], _options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), archiveRestore, { ids }, renderRestored);
    });
  archive
    .command('pack')
    .description(`${archivePack.summary} A daemon does this every night.`)
    .option('--dry-run', 'only show what would be packed and deleted')
    .action((_options, command: Command) => packOld(cli, command));
}

function scopeOf({ scope }: ScopedOptions): { readonly scope?: string } {
  return scope === undefined ? {} : { scope };
}

async function packOld(cli: Cli, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions & { readonly dryRun?: boolean }>();
  const line = new ProgressLine(cli, options);
  const result = await cli.withMneme(
    options,
    ({ internals: context }) =>
      untilInterrupted(cli, (signal) =>
        runPack(context, { dryRun: options.dryRun }, { signal, onProgress: (text) => line.show(text) }),
      ),
    archivePack,
  );
  line.clear();
  cli.print(options, result, (shown) => renderPacked(cli.style, shown));
}

function renderList({ style, timeZone }: View, { entries, strangers }: ArchiveList): string {
  if (entries.length + strangers.length === 0) return `${style.dim('Nothing was put away yet.')}\n`;
  const rows = entries.map(({ at, item, from, reason = '', packed, path }) => [
    showTime(Date.parse(at), timeZone),
    item ?? style.dim('whole file'),
    plainLine(from),
    style.dim([reason, packed ? 'packed' : ''].filter((word) => word !== '').join(', ')),
    style.dim(plainLine(path)),
  ]);
  const others = strangers.map(
    (file) => `${style.yellow('note')} ${plainLine(file)} does not say where it came from.\n`,
  );
  return `${rows.length === 0 ? '' : table(rows)}${others.join('')}`;
}

function renderHits({ style }: View, { hits, notes }: ArchiveSearchResult): string {
  const lines = hits.flatMap(({ archived, path, text }) => [
    `${style.bold(plainLine(archived ?? ''))}  ${plainLine(text.replaceAll(/\s+/gu, ' '))}`,
    style.dim(`   ${plainLine(path)}`),
  ]);
  if (hits.length === 0) lines.push(style.dim('Nothing in the archive is about that.'));
  else lines.push('', style.dim('Bring one back: mneme archive restore ID'));
  return `${[...lines, ...notes.map((note) => `${style.yellow('note')} ${note}`)].join('\n')}\n`;
}

function renderRestored({ style }: View, { restored, mutation, warnings }: ArchiveRestored): string {
  const lines = [
    ...restored.map(({ item, to }) => `${style.green('Restored')} ${item === undefined ? to : `${item} to ${to}`}`),
    ...warnings.map((warning) => `${style.yellow('note')} ${warning}`),
    style.dim(`undo: mneme rollback ${mutation ?? ''}`),
  ];
  return `${lines.join('\n')}\n`;
}

function renderPacked(style: Style, result: ArchivePacked): string {
  const { packed, transcripts, deleted, spared, isDryRun, bytesBefore, bytesAfter, notes } = result;
  const { deletedTranscripts, announcedTranscripts, sparedTranscripts } = result;
  const what = `${countOf(packed.length, 'archived file')} and ${countOf(transcripts.length, 'transcript')}`;
  const sizes = bytesBefore === 0 ? '' : ` (${showBytes(bytesBefore)} became ${showBytes(bytesAfter)})`;
  const lines = [
    isDryRun ? `Would pack ${what}.` : `${style.green('Packed')} ${what}${sizes}.`,
    ...(isDryRun ? [...packed, ...transcripts.map((file) => `raw/${file}`)].map((file) => style.dim(`  ${file}`)) : []),
    ...deleted.map((file) => `${style.red(isDryRun ? 'would delete' : 'deleted')} ${file}`),
    ...deletedTranscripts.map((file) => `${style.red(isDryRun ? 'would delete' : 'deleted')} raw/${file}`),
    ...(isDryRun
      ? announcedTranscripts.map((file) => `${style.yellow('too old, goes a week after it is announced')} raw/${file}`)
      : []),
    ...(isDryRun ? sparedTranscripts.map((file) => `${style.yellow('kept')} raw/${file}: not learned from yet`) : []),
    ...spared.map((file) => `${style.yellow('kept')} ${file}: pinned or important, whatever its age`),
    ...notes.map((note) => `${style.yellow('note')} ${note}`),
  ];
  return `${lines.join('\n')}\n`;
}
