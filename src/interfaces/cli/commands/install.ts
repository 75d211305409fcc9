import type { Command } from 'commander';
import { CLIENT_NAMES } from '../../../runtime/connect/clients.ts';
import { CONNECT_SCOPES } from '../../../runtime/connect/places.ts';
import type { Cli } from '../cli.ts';
import type { InstallOptions } from './install-work.ts';

const NAMES = CLIENT_NAMES.join(', ');

/** Connecting other programs to the memory, and taking that back. */
export function addInstallCommands(program: Command, cli: Cli): void {
  const add = (name: 'install' | 'uninstall', summary: string, description: string): void => {
    program
      .command(`${name} [client]`)
      .summary(summary)
      .description(description)
      .option('--scope <scope>', `${CONNECT_SCOPES.join(' or ')}: everywhere, or in this folder only`, 'user')
      .option('--dry-run', 'only show what would change')
      .option('-y, --yes', 'change it without asking')
      .action(async (client: string | undefined, _options, command: Command) => {
        // Help lists these commands too, and must not load what they do.
        const { runInstall } = await import('./install-work.ts');
        await runInstall(cli, name, client, command.optsWithGlobals<InstallOptions>());
      });
  };
  add(
    'install',
    'Connect an agent to the memory.',
    `Connect an agent to the memory: ${NAMES}. Shows what it would change in that program’s settings, asks, keeps a copy, and changes nothing else in them. Without a name: what is here, and what is connected.`,
  );
  add(
    'uninstall',
    'Take out of an agent’s settings what install put in.',
    `Take out of an agent’s settings what \`mneme install\` put in, and nothing else: ${NAMES}. The memory itself stays.`,
  );
}
