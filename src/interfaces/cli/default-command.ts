/** The command behind `mneme` alone. */
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
