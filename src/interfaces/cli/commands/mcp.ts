import type { Command } from 'commander';
import { MCP_MODES } from '../../mcp/access.ts';
import type { Cli } from '../cli.ts';
import { TOKEN_VARIABLE, type McpOptions } from './mcp-options.ts';

export function addMcpCommand(program: Command, cli: Cli): void {
  program
    .command('mcp')
    .summary('Serve the memory to an agent (Model Context Protocol).')
    .description(
      'Serve the memory to agents over the Model Context Protocol: to the program that started it, on standard input and output, or with --http to whoever has the token.',
    )
    .option('--mode <mode>', `${MCP_MODES.join(', ')} (default: server.mcp_mode, or what --as allows)`)
    .option('--compat <server>', 'offer the tools of another memory server instead, by their names: server-memory')
    .option('--http', 'streamable HTTP instead of standard input and output')
    .option('--port <number>', 'with --http: the port; 0 takes any free one (default: server.port)')
    .option('--host <address>', 'with --http: the address (default: server.host, this machine only)')
    .option('--allow-host <names...>', 'with --http: other names requests may call this machine by')
    .option('--token <token>', `with --http: the token (default: ${TOKEN_VARIABLE}, or a new one, printed once)`)
    .action(async (_options, command: Command) => {
      // Help lists this command too, and must not load the protocol for it.
      const { serveMcp } = await import('./mcp-serve.ts');
      await serveMcp(cli, command.optsWithGlobals<McpOptions>());
    });
}
