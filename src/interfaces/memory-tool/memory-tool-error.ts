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
