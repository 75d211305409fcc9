import { z } from 'zod';
import { MnemeError } from '../../../model/errors.ts';
import { defineProgram } from '../derive/program.ts';
import { parseJson } from '../../../model/records.ts';

export const memoryTool = defineProgram({
  name: 'mcp memory-tool',
  summary: 'Answer calls of Anthropic’s memory tool.',
  description:
    'Answer calls of Anthropic’s memory tool (memory_20250818). Reads the input of one call, or one per line, as JSON from standard input and prints {"content", "is_error"} for each. Files lie in memory/agent-notes.',
  examples: [`echo '{"command":"view","path":"/memories"}' | mneme mcp memory-tool`],
  input: z.object({
    scope: z.string().optional().describe('Whose files: shared, or agent:NAME, project:NAME …; shared when not given.'),
    session: z.string().optional().describe('The conversation, for the history.'),
  }),
  cli: { formerly: ['memory-tool'], options: { scope: { value: 'scope' }, session: { value: 'id' } } },
  async start({ cli, options, input }) {
    const { MemoryTool } = await import('../../memory-tool/memory-tool.ts');
    const calls = parseCalls(await cli.io.readInput());
    // A model calls this tool; the tool itself lets nobody act as a person.
    const actor = options.as ?? cli.environment.actor ?? 'bot:main';
    await cli.withMneme({ ...options, as: actor }, async (mneme) => {
      const tool = new MemoryTool(mneme, input);
      for (const call of calls) cli.io.out(`${JSON.stringify(await tool.execute(call))}\n`);
    });
  },
});

/** One call over several lines, or a call a line. */
function parseCalls(input: string): unknown[] {
  if (input.trim() === '') {
    throw new MnemeError('usage', 'There is no call on standard input.', {
      hint: `echo '{"command":"view","path":"/memories"}' | mneme mcp memory-tool`,
    });
  }
  const whole = parseJson(input);
  if (whole !== undefined) return Array.isArray(whole) ? whole : [whole];
  return input
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, at) => {
      const call = parseJson(line);
      if (call !== undefined) return call;
      throw new MnemeError('usage', `Line ${at + 1} of standard input is not JSON: ${line.slice(0, 60)}`);
    });
}
