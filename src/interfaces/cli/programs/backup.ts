import { z } from 'zod';
import { findBackupKeys } from '../../../operations/backup/places.ts';
import { restoreBackup, type RestoredHome } from '../../../operations/backup/restore.ts';
import { checkBackup, verifyBackup, type VerifiedBackup } from '../../../operations/backup/verify.ts';
import { countOf, showBytes } from '../../../operations/command-line/plain.ts';
import type { Style } from '../../../operations/command-line/style.ts';
import { assertMayWrite, runOperation } from '../../../operations/operation.ts';
import { defineProgram } from '../derive/program.ts';
import { ProgressLine, untilInterrupted } from '../progress.ts';
import { selfCommand } from '../version.ts';

const key = z
  .string()
  .optional()
  .describe('The key that opens an encrypted one; the home’s or $MNEME_ENCRYPTION_KEY when not given.');
const keyOption = { key: { value: 'file' } };

export const backupVerify = defineProgram({
  name: 'backup verify',
  summary: 'Restore a backup into a scratch folder and compare everything.',
  description: 'Restore a backup into a scratch folder and compare everything. Exit code 7 when it is damaged.',
  examples: ['mneme backup verify', 'mneme backup verify /mnt/disk/mneme-20260216T040000Z.tar.gz'],
  input: z.object({ file: z.string().optional().describe('The backup; the newest when not given.'), key }),
  args: ['file'],
  cli: { options: keyOption },
  async start({ cli, options, input }) {
    const line = new ProgressLine(cli, options);
    const identities = findBackupKeys(cli.home(options), input.key);
    const onProgress = (text: string): void => line.show(text);
    const result = await untilInterrupted(cli, (signal) => {
      const controls = { identities, signal, onProgress };
      // A named file needs no home: it may be all that is left.
      if (input.file !== undefined) return verifyBackup(input.file, controls);
      return cli.withMneme(options, (mneme) => runOperation(checkBackup, mneme.internals, {}, controls), checkBackup);
    });
    line.clear();
    cli.print(options, result, (shown) => renderVerified(cli.style, shown));
  },
});

export const backupRestore = defineProgram({
  name: 'backup restore',
  summary: 'Make a home of a backup, where --home says.',
  description: 'Make a home of a backup, where --home says. It is complete and checked before anything is replaced.',
  examples: ['mneme --home ~/restored backup restore /mnt/disk/mneme-20260216T040000Z.tar.gz'],
  input: z.object({
    file: z.string().describe('The backup.'),
    key,
    force: z.boolean().default(false).describe('Replace an existing home; it is moved aside as a whole, not deleted.'),
  }),
  args: ['file'],
  cli: { options: keyOption },
  async start({ cli, options, input: { file, key: keyFile, force } }) {
    assertMayWrite(cli.actor(options), 'backup restore');
    const line = new ProgressLine(cli, options);
    const result = await untilInterrupted(cli, (signal) =>
      restoreBackup({
        archive: file,
        home: cli.home(options),
        force,
        key: keyFile,
        command: selfCommand(),
        signal,
        onProgress: (text) => line.show(text),
      }),
    );
    line.clear();
    cli.print(options, result, (shown) => renderRestored(cli.style, shown));
  },
});

function renderVerified(style: Style, { file, made, files, bytes, repositories }: VerifiedBackup): string {
  return (
    `${style.green('Whole')} ${file}\n` +
    `made ${made}: ${countOf(files, 'file')} (${showBytes(bytes)} unpacked), history of ${repositories.join(', ')}\n`
  );
}

function renderRestored(style: Style, { home, made, files, before, notes }: RestoredHome): string {
  const lines = [
    `${style.green('Restored')} ${home} as it was at ${made} (${countOf(files, 'file')})`,
    ...(before === null ? [] : [`What was there before is now ${before}`]),
    ...notes.map((note) => `${style.yellow('note')}  ${note}`),
    style.dim('The index is made anew by the first question.'),
  ];
  return `${lines.join('\n')}\n`;
}
