import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import type { ServeCommandOptions } from './serve-options.ts';

export function addServeCommands(program: Command, cli: Cli): void {
  program
    .command('serve')
    .summary('Serve the memory over HTTP: API, events, dashboard, MCP.')
    .description(
      'Serve the memory over HTTP until Ctrl-C: the API under /api/v1, its events, the dashboard, and MCP under /mcp. On this machine only, unless --host says otherwise; nothing is served without a token.',
    )
    .option('--port <number>', 'the port; 0 takes any free one (default: server.port)')
    .option('--host <address>', 'the address (default: server.host, this machine only)')
    .option('--allow-host <names...>', 'other names requests may call this machine by')
    .action(async (_options, command: Command) => {
      // Help lists this command too, and must not load every operation for it.
      const { serve } = await import('./serve-work.ts');
      await serve(cli, command.optsWithGlobals<ServeCommandOptions>());
    });
}
