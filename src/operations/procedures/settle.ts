import { errorMessage, isMnemeError } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { RunLock } from '../../memory/procedures/workflow/run-lock.ts';
import type { RunState } from '../../memory/procedures/workflow/state.ts';
import type { OperationContext } from '../context.ts';
import { proceduresOf } from './open-procedures.ts';
import { recordRun } from './record-run.ts';

/** Records runs that ended just before their process died. */
export async function settleEnded(context: OperationContext): Promise<void> {
  const open = proceduresOf(context);
  for (const run of open.journal.list()) {
    if (findState(context, run).state?.ending === undefined) continue;
    const lock = RunLock.tryTake(context.workspace.paths.state, run);
    if (lock === undefined) continue;
    try {
      // Whoever had it may have recorded it between the look and the lock.
      const state = open.journal.read(run);
      if (state?.ending !== undefined) await recordRun(context, open, state);
      lock.remove(nodeFileSystem);
    } finally {
      lock.release();
    }
  }
}

export interface FoundState {
  readonly state: RunState | undefined;
  /** Why the journal of the run cannot be read. */
  readonly problem: string | undefined;
}

export function findState(context: OperationContext, run: string): FoundState {
  try {
    return { state: proceduresOf(context).journal.read(run), problem: undefined };
  } catch (error) {
    if (!isMnemeError(error, 'integrity')) throw error;
    return { state: undefined, problem: errorMessage(error) };
  }
}

/** Whether a process is at it right now. */
export function isDriven(context: OperationContext, run: string): boolean {
  return RunLock.isTaken(context.workspace.paths.state, run);
}
