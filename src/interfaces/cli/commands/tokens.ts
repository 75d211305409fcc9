import type { Command } from 'commander';
import { MnemeError } from '../../../model/errors.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { table } from '../style.ts';

const ROLES = ['owner', 'viewer', 'main', 'proposer', 'reader'] as const;

export function addTokenCommands(program: Command, cli: Cli): void {
  const tokens = program
    .command('tokens')
    .summary('Who may use the memory over HTTP.')
    .description(
      'Tokens for the HTTP API, the dashboard and MCP over HTTP. Only their hashes are kept; a running server hears of changes at once.',
    );
  addAdding(tokens, cli);
  tokens
    .command('list')
    .description('The tokens there are; what they say themselves is shown only when they are made.')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { openTokens } = await import('./tokens-work.ts');
      const found = (await openTokens(cli, options)).list();
      const shown = found.map(({ name, role, scope, created }) => ({ name, role, scope: scope ?? null, created }));
      cli.print(options, { tokens: shown }, () => {
        if (shown.length === 0) return 'There is no token yet: mneme tokens add NAME --role ROLE\n';
        return table(shown.map(({ name, role, scope, created }) => [name, role, scope ?? '', cli.style.dim(created)]));
      });
    });
  tokens
    .command('revoke <name>')
    .description('Take a token back; whoever uses it is refused from then on.')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { revokeToken } = await import('./tokens-work.ts');
      const { role } = await revokeToken(cli, options, name);
      cli.print(options, { name, role, revoked: true }, () => `${cli.style.green('Revoked')} ${name} (${role}).\n`);
    });
}

function addAdding(tokens: Command, cli: Cli): void {
  tokens
    .command('add <name>')
    .description('Make a token and print it, once.')
    .requiredOption(
      '--role <role>',
      'owner (everything), viewer (a person who only looks), main (the agent), proposer (a sub-agent: proposes), reader (an agent that only reads)',
    )
    .option('--scope <scope>', 'confine it to one scope, such as project:atlas')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { role: string; scope?: string }>();
      const role = ROLES.find((known) => known === options.role);
      if (role === undefined) {
        throw new MnemeError('usage', `"${options.role}" is not a role.`, { hint: `Use ${ROLES.join(', ')}.` });
      }
      const { addToken } = await import('./tokens-work.ts');
      const token = await addToken(cli, options, { name, role, scope: options.scope });
      cli.print(options, { name, role, scope: options.scope ?? null, token }, () =>
        [
          `${cli.style.green('Made')} a token for ${name} (${role}). It is not shown again:`,
          '',
          `  ${token}`,
          '',
          cli.style.dim(`Send it as: Authorization: Bearer TOKEN. Take it back: mneme tokens revoke ${name}`),
          '',
        ].join('\n'),
      );
    });
}
