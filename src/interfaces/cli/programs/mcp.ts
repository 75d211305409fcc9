import { z } from 'zod';
import { MCP_MODES } from '../../mcp/access.ts';
import { COMPATS } from '../../mcp/compat/server-memory.ts';
import { defineProgram } from '../derive/program.ts';
import { TOKEN_VARIABLE, serveInput, serveShapes } from './serve-options.ts';

export const mcp = defineProgram({
  name: 'mcp',
  summary: 'Serve the memory to an agent (Model Context Protocol).',
  description:
    'Serve the memory to agents over the Model Context Protocol: to the program that started it, on standard input and output, or with --http to whoever has the token. --port, --host, --allow-host and --token go with --http.',
  input: z.object({
    mode: z
      .enum(MCP_MODES, { error: ({ input }) => `"${String(input)}" is not a mode: use ${MCP_MODES.join(', ')}` })
      .optional()
      .describe('What it may do; server.mcp_mode, or what --as allows, when not given.'),
    compat: z
      .enum(COMPATS, {
        error: ({ input }) =>
          `"${String(input)}" is not a memory server whose tools are known: use ${COMPATS.join(', ')}`,
      })
      .optional()
      .describe('Offer the tools of another memory server instead, by their names.'),
    http: z.boolean().default(false).describe('Streamable HTTP instead of standard input and output.'),
    ...serveInput,
    token: z.string().optional().describe(`The token; ${TOKEN_VARIABLE}, or a new one, printed once, when not given.`),
  }),
  cli: {
    section: 'interfaces',
    options: { ...serveShapes, mode: { value: 'mode' }, compat: { value: 'server' }, token: { value: 'token' } },
  },
  async start({ cli, options, input }) {
    // Help lists this command too, and must not load the protocol for it.
    const { serveMcp } = await import('./serve-mcp.ts');
    await serveMcp(cli, { ...options, ...input });
  },
});
