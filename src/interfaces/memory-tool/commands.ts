import { z } from 'zod';

const text = z.string();
/** Lines are numbered from 1; -1 is the end of the file. */
const range = z.tuple([z.number().int(), z.number().int()]);

const command = z.discriminatedUnion('command', [
  z.object({ command: z.literal('view'), path: text, view_range: range.nullish() }),
  z.object({ command: z.literal('create'), path: text, file_text: text }),
  z.object({ command: z.literal('str_replace'), path: text, old_str: text, new_str: text.nullish() }),
  z.object({ command: z.literal('insert'), path: text, insert_line: z.number().int(), insert_text: text }),
  z.object({ command: z.literal('delete'), path: text }),
  z.object({ command: z.literal('rename'), old_path: text, new_path: text }),
]);

/** A call of the tool, as `memory_20250818` sends it. */
export type MemoryCommand = z.output<typeof command>;
export type MemoryCommandOf<Name extends MemoryCommand['command']> = Extract<MemoryCommand, { command: Name }>;

export function parseCommand(given: unknown): MemoryCommand {
  const parsed = command.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new MemoryToolError(`Error: The command was not understood. ${problems.join('; ')}`, { cause: parsed.error });
}

/**
 * The answer of a command that cannot be done. `content` is the documented answer; the message goes without its
 * beginning, because the tool runner of Anthropic's SDK puts `Error: ` before whatever it catches.
 */
export class MemoryToolError extends Error {
  override readonly name = 'MemoryToolError';
  readonly content: string;

  constructor(content: string, options: ErrorOptions = {}) {
    super(content.replace(/^Error: /u, ''), options);
    this.content = content;
  }
}
