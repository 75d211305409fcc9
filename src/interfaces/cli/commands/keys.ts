import type { Command } from 'commander';
import type { NewKey } from '../../../operations/history/sealed/key.ts';
import {
  addSealRecipient,
  newSealKey,
  removeSealRecipient,
  resealRemoteHistory,
  rotateSealKey,
  showSealKeys,
  type Resealed,
  type SealKeys,
} from '../../../operations/history/sealed/keys.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { countOf } from '../../../operations/command-line/amounts.ts';
import { plainLine } from '../../../operations/command-line/plain.ts';
import type { View } from '../../../operations/command-line/view.ts';
import { show } from './show.ts';

export function addKeysCommands(program: Command, cli: Cli): void {
  const keys = program
    .command('keys')
    .summary('Keys that seal what leaves this machine: remotes and encrypted backups.')
    .description('age keys: one of this machine’s own, and the public halves of others who may open what is sealed.');
  keys
    .command('new')
    .description(newSealKey.summary)
    .action(async (_options, command: Command) => {
      await show(cli, optionsOf(command), newSealKey, {}, renderNewKey);
    });
  keys
    .command('show', { isDefault: true })
    .description(showSealKeys.summary)
    .action(async (_options, command: Command) => {
      await show(cli, optionsOf(command), showSealKeys, {}, renderKeys);
    });
  keys
    .command('rotate')
    .description(rotateSealKey.summary)
    .action(async (_options, command: Command) => {
      await show(cli, optionsOf(command), rotateSealKey, {}, renderKeys);
    });
  keys
    .command('add <key>')
    .description(addSealRecipient.summary)
    .option('--name <name>', 'whose it is, such as laptop')
    .action(async (key: string, _options, command: Command) => {
      const { name } = command.optsWithGlobals<GlobalOptions & { name?: string }>();
      await show(cli, optionsOf(command), addSealRecipient, { key, name }, renderKeys);
    });
  keys
    .command('remove <who>')
    .description(removeSealRecipient.summary)
    .action(async (who: string, _options, command: Command) => {
      await show(cli, optionsOf(command), removeSealRecipient, { who }, renderKeys);
    });
  keys
    .command('reseal')
    .description(resealRemoteHistory.summary)
    .action(async (_options, command: Command) => {
      await show(cli, optionsOf(command), resealRemoteHistory, {}, renderResealed);
    });
}

function optionsOf(command: Command): GlobalOptions {
  return command.optsWithGlobals<GlobalOptions>();
}

export function renderNewKey(_view: unknown, { file, recipient }: NewKey): string {
  return `Key: ${file}\nPublic half: ${recipient}\nKeep a copy elsewhere: without it nobody opens what was sealed, and no backup holds it.\n`;
}

function renderKeys({ style }: View, { place, recipient, older, others, notes }: SealKeys): string {
  if (place === null) return `${style.dim('No key yet; make one: mneme keys new')}\n`;
  const lines = [
    `Key: ${place}${older === 0 ? '' : style.dim(` (and ${countOf(older, 'older key')}, to open what they sealed)`)}`,
    `Public half: ${recipient ?? ''}`,
    ...others.map(({ key, name }) => `Also for: ${key}${name === null ? '' : ` ${plainLine(name)}`}`),
    ...notes.map((note) => `${style.yellow('note')}  ${note}`),
  ];
  return `${lines.join('\n')}\n`;
}

function renderResealed({ style }: View, { remote, recipients }: Resealed): string {
  return `${style.green('Sealed anew')} for ${countOf(recipients, 'key')} at ${remote}\n`;
}
