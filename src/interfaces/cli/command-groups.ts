import type { Command } from 'commander';
import type { Cli } from './cli.ts';

type AddCommands = (program: Command, cli: Cli) => void;

/** Commands that are loaded together, in the order help lists them. */
export interface CommandGroup {
  readonly names: readonly string[];
  readonly load: () => Promise<AddCommands>;
}

/** A call loads only the group it names: schemas of verbs nobody asked for are most of what a start would cost. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { names: ['compact'], load: async () => (await import('./commands/compact.ts')).addCompactCommand },
  { names: ['working'], load: async () => (await import('./commands/working.ts')).addWorkingCommands },
  { names: ['procedure'], load: async () => (await import('./commands/procedure.ts')).addProcedureCommands },
];

/** What a call needs: the group of the command it names, nothing for the version, and everything for help. */
export function groupsFor(
  args: readonly string[],
  isDerived: (name: string) => boolean = () => false,
): readonly CommandGroup[] {
  const name = firstOperand(args);
  if (name !== undefined && isDerived(name)) return [];
  if (name === undefined && args.some((arg) => arg === '--version' || arg === '-V')) return [];
  const named = COMMAND_GROUPS.filter(({ names }) => names.includes(name ?? ''));
  return named.length > 0 ? named : COMMAND_GROUPS;
}

/** What `mneme` alone means. */
const DEFAULT_COMMAND = 'begin';

const SELF_SUFFICIENT: ReadonlySet<string> = new Set(['--help', '-h', '--version', '-V']);

/** The call with its command, when it names none and asks for neither help nor the version. */
export function withCommand(args: readonly string[]): readonly string[] {
  if (firstOperand(args) !== undefined || args.some((arg) => SELF_SUFFICIENT.has(arg))) return args;
  return [DEFAULT_COMMAND, ...args];
}

function firstOperand(args: readonly string[]): string | undefined {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--home' || arg === '--as') at += 1;
    else if (!arg.startsWith('-')) return arg;
  }
  return undefined;
}
