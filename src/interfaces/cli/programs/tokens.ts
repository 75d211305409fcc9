import { z } from 'zod';
import { MnemeError } from '../../../model/errors.ts';
import { roleOf } from '../../../model/mutation.ts';
import { table } from '../../../operations/command-line/style.ts';
import { systemClock } from '../../../platform/clock.ts';
import { systemRandom } from '../../../platform/random.ts';
import { readHome } from '../../../workspace/home.ts';
import { refuseSecretId } from '../../../workspace/safety/clean-name.ts';
import { createRedactor } from '../../../workspace/safety/redact.ts';
import { TokenFile, type NewToken, type StoredToken } from '../../http/access/token-file.ts';
import { API_ROLES } from '../../http/route.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { defineProgram } from '../derive/program.ts';

export const tokensList = defineProgram({
  name: 'serve tokens list',
  summary: 'List the tokens. A token itself is shown only once, when it is made.',
  input: z.strictObject({}),
  cli: { isDefault: true, formerly: ['tokens list', 'tokens'] },
  async start({ cli, options }) {
    const found = (await openTokens(cli, options)).list();
    const shown = found.map(({ name, role, scope, created }) => ({ name, role, scope: scope ?? null, created }));
    cli.print(options, { tokens: shown }, () => {
      if (shown.length === 0) return 'There is no token yet: mneme serve tokens add NAME --role ROLE\n';
      return table(shown.map(({ name, role, scope, created }) => [name, role, scope ?? '', cli.style.dim(created)]));
    });
  },
});

export const tokensAdd = defineProgram({
  name: 'serve tokens add',
  summary: 'Make a token and print it, once.',
  examples: [
    'mneme serve tokens add laptop --role owner',
    'mneme serve tokens add ci --role reader --scope project:atlas',
  ],
  input: z.strictObject({
    name: z.string().describe('What it is called.'),
    role: z
      .enum(API_ROLES, { error: ({ input }) => `"${String(input)}" is not a role: use ${API_ROLES.join(', ')}` })
      .describe(
        'owner (everything), viewer (a person who only looks), main (the agent), proposer (a sub-agent: proposes), reader (an agent that only reads)',
      ),
    scope: z.string().optional().describe('Confine it to one scope, such as project:atlas.'),
  }),
  args: ['name'],
  cli: { formerly: ['tokens add'], options: { role: { value: 'role' }, scope: { value: 'scope' } } },
  async start({ cli, options, input: { name, role, scope } }) {
    const token = await addToken(cli, options, { name, role, scope });
    cli.print(options, { name, role, scope: scope ?? null, token }, () =>
      [
        `${cli.style.green('Made')} a token for ${name} (${role}). It is not shown again:`,
        '',
        `  ${token}`,
        '',
        cli.style.dim(`Send it as: Authorization: Bearer TOKEN. Take it back: mneme serve tokens revoke ${name}`),
        '',
      ].join('\n'),
    );
  },
});

export const tokensRevoke = defineProgram({
  name: 'serve tokens revoke',
  summary: 'Revoke a token; its user is refused from then on.',
  input: z.strictObject({ name: z.string().describe('What it is called.') }),
  args: ['name'],
  cli: { formerly: ['tokens revoke'] },
  async start({ cli, options, input: { name } }) {
    const { role } = await revokeToken(cli, options, name);
    cli.print(options, { name, role, revoked: true }, () => `${cli.style.green('Revoked')} ${name} (${role}).\n`);
  },
});

async function openTokens(cli: Cli, options: GlobalOptions): Promise<TokenFile> {
  const { paths } = await readHome(cli.home(options));
  return new TokenFile(paths.state);
}

async function addToken(cli: Cli, options: GlobalOptions, token: NewToken): Promise<string> {
  assertPerson(cli, options, 'tokens add');
  const { paths, config } = await readHome(cli.home(options));
  await refuseSecretId(createRedactor(config.redaction), token.name, 'name');
  const file = new TokenFile(paths.state);
  return file.add(token, systemRandom, new Date(systemClock.now()).toISOString());
}

async function revokeToken(cli: Cli, options: GlobalOptions, name: string): Promise<StoredToken> {
  assertPerson(cli, options, 'tokens revoke');
  return (await openTokens(cli, options)).revoke(name);
}

/** Throws unless a person asks: tokens decide what others may do. */
function assertPerson(cli: Cli, options: GlobalOptions, name: string): void {
  const actor = cli.actor(options);
  if (roleOf(actor) === 'human') return;
  throw new MnemeError('refused', `${actor} may not run ${name}: only a person may.`, {
    hint: 'Tell the user who should be let in, and as what.',
  });
}
