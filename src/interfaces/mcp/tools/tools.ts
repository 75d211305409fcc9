import { z } from 'zod';
import { runOperation } from '../../../operations/operation.ts';
import { reflect } from '../../../operations/reflect/reflect.ts';
import type { McpMode } from '../access.ts';
import { NOTICE, type Tool, defineTool, fence } from '../tool.ts';
import { memoryContext } from './memory-context.ts';
import { memoryForget } from './memory-forget.ts';
import { memoryGraph } from './memory-graph.ts';
import { memoryHistory } from './memory-history.ts';
import { memoryPropose } from './memory-propose.ts';
import { memoryRead } from './memory-read.ts';
import { memorySearch } from './memory-search.ts';
import { memoryUpdate } from './memory-update.ts';
import { memoryWrite } from './memory-write.ts';

const input = z.object({ dryRun: z.boolean().default(false) });

const memoryReflect = defineTool({
  name: 'memory_reflect',
  title: 'Reflect',
  description:
    'Look back over what is new: what was learned, what contradicts itself, what core memory should say. Files one proposal; nothing changes without a yes. May take a while.',
  effect: 'write',
  modes: ['full'],
  isLong: true,
  input,
  listed: { dryRun: 'Only show it.' },
  aliases: { dryRun: ['dry_run', 'preview'] },
  async run({ context, conceal, report }, { dryRun }) {
    report?.('Looking back over what is new.');
    const reflected = await runOperation(reflect, context, { trigger: 'request', dryRun });
    const { outcome, proposal, changes } = reflected;
    const notes = reflected.notes.map(conceal);
    const diffs = changes.map(({ path, diff }) => fence({ path }, diff));
    const head = proposal === null ? `${outcome}.` : `${outcome}: it waits for the user's approval as ${proposal}.`;
    const told = fence({}, reflected.text);
    return {
      text: [`${head} ${NOTICE}`, told, ...diffs, ...notes.map((note) => `Note: ${note}`)].join('\n\n'),
      structured: { message: [head, ...notes].join(' '), text: told },
    };
  },
});

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
