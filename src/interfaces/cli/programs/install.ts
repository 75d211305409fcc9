import { z } from 'zod';
import { CLIENT_NAMES, CONNECT_SCOPES } from '../../../runtime/connect/client.ts';
import { defineProgram } from '../derive/program.ts';

const NAMES = CLIENT_NAMES.join(', ');

const input = z.object({
  client: z.string().optional().describe(`One of ${NAMES}.`),
  scope: z
    .enum(CONNECT_SCOPES, {
      error: ({ input: given }) => `"${String(given)}" is not one of ${CONNECT_SCOPES.join(', ')}`,
    })
    .default('user')
    .describe('Everywhere, or in this folder only.'),
  dryRun: z.boolean().default(false).describe('Only show what would change.'),
  yes: z.boolean().default(false).describe('Change it without asking.'),
});
const options = { scope: { value: 'scope' }, yes: { short: 'y' } };

export const install = defineProgram({
  name: 'install',
  summary: 'Connect an agent to the memory.',
  description: `Connect an agent to the memory: ${NAMES}. Shows what it would change in that program’s settings, asks, keeps a copy, and changes nothing else in them. Without a name: what is here, and what is connected.`,
  examples: ['mneme install', 'mneme install claude-code'],
  input,
  args: ['client'],
  cli: { section: 'setup', options },
  async start(call) {
    // Help lists these commands too, and must not load what they do.
    const { runInstall } = await import('./connect-client.ts');
    await runInstall(call.cli, 'install', call.input.client, { ...call.options, ...call.input });
  },
});

export const uninstall = defineProgram({
  name: 'uninstall',
  summary: 'Remove from an agent’s settings what install added.',
  description: `Remove from an agent’s settings what \`mneme install\` added, and nothing else: ${NAMES}. The memory itself stays.`,
  input,
  args: ['client'],
  cli: { section: 'setup', options },
  async start(call) {
    const { runInstall } = await import('./connect-client.ts');
    await runInstall(call.cli, 'uninstall', call.input.client, { ...call.options, ...call.input });
  },
});
