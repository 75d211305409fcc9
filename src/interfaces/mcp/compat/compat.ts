import type { McpMode } from '../access.ts';
import type { Tool } from '../tool.ts';
import { SERVER_MEMORY_TOOLS } from './server-memory.ts';

/** Other memory servers whose tools are offered under their own names, onto our memory. */
export const COMPATS = ['server-memory'] as const;
export type Compat = (typeof COMPATS)[number];

const TOOLS: Readonly<Record<Compat, readonly Tool[]>> = { 'server-memory': SERVER_MEMORY_TOOLS };

export function compatTools(compat: Compat, mode: McpMode): readonly Tool[] {
  return TOOLS[compat].filter(({ modes }) => modes.includes(mode));
}
