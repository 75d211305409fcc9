import { z } from 'zod';
import { defineProgram } from '../derive/program.ts';
import { serveInput } from './serve-options.ts';

export const dashboard = defineProgram({
  name: 'dashboard',
  summary: 'See what your agent believes, and change it, in the browser.',
  description:
    'Open the dashboard in the browser: what the agent was told, approvals, search, history with undo, files, the graph. Serves the home until Ctrl-C, or uses the server that runs already. The address holds a key: do not share it.',
  examples: ['mneme dashboard', 'mneme dashboard --demo', 'mneme dashboard --read-only'],
  input: z.object({
    port: serveInput.port,
    open: z.boolean().default(true).describe('Only print the address.'),
    demo: z.boolean().default(false).describe('Show an invented memory to look around in; it is deleted at the end.'),
    readOnly: z.boolean().default(false).describe('An address that may look at everything and change nothing.'),
  }),
  cli: { section: 'everyday' },
  async start({ cli, options, input }) {
    // Help lists this command too, and must not load the server for it.
    const { openDashboard } = await import('./open-dashboard.ts');
    await openDashboard(cli, { ...options, ...input });
  },
});
