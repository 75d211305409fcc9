import path from 'node:path';
import type { Command } from 'commander';
import { chooseForm, createBackup, runBackup, type BackupResult } from '../../../operations/backup/create.ts';
import { findBackupKeys } from '../../../operations/backup/backup-keys.ts';
import { listBackups, type BackupInfo } from '../../../operations/backup/list.ts';
import { restoreBackup, type RestoredHome } from '../../../operations/backup/restore.ts';
import { newestBackup, verifyBackup, type VerifiedBackup } from '../../../operations/backup/verify.ts';
import { assertMayWrite } from '../../../operations/operation.ts';
import { countOf, showBytes } from '../../../operations/command-line/amounts.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { ProgressLine, untilInterrupted } from '../progress.ts';
import { selfCommand } from '../self-command.ts';
import { showTime, table } from '../../../operations/command-line/style.ts';
import type { View } from '../../../operations/command-line/view.ts';
import { show } from './show.ts';

export function addBackupCommands(program: Command, cli: Cli): void {
  const backup = program
    .command('backup')
    .summary('Copies of the whole memory: make, check, restore.')
    .description(
      'A backup is one .tar.gz file with the files, transcripts, histories and journal of a home, and a list of hashes.',
    );
  backup
    .command('create')
    .description(`${createBackup.summary} Others may go on writing meanwhile. The oldest beyond backup.keep_count go.`)
    .option('--incremental', 'store only what is new since the last incremental one, as the nightly job does')
    .option('--encrypt', 'seal it for the keys of `mneme keys` (backup.encrypt: always)')
    .option('--no-encrypt', 'in the clear although backup.encrypt is on')
    .action((_options, command: Command) => create(cli, command));
  backup
    .command('list')
    .description(listBackups.summary)
    .action(async (_options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), listBackups, {}, renderList);
    });
  backup
    .command('verify [file]')
    .option('--key <file>', 'the key that opens a sealed one; else the home’s, or $MNEME_ENCRYPTION_KEY')
    .description('Restore a backup into a scratch folder and compare everything. Exit code 7 when it is damaged.')
    .action((file: string | undefined, _options, command: Command) => verify(cli, file, command));
  backup
    .command('restore <file>')
    .description('Make a home of a backup, where --home says. It is complete and checked before anything is replaced.')
    .option('--key <file>', 'the key that opens a sealed one; else the home’s, or $MNEME_ENCRYPTION_KEY')
    .option('--force', 'replace a home that is there; it is put aside as a whole, not deleted')
    .action((file: string, _options, command: Command) => restore(cli, file, command));
}

async function create(cli: Cli, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions & { incremental?: boolean; encrypt?: boolean }>();
  const line = new ProgressLine(cli, options);
  const result = await cli.withMneme(
    options,
    ({ internals: context }) =>
      untilInterrupted(cli, (signal) =>
        runBackup(context, { form: chooseForm(context, options), signal, onProgress: (text) => line.show(text) }),
      ),
    createBackup,
  );
  line.clear();
  cli.print(options, result, (shown) => renderCreated(cli, shown));
}

function renderCreated({ style }: Cli, result: BackupResult): string {
  const checked = `${result.isEncrypted ? ', sealed' : ''}${result.isVerified ? ', checked' : ''}`;
  const lines = [
    `${style.green('Backed up')} ${countOf(result.files, 'file')} to ${result.file} (${showBytes(result.bytes)}${checked})`,
    ...(result.hasTranscripts ? [] : [style.dim('Without transcripts (backup.include_transcripts).')]),
    ...result.removed.map((file) => style.dim(`removed ${path.basename(file)}`)),
    ...result.notes.map((note) => `${style.yellow('note')}  ${note}`),
  ];
  return `${lines.join('\n')}\n`;
}

function renderList({ style, timeZone }: View, backups: readonly BackupInfo[]): string {
  if (backups.length === 0) return `${style.dim('No backup yet; make one: mneme backup create')}\n`;
  return table(
    backups.map(({ file, made, bytes, isIncremental, isEncrypted }) => [
      showTime(Date.parse(made), timeZone),
      isIncremental ? 'incremental' : `${showBytes(bytes)}${isEncrypted ? ', sealed' : ''}`,
      file,
    ]),
  );
}

async function verify(cli: Cli, file: string | undefined, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions & { key?: string }>();
  const line = new ProgressLine(cli, options);
  const identities = findBackupKeys(cli.home(options), options.key);
  // A named file needs no home: it may be all that is left.
  const chosen = file ?? (await cli.withMneme(options, ({ internals }) => Promise.resolve(newestBackup(internals))));
  const result = await untilInterrupted(cli, (signal) =>
    verifyBackup(chosen, { identities, signal, onProgress: (text) => line.show(text) }),
  );
  line.clear();
  cli.print(options, result, (shown) => renderVerified(cli, shown));
}

function renderVerified({ style }: Cli, { file, made, files, bytes, repositories }: VerifiedBackup): string {
  return (
    `${style.green('Whole')} ${file}\n` +
    `made ${made}: ${countOf(files, 'file')} (${showBytes(bytes)} unpacked), history of ${repositories.join(', ')}\n`
  );
}

async function restore(cli: Cli, file: string, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions & { force?: boolean; key?: string }>();
  assertMayWrite(cli.actor(options), 'backup restore');
  const line = new ProgressLine(cli, options);
  const result = await untilInterrupted(cli, (signal) =>
    restoreBackup({
      archive: file,
      home: cli.home(options),
      force: options.force,
      key: options.key,
      command: selfCommand(),
      signal,
      onProgress: (text) => line.show(text),
    }),
  );
  line.clear();
  cli.print(options, result, (shown) => renderRestored(cli, shown));
}

function renderRestored({ style }: Cli, { home, made, files, before, notes }: RestoredHome): string {
  const lines = [
    `${style.green('Restored')} ${home} as it was at ${made} (${countOf(files, 'file')})`,
    ...(before === null ? [] : [`What was there before is now ${before}`]),
    ...notes.map((note) => `${style.yellow('note')}  ${note}`),
    style.dim('The index is made anew by the first question.'),
  ];
  return `${lines.join('\n')}\n`;
}
