import { z } from 'zod';
import { table } from '../../../operations/command-line/style.ts';
import { API_ROLES } from '../../http/route.ts';
import { defineProgram } from '../derive/program.ts';
import { addToken, openTokens, revokeToken } from './token-file.ts';

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
