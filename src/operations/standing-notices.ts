import type { OperationContext } from './context.ts';
import { describeUnfinished } from './forget/unfinished.ts';

/** Everything a person should hear of, also what an earlier command has told already: opening tells news only. */
export function standingNotices({ notices, workspace }: Pick<OperationContext, 'notices' | 'workspace'>): string[] {
  const unfinished = describeUnfinished(workspace.paths.journal).map(({ message, hint }) => `${message} ${hint}`);
  return [...new Set([...notices, ...workspace.keptOut(), ...unfinished])];
}
