import type { McpMode } from '../access.ts';
import type { Tool } from '../tool.ts';
import { memoryContext } from './memory-context.ts';
import { memoryGet, memoryRead } from './memory-read.ts';
import { memorySearch } from './memory-search.ts';
import { memoryWrite } from './memory-write.ts';

/** Every tool, in the order clients list them. */
const TOOLS: readonly Tool[] = [memorySearch, memoryRead, memoryGet, memoryWrite, memoryContext];

/** A reader is not offered what it may not use. */
export function toolsFor(mode: McpMode): readonly Tool[] {
  return TOOLS.filter(({ effect }) => mode !== 'read-only' || effect === 'read');
}
