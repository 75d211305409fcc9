import type { McpMode } from '../access.ts';
import type { Tool } from '../tool.ts';
import { memoryContext } from './memory-context.ts';
import { memoryForget } from './memory-forget.ts';
import { memoryGraph } from './memory-graph.ts';
import { memoryHistory } from './memory-history.ts';
import { memoryPropose } from './memory-propose.ts';
import { memoryRead } from './memory-read.ts';
import { memoryReflect } from './memory-reflect.ts';
import { memorySearch } from './memory-search.ts';
import { memoryUpdate } from './memory-update.ts';
import { memoryWrite } from './memory-write.ts';

/** Every tool, in the order clients list them. */
const TOOLS: readonly Tool[] = [
  memorySearch,
  memoryRead,
  memoryWrite,
  memoryUpdate,
  memoryForget,
  memoryContext,
  memoryPropose,
  memoryGraph,
  memoryHistory,
  memoryReflect,
];

/** A reader is not offered what it may not use. */
export function toolsFor(mode: McpMode): readonly Tool[] {
  return TOOLS.filter(({ modes }) => modes.includes(mode));
}
