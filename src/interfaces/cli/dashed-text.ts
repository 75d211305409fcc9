import type { Command } from 'commander';

/*
 * Most Markdown begins with a dash. Commander takes every argument that does for an option, so those that cannot be one
 * are marked before it parses, and the marks are taken off before the command runs.
 */

/** No operating system passes this character in an argument, so no argument holds it already. */
const MARK = '\0';

/** `- a bullet`, `-- so be it`, `---`: no option has a space behind its dashes, or three of them. */
const TEXT = /^(?:-+\s|-{3,})/u;

export function markDashedText(args: readonly string[]): string[] {
  return args.map((arg) => (TEXT.test(arg) ? `${MARK}${arg}` : arg));
}

export function withoutMarks(text: string): string {
  return text.replaceAll(MARK, '');
}

/** Takes the marks off the arguments and option values of a command about to run. */
export function unmarkCommand(action: Command): void {
  action.args = action.args.map(withoutMarks);
  action.processedArgs = action.processedArgs.map(unmark);
  for (let command: Command | null = action; command !== null; command = command.parent) {
    for (const [name, value] of Object.entries(command.opts<Record<string, unknown>>())) {
      if (typeof value === 'string' && value.startsWith(MARK)) {
        command.setOptionValueWithSource(name, withoutMarks(value), command.getOptionValueSource(name));
      }
    }
  }
}

function unmark(value: unknown): unknown {
  if (typeof value === 'string') return withoutMarks(value);
  return Array.isArray(value) ? value.map(unmark) : value;
}
