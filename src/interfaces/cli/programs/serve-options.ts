import { z } from 'zod';
import type { McpMode } from '../../mcp/access.ts';
import type { Compat } from '../../mcp/compat/server-memory.ts';
import type { Cli, GlobalOptions } from '../cli.ts';

const MAX_PORT = 65_535;

/** Options of every program that serves. */
export const serveInput = {
  port: z
    .int()
    .min(0)
    .max(MAX_PORT, `must be a number up to ${MAX_PORT}`)
    .optional()
    .describe('The port; 0 takes any free one; server.port when not given.'),
  host: z.string().optional().describe('The address; server.host when not given: this machine only.'),
  allowHost: z.array(z.string()).optional().describe('Other names that requests may call this machine by.'),
};

export const serveShapes = {
  host: { value: 'address' },
  allowHost: { value: 'names', list: 'words' },
} as const;

export interface ServeOptions extends GlobalOptions {
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly allowHost?: readonly string[] | undefined;
}

export interface DaemonOptions extends ServeOptions {
  readonly serve?: boolean | undefined;
}

export interface McpOptions extends ServeOptions {
  readonly mode?: McpMode | undefined;
  readonly compat?: Compat | undefined;
  readonly http: boolean;
  readonly token?: string | undefined;
}

export const TOKEN_VARIABLE = 'MNEME_MCP_TOKEN';

/** Resolves when somebody wants the server to stop. */
export function stopSignal({ io }: Cli): { readonly stopped: Promise<void>; readonly release: () => void } {
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const releaseInterrupt = io.onInterrupt(stop);
  process.once('SIGTERM', stop);
  return {
    stopped,
    release: () => {
      releaseInterrupt();
      process.off('SIGTERM', stop);
    },
  };
}
