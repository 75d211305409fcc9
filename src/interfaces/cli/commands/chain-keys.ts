import type { Command } from 'commander';
import { MnemeError } from '../../../model/errors.ts';
import { readVariable } from '../../../platform/environment.ts';
import {
  chainBackupKey,
  chainKeys,
  chainReplaceKey,
  chainRestoreKey,
  chainRotateKey,
} from '../../../operations/chain/keys.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { renderKeys } from './chain-view.ts';
import { show } from './show.ts';

const PASSPHRASE_ENV = 'MNEME_KEY_PASSPHRASE';

export function addChainKeyCommands(chain: Command, cli: Cli): void {
  const keys = chain
    .command('keys')
    .summary('The keys that sign the chain: show, rotate, back up, restore.')
    .description(
      `The private key lies beside the chain as agent.key, for nobody else to read; backups of the home leave it out. ` +
        `A passphrase is asked for, or taken from ${PASSPHRASE_ENV}.`,
    );
  keys
    .command('show', { isDefault: true })
    .description(chainKeys.summary)
    .action(async (_options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), chainKeys, {}, renderKeys);
    });
  keys
    .command('rotate')
    .description(chainRotateKey.summary)
    .action(async (_options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), chainRotateKey, {}, renderKeys);
    });
  keys
    .command('backup <file>')
    .description(chainBackupKey.summary)
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const passphrase = await askPassphrase(cli, 'A passphrase for the backup: ');
      await show(cli, options, chainBackupKey, { file, passphrase }, ({ style }, made) => {
        const hint = style.dim('Without the passphrase nobody can open it, you included.');
        return `${style.green('Backed up')} key ${made.fingerprint} to ${made.file}\n${hint}\n`;
      });
    });
  keys
    .command('restore <file>')
    .description(chainRestoreKey.summary)
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const passphrase = await askPassphrase(cli, 'The passphrase of the backup: ');
      await show(cli, options, chainRestoreKey, { file, passphrase }, ({ style }, restored) => {
        return `${style.green('Restored')} key ${restored.fingerprint}\n`;
      });
    });
  keys
    .command('replace')
    .description(chainReplaceKey.summary)
    .action(async (_options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), chainReplaceKey, {}, renderKeys);
    });
}

async function askPassphrase(cli: Cli, question: string): Promise<string> {
  const known = readVariable(PASSPHRASE_ENV);
  if (known !== undefined) return known;
  const typed = cli.io.isTerminal ? await cli.io.askSecret(question) : undefined;
  if (typed !== undefined && typed !== '') return typed;
  throw new MnemeError('usage', 'A passphrase is needed.', { hint: `Type it, or set ${PASSPHRASE_ENV}.` });
}
