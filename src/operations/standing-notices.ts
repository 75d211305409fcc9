import type { OperationContext } from './context.ts';

/** Everything a person should hear of, also what an earlier command has told already: opening tells news only. */
export function standingNotices({ notices, workspace }: Pick<OperationContext, 'notices' | 'workspace'>): string[] {
  return [...new Set([...notices, ...workspace.keptOut()])];
}
