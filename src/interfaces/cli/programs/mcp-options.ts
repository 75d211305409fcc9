import type { McpMode } from '../../mcp/access.ts';
import type { Compat } from '../../mcp/compat/compat.ts';
import type { ServeOptions } from './serve-options.ts';

export interface McpOptions extends ServeOptions {
  readonly mode?: McpMode | undefined;
  readonly compat?: Compat | undefined;
  readonly http: boolean;
  readonly token?: string | undefined;
}

export const TOKEN_VARIABLE = 'MNEME_MCP_TOKEN';
