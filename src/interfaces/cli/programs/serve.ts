import { z } from 'zod';
import { defineProgram } from '../derive/program.ts';
import { serveInput, serveShapes } from './serve-options.ts';

export const serve = defineProgram({
  name: 'serve',
  summary: 'Serve the memory over HTTP: API, events, dashboard, MCP.',
  description:
    'Serve the memory over HTTP until Ctrl-C: the API under /api/v1, its events, the dashboard, and MCP under /mcp. On this machine only, unless --host says otherwise; nothing is served without a token.',
  examples: ['mneme serve', 'mneme serve --port 0'],
  input: z.object(serveInput),
  cli: { section: 'interfaces', options: serveShapes },
  async start({ cli, options, input }) {
    // Help lists this command too, and must not load every verb for it.
    const { serveHome } = await import('./serve-home.ts');
    await serveHome(cli, { ...options, ...input });
  },
});
