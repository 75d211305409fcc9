import { z } from 'zod';
import { reflect } from '../../../operations/reflect/reflect.ts';
import { runOperation } from '../../../operations/operation.ts';
import { fence, NOTICE } from '../fence.ts';
import { defineTool } from '../tool.ts';

const input = z.object({ dryRun: z.boolean().default(false) });

export const memoryReflect = defineTool({
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
