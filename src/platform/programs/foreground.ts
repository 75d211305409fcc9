import { spawnSync } from 'node:child_process';
import { assertNoNul } from '../nul.ts';

export interface ForegroundResult {
  /** null when a signal ended it, or it was not started. */
  readonly code: number | null;
  /** Why it was not started. */
  readonly error: NodeJS.ErrnoException | undefined;
}

/** Runs a program in the user's terminal and waits for its end, as an editor needs. Never through a shell. */
export function runInTerminal(program: string, args: readonly string[]): ForegroundResult {
  assertNoNul(args);
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', shell: false });
  return { code: status, error };
}
