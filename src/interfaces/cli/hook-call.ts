import { HOOK_AGENT_NAMES } from '../../runtime/connect/hook-agents.ts';
import type { HookCall } from '../hooks/run-hook.ts';

/**
 * The hook that a call of an agent is, in the words `connect` wires it with: `[--home DIR] hook AGENT [EVENT]`. Those run after every
 * prompt and need nothing of the command line; every other wording is left to it.
 */
export function hookCallOf(args: readonly string[], usualHome: string): HookCall | undefined {
  const [option, folder] = args;
  const hasHome = option === '--home' && folder !== undefined && folder !== '' && !folder.startsWith('-');
  const [command, name, event, ...more] = hasHome ? args.slice(2) : args;
  const agent = HOOK_AGENT_NAMES.find((one) => one === name);
  if (command !== 'hook' || agent === undefined || event?.startsWith('-') === true || more.length > 0) return undefined;
  return { home: hasHome ? folder : usualHome, agent, event };
}
