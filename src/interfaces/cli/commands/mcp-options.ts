import type { GlobalOptions } from '../cli.ts';

export interface McpOptions extends GlobalOptions {
  readonly mode?: string;
  readonly compat?: string;
  readonly http?: boolean;
  readonly port?: string;
  readonly host?: string;
  readonly token?: string;
  readonly allowHost?: readonly string[];
}

export const TOKEN_VARIABLE = 'MNEME_MCP_TOKEN';
