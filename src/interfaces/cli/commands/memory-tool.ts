import type { Command } from 'commander';
import { MnemeError } from '../../../model/errors.ts';
import { MemoryTool } from '../../memory-tool/memory-tool.ts';
import type { Cli, GlobalOptions } from '../cli.ts';

interface MemoryToolCommandOptions extends GlobalOptions {
  readonly scope?: string;
  readonly session?: string;
}

export function addMemoryToolCommand(program: Command, cli: Cli): void {
  program
    .command('memory-tool')
    .summary('Answer calls of Anthropic’s memory tool.')
    .description(
      'Answer calls of Anthropic’s memory tool (memory_20250818). Reads the input of one call, or one per line, as JSON from standard input and prints {"content", "is_error"} for each. Files lie in memory/agent-notes.',
    )
    .option('--scope <scope>', 'whose files: shared (default), or agent:NAME, project:NAME …')
    .option('--session <id>', 'the conversation, for the history')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<MemoryToolCommandOptions>();
      const calls = parseCalls(await cli.io.readInput());
      // Whoever calls this tool is a model; the tool itself lets nobody act as a person.
      const actor = options.as ?? cli.environment.actor ?? 'bot:main';
      await cli.withMneme({ ...options, as: actor }, async (mneme) => {
        const tool = new MemoryTool(mneme, { scope: options.scope, session: options.session });
        for (const call of calls) cli.io.out(`${JSON.stringify(await tool.execute(call))}\n`);
      });
    });
}

/** One call over several lines, or a call a line. */
function parseCalls(input: string): unknown[] {
  if (input.trim() === '') {
    throw new MnemeError('usage', 'There is no call on standard input.', {
      hint: `echo '{"command":"view","path":"/memories"}' | mneme memory-tool`,
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
